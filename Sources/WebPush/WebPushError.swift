/// Why a browser cannot be notified by Web Push. No case contains an address or a key.
package enum WebPushError: Error, Sendable, Hashable {
  /// The endpoint is longer than `limit` bytes.
  case endpointTooLong(limit: Int)
  /// The endpoint does not begin with `https://`.
  case endpointNotHTTPS
  /// The endpoint is not a plain address: it has a user name, a fragment, an unusual character, or no host.
  case endpointMalformed
  /// The browser's key is not a point on P-256, or not 65 bytes.
  case keyNotOnCurve
  /// The browser's authentication secret is not 16 bytes.
  case authNot16Bytes
  /// The plaintext is longer than `limit` bytes, which is all that one record holds.
  case messageTooLong(limit: Int)
  /// The cipher library failed.
  case notEncrypted
}
