import Ciphers
import SecretMemory
import Vault

/// A slot's secret, encrypted with a key that only one device can return, or that needs both the keyring and the vault.
///
/// ChaCha20-Poly1305 (RFC 8439) with a nonce of zeros under HKDF-SHA256(salt: the domain, key, info: the bound bytes). Each key
/// is used for one secret. 48 bytes.
enum SlotWrap {
  static let length = 48
  static let secretLength = 32
  private static let nonce = [UInt8](repeating: 0, count: 12)

  /// A random secret for a new slot, or a key for one.
  static func randomSecret() throws(KeyStoreError) -> SecretBox {
    do { return SecretBox(try SecretBytes(randomCount: secretLength)) } catch { throw .vault(.outOfMemory) }
  }

  /// An independent copy.
  static func copy(_ secret: SecretBox) throws(KeyStoreError) -> SecretBytes {
    do { return try secret.duplicate() } catch { throw .vault(.outOfMemory) }
  }

  /// - Parameters:
  ///   - key: 32 bytes that are used for nothing else.
  ///   - domain: the purpose.
  ///   - bound: the unencrypted bytes that the result is bound to.
  static func seal(
    _ secret: SecretBox, key: SecretBox, domain: String, bound: [UInt8]
  ) throws(KeyStoreError) -> [UInt8] {
    do throws(CipherError) {
      let derived = try derive(key, domain, bound)
      return try secret.withBytes { (secret) throws(CipherError) in
        try derived.withBytes { (key) throws(CipherError) in
          try ChaChaPoly.seal(secret, key: key, nonce: nonce, associated: bound, variant: .ietf)
        }
      }
    } catch { throw .vault(.outOfMemory) }
  }

  /// - Throws: `.corrupt` when any byte of it, of the key or of the bound bytes differs.
  static func open(
    _ sealed: [UInt8], key: SecretBox, domain: String, bound: [UInt8], what: StaticString
  ) throws(KeyStoreError) -> SecretBytes {
    guard sealed.count == length else { throw .corrupt(what) }
    do throws(CipherError) {
      let derived = try derive(key, domain, bound)
      return try sealed.withBuffer { (sealed) throws(CipherError) in
        try derived.withBytes { (key) throws(CipherError) in
          try ChaChaPoly.open(sealed, key: key, nonce: nonce, associated: bound, variant: .ietf)
        }
      }
    } catch .outOfMemory { throw .vault(.outOfMemory) } catch { throw .corrupt(what) }
  }

  private static func derive(
    _ key: SecretBox, _ domain: String, _ bound: [UInt8]
  ) throws(CipherError) -> SecretBytes {
    let extracted = try key.withBytes { (key) throws(CipherError) in
      try Array(domain.utf8).withBuffer { (salt) throws(CipherError) in try HKDFSHA256.extract(salt: salt, inputKey: key) }
    }
    return try HKDFSHA256.expand(pseudorandomKey: extracted, info: bound, count: 32)
  }
}

extension [UInt8] {
  /// Like `withUnsafeBytes`, which cannot return a noncopyable value.
  func withBuffer<R: ~Copyable, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 8)
    defer { room.deallocate() }
    room.copyBytes(from: self)
    return try body(UnsafeRawBufferPointer(room))
  }
}
