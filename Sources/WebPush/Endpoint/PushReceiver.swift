import Ciphers

/// A browser's subscription: its endpoint, and the keys that its messages are encrypted for (Push API, `PushSubscription`).
package struct PushReceiver: Sendable, Hashable {
  /// Bytes of the authentication secret.
  package static let authLength = 16

  /// The address to post to.
  package let endpoint: PushEndpoint
  /// The browser's P-256 public key, 65 bytes, checked to be on the curve.
  package let key: [UInt8]
  /// The secret shared with the browser, 16 bytes. It decrypts nothing alone.
  package let auth: [UInt8]

  /// - Parameters:
  ///   - key: an uncompressed point.
  ///   - auth: 16 bytes.
  /// - Throws: `.keyNotOnCurve`, `.authNot16Bytes`.
  package init(endpoint: PushEndpoint, key: [UInt8], auth: [UInt8]) throws(WebPushError) {
    guard (try? P256.PublicKey(key)) != nil else { throw .keyNotOnCurve }
    guard auth.count == Self.authLength else { throw .authNot16Bytes }
    (self.endpoint, self.key, self.auth) = (endpoint, key, auth)
  }
}
