import EntrustedShares
package import Guardians
import Nostr
package import OwnerAPI

extension OperationError {
  /// Why a guardian could not be added, or a request for a share could not be answered, as sentences.
  package init(_ error: GuardianError) {
    switch error {
    case .noSuchRequest: self = .noSuchShareRequest
    case .givenFromOther(let identity):
      self = .failed(
        "Another identity of yours, \(identity.npub), gave this share to that guardian.",
        hint: "Name that identity with --identity, or remove the guardian first: holdfast guardian remove")
    case .requestIsOver(let state): self = .failed("That request is over: \(state.rawValue).")
    }
  }

  package static func guardianKeyClosed(_ name: String) -> OperationError {
    failed("The key of “\(name)” asks for you at each use.", hint: "First: holdfast guardian open --identity \(name)")
  }
  package static let noSuchShareRequest = notFound(
    "There is no such request for a share.", hint: "See: holdfast guardian requests")
}
