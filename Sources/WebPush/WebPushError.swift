/// Why a message by Web Push cannot be sent or read. No case contains an address or a key.
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
  /// A received message is longer than `limit` bytes.
  case bodyTooLong(limit: Int)
  /// A received message is not one record of `aes128gcm` with a sender's key.
  case bodyMalformed
  /// A received message was made for another receiver, or changed on the way.
  case notAuthentic
  /// The cipher library failed.
  case notEncrypted
}
