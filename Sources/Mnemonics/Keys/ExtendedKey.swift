import Ciphers
public import Curve
public import SecretMemory

/// A BIP-32 private key with its chain code. Both are secret: with the chain code and the public key every public child can be
/// found, and with one private child as well the private key itself.
public struct ExtendedKey: ~Copyable, Sendable {
  /// Where the key comes from.
  public let origin: KeyOrigin
  private let key: SecretKey
  private let chainCode: SecretBytes

  /// The master key of a seed.
  /// - Parameter seed: 16 to 64 bytes; `Mnemonic.seed` gives 64.
  /// - Throws: `.seedLength`, `.noKeyHere`.
  public init(seed: borrowing SecretBytes, network: KeyNetwork = .main) throws(ExtendedKeyError) {
    guard (16...64).contains(seed.count) else { throw .seedLength(seed.count) }
    let salt: StaticString = "Bitcoin seed"
    let halves = try seed.withBytes { (seed) throws(ExtendedKeyError) in try Derivation.hmac(key: salt.bytes, seed) }
    let key = try Self.key(try Derivation.half(0, of: halves), outOfRange: .noKeyHere)
    self.init(origin: .master(network), key: key, chainCode: try Derivation.half(1, of: halves))
  }

  /// - Parameter text: an `xprv` or `tprv`, ASCII, no white space.
  /// - Throws: the first fault found.
  public init(parsing text: borrowing SecretBytes) throws(ExtendedKeyError) {
    let bytes = try Serialized.bytes(of: text)
    let origin = try bytes.withBytes { (bytes) throws(ExtendedKeyError) in
      try Serialized.origin(of: bytes) { $0.privateVersion }
    }
    let secret = try bytes.withBytes { (bytes) throws(ExtendedKeyError) in
      guard bytes[Serialized.key.lowerBound] == 0 else { throw .malformedPrivateKey }
      return try keyBytes(32) { $0.copyMemory(from: bytes.part(Serialized.key.lowerBound + 1..<Serialized.key.upperBound)) }
    }
    let key = try Self.key(secret, outOfRange: .malformedPrivateKey)
    self.init(origin: origin, key: key, chainCode: try Serialized.chainCode(of: bytes))
  }

  private static func key(
    _ secret: consuming SecretBytes, outOfRange fault: ExtendedKeyError
  ) throws(ExtendedKeyError) -> SecretKey {
    do throws(CurveError) { return try SecretKey(secret) } catch { throw error == .outOfMemory ? .outOfMemory : fault }
  }

  private init(origin: KeyOrigin, key: consuming SecretKey, chainCode: consuming SecretBytes) {
    self.origin = origin
    self.key = key
    self.chainCode = chainCode
  }

  /// The private child at `index`.
  /// - Throws: `.noKeyHere`, `.tooDeep`.
  public borrowing func child(_ index: ChildIndex) throws(ExtendedKeyError) -> ExtendedKey {
    let parent = try publicPoint()
    let origin = try self.origin.child(index, parent: try Derivation.fingerprint(of: parent))
    let data = try keyBytes(37) { data in
      if index.isHardened {
        key.withBytes { data.place($0, at: 1) }
      } else {
        parent.bytes.withUnsafeBytes { data.place($0, at: 0) }
      }
      Serialized.write(index.rawValue, to: data, at: 33)
    }
    let halves = try Derivation.hmac(key: chainCode, data)
    let childKey = try halves.withBytes { (bytes) throws(ExtendedKeyError) in
      do throws(CurveError) { return try key.adding(tweak: bytes.part(0..<32)) } catch {
        throw error == .outOfMemory ? .outOfMemory : .noKeyHere
      }
    }
    return ExtendedKey(origin: origin, key: childKey, chainCode: try Derivation.half(1, of: halves))
  }

  /// The private key at the end of `path`, which starts here.
  /// - Throws: `.noKeyHere`, `.tooDeep`.
  public borrowing func descendant(at path: DerivationPath) throws(ExtendedKeyError) -> ExtendedKey {
    var current = ExtendedKey(origin: origin, key: try secretKey(), chainCode: try Derivation.copy(chainCode))
    for step in path.steps { current = try current.child(step) }
    return current
  }

  /// An own copy of the secret key.
  public borrowing func secretKey() throws(ExtendedKeyError) -> SecretKey {
    do throws(CurveError) { return try key.duplicate() } catch { throw .outOfMemory }
  }

  /// The public key of the same place.
  public borrowing func publicKey() throws(ExtendedKeyError) -> ExtendedPublicKey {
    ExtendedPublicKey(origin: origin, key: try publicPoint(), chainCode: try Derivation.copy(chainCode))
  }

  /// The first four bytes of the key identifier, big-endian.
  public borrowing func fingerprint() throws(ExtendedKeyError) -> UInt32 { try Derivation.fingerprint(of: try publicPoint()) }

  /// The `xprv` or `tprv`, 111 ASCII characters.
  public borrowing func serialized() throws(ExtendedKeyError) -> SecretBytes {
    let padded = try keyBytes(33) { target in key.withBytes { target.place($0, at: 1) } }
    return try padded.withBytes { (padded) throws(ExtendedKeyError) in
      try Serialized.text(version: origin.network.privateVersion, origin, chainCode: chainCode, key: padded)
    }
  }

  private borrowing func publicPoint() throws(ExtendedKeyError) -> CompressedPublicKey {
    do throws(CurveError) { return try key.compressedPublicKey() } catch { throw .library }
  }
}
