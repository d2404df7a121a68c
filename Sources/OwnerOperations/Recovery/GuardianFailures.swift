import EntrustedShares
import Guardians
import Nostr
import OwnerAPI

extension OperationError {
  /// Why a request for a share could not be answered, as sentences.
  init(_ error: GuardianError) {
    switch error {
    case .noSuchRequest: self = .noSuchShareRequest
    case .givenFromOther(let identity):
      self = .failed(
        "This guardian has that share from another identity of yours, \(identity.npub).",
        hint: "Name that identity with --identity, or remove the guardian first: holdfast guardian remove")
    case .requestIsOver(let state): self = .failed("That request is over: \(state.rawValue).")
    }
  }
}
