import Ciphers
public import Curve
import Encodings
public import SecretMemory

/// Functions for old clients only, which protect less than they seem to.
public enum Insecure {
  /// Encrypted direct messages (NIP-04): AES-256-CBC under the unhashed x coordinate of the shared point, without authentication.
  /// Anybody on the network can change the text, and its length is visible. Use `NIP44`.
  ///
  /// A payload is `base64(ciphertext)?iv=base64(iv)`.
  public enum NIP04 {
    /// The key that two parties share: 32 secret bytes. Making one costs about 50 µs; keep it. Wiped with its last owner.
    public final class Key: Sendable {
      fileprivate let secret: SecretBytes

      /// - Throws: `.invalidPeer`, `.outOfMemory`.
      public init(_ own: KeyPair, _ peer: PublicKey) throws(EncryptionError) {
        do { secret = try own.sharedX(with: peer) } catch { throw EncryptionError(error) }
      }

      /// The same from a shared point that was computed elsewhere, for example by the members of a group.
      /// - Parameter sharedX: its x coordinate, 32 bytes.
      /// - Throws: `.outOfMemory`.
      public init(sharedX: SecretBox) throws(EncryptionError) {
        do { secret = try sharedX.duplicate() } catch { throw .outOfMemory }
      }
    }

    /// Whether a content looks like NIP-04: base64 of NIP-44 has no question mark.
    public static func isPayload(_ text: some Sequence<UInt8>) -> Bool { text.contains(UInt8(ascii: "?")) }

    /// - Parameters:
    ///   - text: any bytes, or none.
    ///   - iv: 16 unpredictable bytes: give some in tests only.
    /// - Returns: the payload as ASCII.
    /// - Throws: `.outOfMemory`.
    public static func encrypt(
      _ text: [UInt8], with key: Key, iv: [UInt8] = SystemRandom.bytes(16)
    ) throws(EncryptionError) -> [UInt8] {
      do {
        let ciphertext = try key.secret.withBytes { (key) throws(CipherError) in
          try withRaw(text) { (text) throws(CipherError) in try AESCBC.encrypt(text, key: key, iv: iv) }
        }
        return Base64.encode(ciphertext) + Array("?iv=".utf8) + Base64.encode(iv)
      } catch { throw .outOfMemory }
    }

    /// As above, with a key made for this one message.
    public static func encrypt(
      _ text: [UInt8], key: KeyPair, peer: PublicKey, iv: [UInt8] = SystemRandom.bytes(16)
    ) throws(EncryptionError) -> [UInt8] { try encrypt(text, with: try Key(key, peer), iv: iv) }

    /// - Parameter limit: the most bytes of plaintext; the payload's length is checked before anything else is done.
    /// - Returns: the plaintext, perhaps empty, perhaps changed by somebody; that it is UTF-8 is not checked.
    /// - Throws: `.payloadTooLong`, or `.undecipherable` for every other fault.
    public static func decrypt(
      _ payload: [UInt8], with key: Key, limit: Int = NIP44.standardLimit
    ) throws(EncryptionError) -> [UInt8] {
      let longest = maximumPayload(limit)
      guard payload.count <= longest else { throw .payloadTooLong(limit: longest) }
      guard let mark = payload.firstIndex(of: UInt8(ascii: "?")), payload[mark...].starts(with: "?iv=".utf8),
        let ciphertext = Base64.decode(Array(payload[..<mark])), let iv = Base64.decode(Array(payload[(mark + 4)...])),
        iv.count == 16
      else { throw .undecipherable }
      do {
        return try key.secret.withBytes { (key) throws(CipherError) in
          try withRaw(ciphertext) { (bytes) throws(CipherError) in try AESCBC.decrypt(bytes, key: key, iv: iv) }
        }
      } catch { throw .undecipherable }
    }

    /// As above, with a key made for this one message.
    public static func decrypt(
      _ payload: [UInt8], key: KeyPair, peer: PublicKey, limit: Int = NIP44.standardLimit
    ) throws(EncryptionError) -> [UInt8] { try decrypt(payload, with: try Key(key, peer), limit: limit) }

    private static func maximumPayload(_ limit: Int) -> Int {
      Base64.encodedLength(min(max(limit, 0), NIP44.maximumPlaintext) / 16 * 16 + 16) + 28
    }
  }
}

extension Insecure.NIP04.Key: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Shows no secret.
  public var description: String { "<NIP-04 key>" }
  /// Shows no secret.
  public var debugDescription: String { description }
  /// Empty.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// `Array.withUnsafeBytes` with a typed error.
func withRaw<R, E: Error>(_ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
  try bytes.withUnsafeBufferPointer { (buffer) throws(E) -> R in try body(UnsafeRawBufferPointer(buffer)) }
}
