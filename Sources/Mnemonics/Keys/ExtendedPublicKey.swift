import Ciphers
public import Curve
public import SecretMemory

/// A BIP-32 public key with its chain code, from which the keys of all normal children follow.
///
/// It signs nothing, yet it is kept as a secret: it shows every key below it, and together with one private child its private key.
public struct ExtendedPublicKey: ~Copyable, Sendable {
  /// Where the key comes from.
  public let origin: KeyOrigin
  /// The point itself.
  public let key: CompressedPublicKey
  private let chainCode: SecretBytes

  init(origin: KeyOrigin, key: CompressedPublicKey, chainCode: consuming SecretBytes) {
    self.origin = origin
    self.key = key
    self.chainCode = chainCode
  }

  /// - Parameter text: an `xpub` or `tpub`, ASCII, no white space.
  /// - Throws: the first fault found.
  public init(parsing text: borrowing SecretBytes) throws(ExtendedKeyError) {
    let bytes = try Serialized.bytes(of: text)
    let origin = try bytes.withBytes { (bytes) throws(ExtendedKeyError) in
      try Serialized.origin(of: bytes) { $0.publicVersion }
    }
    let point = bytes.withBytes { [UInt8]($0.part(Serialized.key)) }
    let chainCode = try Serialized.chainCode(of: bytes)
    do throws(CurveError) { self.init(origin: origin, key: try CompressedPublicKey(point), chainCode: chainCode) } catch {
      throw .malformedPublicKey
    }
  }

  /// The public child at `index`.
  /// - Throws: `.hardenedChildOfPublicKey`, `.noKeyHere`, `.tooDeep`.
  public borrowing func child(_ index: ChildIndex) throws(ExtendedKeyError) -> ExtendedPublicKey {
    guard !index.isHardened else { throw .hardenedChildOfPublicKey }
    let origin = try self.origin.child(index, parent: try fingerprint())
    let data = try keyBytes(37) { data in
      key.bytes.withUnsafeBytes { data.place($0, at: 0) }
      Serialized.write(index.rawValue, to: data, at: 33)
    }
    let halves = try Derivation.hmac(key: chainCode, data)
    let point = try halves.withBytes { (bytes) throws(ExtendedKeyError) in
      do throws(CurveError) { return try key.adding(tweak: bytes.part(0..<32)) } catch { throw .noKeyHere }
    }
    return ExtendedPublicKey(origin: origin, key: point, chainCode: try Derivation.half(1, of: halves))
  }

  /// The first four bytes of the key identifier, big-endian.
  public borrowing func fingerprint() throws(ExtendedKeyError) -> UInt32 { try Derivation.fingerprint(of: key) }

  /// The `xpub` or `tpub`, 111 ASCII characters.
  public borrowing func serialized() throws(ExtendedKeyError) -> SecretBytes {
    try Derivation.bytes(of: key).withBytes { (point) throws(ExtendedKeyError) in
      try Serialized.text(version: origin.network.publicVersion, origin, chainCode: chainCode, key: point)
    }
  }
}

/// What private and public derivation share.
enum Derivation {
  static func hmac(key: UnsafeRawBufferPointer, _ data: UnsafeRawBufferPointer) throws(ExtendedKeyError) -> SecretBytes {
    do throws(CipherError) { return try SHA512.hmac(key: key, data) } catch { throw ExtendedKeyError(error) }
  }

  static func hmac(key: borrowing SecretBytes, _ data: borrowing SecretBytes) throws(ExtendedKeyError) -> SecretBytes {
    try key.withBytes { (key) throws(ExtendedKeyError) in
      try data.withBytes { (data) throws(ExtendedKeyError) in try hmac(key: key, data) }
    }
  }

  /// - Parameter index: 0 for the key's 32 bytes, 1 for the chain code's.
  static func half(_ index: Int, of bytes: borrowing SecretBytes) throws(ExtendedKeyError) -> SecretBytes {
    try bytes.withBytes { (bytes) throws(ExtendedKeyError) in
      try keyBytes(32) { $0.copyMemory(from: bytes.part(index * 32..<index * 32 + 32)) }
    }
  }

  static func copy(_ secret: borrowing SecretBytes) throws(ExtendedKeyError) -> SecretBytes {
    try secret.withBytes { (bytes) throws(ExtendedKeyError) in try keyBytes(bytes.count) { $0.copyMemory(from: bytes) } }
  }

  static func fingerprint(of key: CompressedPublicKey) throws(ExtendedKeyError) -> UInt32 {
    try bytes(of: key).withBytes { (bytes) throws(ExtendedKeyError) in
      do throws(CipherError) {
        return try Hash160.digest(of: bytes).withUnsafeBytes { Serialized.number(in: $0, at: 0) }
      } catch { throw ExtendedKeyError(error) }
    }
  }

  /// The 33 bytes of a point.
  static func bytes(of key: CompressedPublicKey) throws(ExtendedKeyError) -> SecretBytes {
    try keyBytes(33) { target in key.bytes.withUnsafeBytes { target.copyMemory(from: $0) } }
  }
}
