package import Notifications
package import OwnerAPI

extension OperationError {
  /// Why a browser could not be added, as sentences.
  package init(_ error: PushError) {
    switch error {
    case .tooManySubscriptions:
      self.init(
        .failed, "\(PushBook.maximum) browsers are already notified, the most that are allowed.",
        hint: "Remove one: holdfast push list, then holdfast push remove ID")
    }
  }
}
