import EntrustedShares
import Guardians
import Nostr
import OwnerAPI

extension OperationError {
  /// Why a guardian could not be added, or a request for a share could not be answered, as sentences.
  init(_ error: GuardianError) {
    switch error {
    case .noSuchRequest: self = .noSuchShareRequest
    case .givenFromOther(let identity):
      self = .failed(
        "Another identity of yours, \(identity.npub), gave this share to that guardian.",
        hint: "Name that identity with --identity, or remove the guardian first: holdfast guardian remove")
    case .requestIsOver(let state): self = .failed("That request is over: \(state.rawValue).")
    }
  }
}
