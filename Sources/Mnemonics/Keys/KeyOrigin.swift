import SecretMemory

/// The chain of keys a key belongs to: Bitcoin's main network or a test network.
public enum KeyNetwork: Sendable, Hashable {
  /// `xprv` and `xpub`; what everybody outside Bitcoin uses as well.
  case main
  /// `tprv` and `tpub`.
  case test

  var privateVersion: UInt32 { self == .main ? 0x0488_ade4 : 0x0435_8394 }
  var publicVersion: UInt32 { self == .main ? 0x0488_b21e : 0x0435_87cf }
}

/// What an extended key says of where it comes from. Not secret.
public struct KeyOrigin: Sendable, Hashable {
  /// Of the serialised form.
  public let network: KeyNetwork
  /// Steps below the master key.
  public let depth: UInt8
  /// The first four bytes of the parent's key identifier, big-endian; 0 for a master key.
  public let parentFingerprint: UInt32
  /// The last step; number 0, not hardened, for a master key.
  public let index: ChildIndex

  static func master(_ network: KeyNetwork) -> KeyOrigin {
    KeyOrigin(network: network, depth: 0, parentFingerprint: 0, index: ChildIndex(rawValue: 0))
  }

  /// The origin of a child of a key with this origin.
  func child(_ index: ChildIndex, parent fingerprint: UInt32) throws(ExtendedKeyError) -> KeyOrigin {
    guard depth < UInt8.max else { throw .tooDeep }
    return KeyOrigin(network: network, depth: depth + 1, parentFingerprint: fingerprint, index: index)
  }
}

/// The 78 bytes of an extended key (BIP-32, "Serialization format"): version 4, depth 1, parent fingerprint 4, index 4,
/// chain code 32, key 33; then Base58Check.
enum Serialized {
  static let length = 78
  static let chainCode = 13..<45
  static let key = 45..<78

  static func text(
    version: UInt32, _ origin: KeyOrigin, chainCode: borrowing SecretBytes, key: UnsafeRawBufferPointer
  ) throws(ExtendedKeyError) -> SecretBytes {
    let bytes = try keyBytes(length) { target in
      write(version, to: target, at: 0)
      target[4] = origin.depth
      write(origin.parentFingerprint, to: target, at: 5)
      write(origin.index.rawValue, to: target, at: 9)
      chainCode.withBytes { target.place($0, at: Self.chainCode.lowerBound) }
      target.place(key, at: Self.key.lowerBound)
    }
    return try bytes.withBytes { (bytes) throws(ExtendedKeyError) in try Base58Check.encode(bytes) }
  }

  /// - Returns: the 78 bytes.
  static func bytes(of text: borrowing SecretBytes) throws(ExtendedKeyError) -> SecretBytes {
    let bytes = try text.withBytes { (text) throws(ExtendedKeyError) in try Base58Check.decode(text) }
    guard bytes.count == length else { throw .payloadLength(bytes.count) }
    return bytes
  }

  /// - Parameters:
  ///   - bytes: 78.
  ///   - version: which of a network's two versions is expected.
  static func origin(
    of bytes: UnsafeRawBufferPointer, version: (KeyNetwork) -> UInt32
  ) throws(ExtendedKeyError) -> KeyOrigin {
    let found = number(in: bytes, at: 0)
    guard let network = [KeyNetwork.main, .test].first(where: { version($0) == found }) else { throw .unknownVersion }
    let origin = KeyOrigin(
      network: network, depth: bytes[4], parentFingerprint: number(in: bytes, at: 5),
      index: ChildIndex(rawValue: number(in: bytes, at: 9)))
    guard origin.depth > 0 || origin == .master(network) else { throw .masterKeyWithParent }
    return origin
  }

  static func chainCode(of bytes: borrowing SecretBytes) throws(ExtendedKeyError) -> SecretBytes {
    try bytes.withBytes { (bytes) throws(ExtendedKeyError) in
      try keyBytes(32) { $0.copyMemory(from: bytes.part(chainCode)) }
    }
  }

  static func write(_ number: UInt32, to target: UnsafeMutableRawBufferPointer, at offset: Int) {
    withUnsafeBytes(of: number.bigEndian) { target.place($0, at: offset) }
  }

  static func number(in bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt32 {
    UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }
}
