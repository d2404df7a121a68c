/// Why a browser or phone could not be added to those that are told by Web Push.
package enum PushError: Error {
  /// As many as there may be are told already.
  case tooManySubscriptions
}
