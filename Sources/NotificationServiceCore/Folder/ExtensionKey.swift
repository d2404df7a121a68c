import Ciphers
public import SecretMemory

/// The key of the files that the app and its extension share. On an iPhone it is an item of the Keychain that both can read after the first
/// unlock, on this device only.
public final class ExtensionKey: Sendable {
  /// The key's length in bytes.
  public static let length = 32
  private let secret: SecretBytes

  /// - Parameter key: 32 random bytes, used for nothing else.
  /// - Throws: `.keyLength`.
  public init(_ key: consuming SecretBytes) throws(ExtensionError) {
    guard key.count == Self.length else { throw .keyLength(key.count) }
    secret = key
  }

  /// A fresh key from the system's generator.
  /// - Throws: `.outOfMemory`.
  public static func random() throws(ExtensionError) -> ExtensionKey {
    guard let secret = try? SecretBytes(randomCount: length) else { throw .outOfMemory }
    return try ExtensionKey(secret)
  }

  /// An own copy of the 32 bytes, for storing them.
  /// - Throws: `.outOfMemory`.
  public func bytes() throws(ExtensionError) -> SecretBytes {
    do { return try secret.duplicate() } catch { throw .outOfMemory }
  }

  /// The key for one purpose: HKDF-Expand with SHA-256.
  func derived(for purpose: [UInt8]) throws(ExtensionError) -> SecretBytes {
    do { return try HKDFSHA256.expand(pseudorandomKey: secret, info: purpose, count: Self.length) } catch { throw .outOfMemory }
  }
}
