import Ciphers
public import Curve
import Encodings
public import SecretMemory

/// The key that two parties share for NIP-44: 32 secret bytes, the same from either side.
///
/// Making one costs about 54 µs, so keep it for as long as the conversation lasts. Wiped with its last owner.
public final class ConversationKey: Sendable {
  private let secret: SecretBytes

  /// HKDF-extract with the salt `nip44-v2` over the x coordinate of the shared point.
  /// - Throws: `.invalidPeer`, `.outOfMemory`.
  public convenience init(_ own: KeyPair, _ peer: PublicKey) throws(EncryptionError) {
    let shared: SecretBytes
    do { shared = try own.sharedX(with: peer) } catch { throw EncryptionError(error) }
    try self.init(sharedX: SecretBox(shared))
  }

  /// The same from a shared point that was computed elsewhere, for example by the members of a group.
  /// - Parameter sharedX: its x coordinate, 32 bytes.
  /// - Throws: `.outOfMemory`.
  public init(sharedX: SecretBox) throws(EncryptionError) {
    let salt: StaticString = "nip44-v2"
    do {
      secret = try sharedX.withBytes { (x) throws(CipherError) in
        try HKDFSHA256.extract(salt: UnsafeRawBufferPointer(start: salt.utf8Start, count: salt.utf8CodeUnitCount), inputKey: x)
      }
    } catch { throw .outOfMemory }
  }

  /// - Parameter secret: 32 bytes, for tests that start from a known key.
  package init(secret: consuming SecretBytes) { self.secret = secret }

  package func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R { secret.withBytes(body) }

  /// The keys of one message: 32 bytes for ChaCha20, its 12-byte nonce, 32 bytes for HMAC. Wiped when `body` has ended.
  package func withMessageKeys<R, E: Error>(
    nonce: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    try withUnsafeTemporaryAllocation(byteCount: 76, alignment: 8) { (keys) throws(E) -> R in
      defer { wipe(keys) }
      secret.withBytes { HKDFSHA256.expand(pseudorandomKey: $0, info: nonce, into: keys) }
      return try body(UnsafeRawBufferPointer(keys))
    }
  }
}

extension ConversationKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Shows no secret.
  public var description: String { "<conversation key>" }
  /// Shows no secret.
  public var debugDescription: String { description }
  /// Empty.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
