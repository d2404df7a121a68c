/// Why a browser cannot be told by Web Push. No case carries an address or a key.
package enum WebPushError: Error, Sendable, Hashable {
  /// An endpoint of more than `limit` bytes.
  case endpointTooLong(limit: Int)
  /// An endpoint that does not begin with `https://`.
  case endpointNotHTTPS
  /// An endpoint that is no plain address: a user name, a fragment, an odd character, or no host.
  case endpointMalformed
  /// The browser's key is no point of P-256, or not 65 bytes.
  case keyNotOnCurve
  /// The browser's authentication secret is not 16 bytes.
  case authNot16Bytes
  /// A plaintext longer than `limit` bytes, more than one record holds.
  case messageTooLong(limit: Int)
  /// The cipher library refused.
  case notEncrypted
}
