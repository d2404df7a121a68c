import EntrustedShares
import Guardians
import OwnerAPI

extension OperationError {
  /// Why a request for a share could not be answered, as sentences.
  init(_ error: GuardianError) {
    switch error {
    case .noSuchRequest: self = .noSuchShareRequest
    case .requestIsOver(let state): self = .failed("That request is over: \(state.rawValue).")
    }
  }
}
