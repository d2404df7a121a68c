/// Why a browser or phone could not be added to those that get Web Push.
package enum PushError: Error {
  /// The limit of browsers and phones is reached.
  case tooManySubscriptions
}
