package import Ciphers
import Encodings
import JSON
import Platform

/// The key that identifies this signer to push services, so that nobody else can send in its name: VAPID, RFC 8292.
///
/// A browser binds its subscription to the public key. Each message carries a token signed by the private key, for the service's
/// origin and a limited time.
package final class VAPIDKey: Sendable {
  /// How long a token is valid, in seconds. The standard allows a day.
  static let lifetime: Int64 = 12 * 3600
  /// A token that expires sooner, in seconds, is not used.
  static let reserve: Int64 = 3600
  /// The most stored tokens, one for each push service.
  static let maximumTokens = 32

  private struct Token: Sendable {
    let text: String
    let expires: Int64
  }

  private let key: P256.PrivateKey
  private let contact: String
  private let tokens = Locked<[String: Token]>([:])

  /// - Parameter contact: how a push service reaches the operator of this signer: `mailto:…` or `https://…`.
  package init(_ key: consuming P256.PrivateKey, contact: String) {
    self.key = key
    self.contact = contact
  }

  /// The public key in the form of a browser's `applicationServerKey`: 65 bytes, base64url.
  package var publicKey: String { Base64URL.string(key.publicKey.bytes) }

  /// The value of the `Authorization` header.
  /// - Parameter now: seconds since 1970.
  package func authorization(for endpoint: PushEndpoint, now: Int64) throws(WebPushError) -> String {
    "vapid t=\(try token(for: endpoint.origin, now: now)), k=\(publicKey)"
  }

  private func token(for origin: String, now: Int64) throws(WebPushError) -> String {
    let known = tokens.withLock { $0[origin] }
    // A token that seems to be valid longer than possible was made before the clock was set back.
    if let known, known.expires - now > Self.reserve, known.expires - now <= Self.lifetime { return known.text }
    let made = Token(text: try makeToken(for: origin, expires: now + Self.lifetime), expires: now + Self.lifetime)
    tokens.withLock { tokens in
      if tokens.count >= Self.maximumTokens { tokens.removeAll() }
      tokens[origin] = made
    }
    return made.text
  }

  private func makeToken(for origin: String, expires: Int64) throws(WebPushError) -> String {
    let claims = JSONValue.object([
      .init("aud", .string(origin)), .init("exp", .integer(expires)), .init("sub", .string(contact)),
    ])
    let signed = Base64URL.string(Array(#"{"typ":"JWT","alg":"ES256"}"#.utf8)) + "." + Base64URL.string(claims.serialized())
    do { return signed + "." + Base64URL.string(try key.sign(message: Array(signed.utf8)).raw) } catch { throw .notEncrypted }
  }
}
