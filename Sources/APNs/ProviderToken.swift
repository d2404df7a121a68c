package import Ciphers
import Encodings
import JSON
import Platform

/// The token that identifies a push proxy to Apple: a JWT (RFC 7519) signed with ES256, as Apple's "Establishing a
/// token-based connection to APNs" says.
///
/// One token serves all messages. Apple takes one for an hour, and refuses a proxy that makes new ones more often than every 20 minutes.
package final class ProviderToken: Sendable {
  /// How old a token may get, in seconds, before a new one is made.
  static let longestUse: Int64 = 3_000
  /// How old a token must be, in seconds, before a new one may be made.
  static let shortestUse: Int64 = 1_200

  private struct Made: Sendable {
    let text: String
    let at: Int64
  }

  private let key: P256.PrivateKey
  let keyID: String
  let teamID: String
  private let made = Locked<Made?>(nil)
  /// The last one that came from another proxy. Once Apple refused it, it is not used again.
  private let adopted = Locked<String?>(nil)

  /// - Parameters:
  ///   - key: from the `.p8` file of Apple's developer account.
  ///   - keyID: the key's identifier, ten letters and digits.
  ///   - teamID: the identifier of the developer's team, ten letters and digits.
  /// - Throws: `.notAnIdentifier`.
  package init(_ key: consuming P256.PrivateKey, keyID: String, teamID: String) throws(APNsError) {
    guard Self.isIdentifier(keyID), Self.isIdentifier(teamID) else { throw .notAnIdentifier }
    self.key = key
    (self.keyID, self.teamID) = (keyID, teamID)
  }

  /// The value of the header `authorization`.
  /// - Parameter now: seconds since 1970. A clock that was set back makes a new token.
  package func authorization(now: Int64) throws(APNsError) -> String { "bearer \(try text(now: now))" }

  /// Has the next message get a new token, because Apple refused this one as too old. Does nothing within 20 minutes of the last.
  package func expire(now: Int64) {
    made.withLock { made in if let last = made, !(0..<Self.shortestUse).contains(now - last.at) { made = nil } }
  }

  private func text(now: Int64) throws(APNsError) -> String {
    if let last = made.withLock({ $0 }), (0..<Self.longestUse).contains(now - last.at) { return last.text }
    let text = try make(now: now)
    made.withLock { $0 = Made(text: text, at: now) }
    return text
  }

  /// Uses a token that another proxy made, once.
  func use(_ text: String, at: Int64) {
    let isNew = adopted.withLock { adopted in
      defer { adopted = text }
      return adopted != text
    }
    if isNew { made.withLock { $0 = Made(text: text, at: at) } }
  }

  func withKeyBytes<R: ~Copyable, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
    try key.withBytes(body)
  }

  func make(now: Int64) throws(APNsError) -> String {
    let header = JSONValue.object([.init("alg", .string("ES256")), .init("kid", .string(keyID))])
    let claims = JSONValue.object([.init("iss", .string(teamID)), .init("iat", .integer(now))])
    let signed = Base64URL.string(header.serialized()) + "." + Base64URL.string(claims.serialized())
    do { return signed + "." + Base64URL.string(try key.sign(message: Array(signed.utf8)).raw) } catch { throw .notSigned }
  }

  private static func isIdentifier(_ text: String) -> Bool {
    text.utf8.count == 10
      && text.utf8.allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
  }
}
