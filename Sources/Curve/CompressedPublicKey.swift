import CSecp256k1
public import Encodings

/// A public point with its parity: 33 bytes, the first 2 or 3 (SEC 1, section 2.3.3).
public struct CompressedPublicKey: Hashable, Sendable {
  /// 2 for an even y, 3 for an odd one.
  public let prefix: UInt8
  /// The x coordinate, which is the x-only key of BIP-340.
  public let x: PublicKey

  /// - Parameter bytes: 33 bytes.
  /// - Throws: `.notOnCurve` for a wrong length, prefix or x.
  public init(_ bytes: [UInt8]) throws(CurveError) {
    guard bytes.count == 33, bytes[0] == 2 || bytes[0] == 3, let x = Bytes32(bytes[1...]) else { throw .notOnCurve }
    (prefix, self.x) = (bytes[0], PublicKey(x))
    guard parsed() != nil else { throw .notOnCurve }
  }

  /// - Parameter bytes: 65 bytes: 4, x, y (SEC 1, section 2.3.3).
  /// - Throws: `.notOnCurve` for a wrong length or prefix, and for a pair that is no point.
  public init(uncompressed bytes: [UInt8]) throws(CurveError) {
    guard bytes.count == 65, bytes[0] == 4 else { throw .notOnCurve }
    var key = secp256k1_pubkey()
    guard CurveContext.shared.withPointer({ secp256k1_ec_pubkey_parse($0, &key, bytes, 65) }) == 1 else { throw .notOnCurve }
    self.init(key)
  }

  init(_ key: secp256k1_pubkey) {
    var bytes = [UInt8](repeating: 0, count: 33)
    var (length, key) = (33, key)
    // Cannot fail: the key was parsed or made by the library, and 33 bytes are what the compressed form takes.
    _ = CurveContext.shared.withPointer {
      secp256k1_ec_pubkey_serialize($0, &bytes, &length, &key, UInt32(SECP256K1_EC_COMPRESSED))
    }
    (prefix, x) = (bytes[0], PublicKey(Bytes32(bytes[1...]) ?? Bytes32()))
  }

  /// The 33 bytes.
  public var bytes: [UInt8] { [prefix] + x.bytes.array }

  /// This point plus `tweak` times the generator (BIP-32 public derivation).
  /// - Parameter tweak: 32 bytes below the group order.
  public func adding(tweak: UnsafeRawBufferPointer) throws(CurveError) -> CompressedPublicKey {
    guard tweak.count == 32, var key = parsed() else { throw .tweakOutOfRange }
    let status = CurveContext.shared.withPointer { secp256k1_ec_pubkey_tweak_add($0, &key, tweak.start) }
    guard status == 1 else { throw .tweakOutOfRange }
    return CompressedPublicKey(key)
  }

  /// Both coordinates, each 32 bytes, big-endian.
  /// - Throws: never for a key that was made here.
  public func coordinates() throws(CurveError) -> (x: Bytes32, y: Bytes32) {
    guard var key = parsed() else { throw .notOnCurve }
    var (bytes, length) = ([UInt8](repeating: 0, count: 65), 65)
    // Cannot fail: 65 bytes are what the uncompressed form takes.
    _ = CurveContext.shared.withPointer {
      secp256k1_ec_pubkey_serialize($0, &bytes, &length, &key, UInt32(SECP256K1_EC_UNCOMPRESSED))
    }
    guard let y = Bytes32(bytes[33...]) else { throw .notOnCurve }
    return (x.bytes, y)
  }

  func parsed() -> secp256k1_pubkey? {
    var key = secp256k1_pubkey()
    let status = CurveContext.shared.withPointer { secp256k1_ec_pubkey_parse($0, &key, bytes, 33) }
    return status == 1 ? key : nil
  }
}
