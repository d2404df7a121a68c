import CSecp256k1
public import Encodings
public import SecretMemory

/// A secp256k1 secret key: 32 secret bytes, checked to be a number from 1 to the group order less one.
public struct SecretKey: ~Copyable, Sendable {
  private let secret: SecretBytes

  /// - Parameter bytes: exactly 32.
  /// - Throws: `.secretKeyLength`, `.secretKeyOutOfRange`.
  public init(_ bytes: consuming SecretBytes) throws(CurveError) {
    guard bytes.count == 32 else { throw .secretKeyLength(bytes.count) }
    let isValid = bytes.withBytes { key in
      CurveContext.shared.withPointer { secp256k1_ec_seckey_verify($0, key.start) == 1 }
    }
    guard isValid else { throw .secretKeyOutOfRange }
    secret = bytes
  }

  /// A fresh key from the system's generator.
  public static func random() throws(CurveError) -> SecretKey {
    while true {
      // Out of range happens once in 2^127 tries; then the next one serves.
      do { return try SecretKey(try secretBytes(32) { SystemRandom.fill($0) }) } catch {
        guard error == .secretKeyOutOfRange else { throw error }
      }
    }
  }

  /// Lends the 32 bytes for the length of one call.
  public borrowing func withBytes<R: ~Copyable, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
    try secret.withBytes(body)
  }

  /// A second, independent copy.
  public borrowing func duplicate() throws(CurveError) -> SecretKey {
    try withBytes { (bytes) throws(CurveError) in try SecretKey(try secretBytes(32) { $0.copyMemory(from: bytes) }) }
  }

  /// This key plus `tweak`, modulo the group order (BIP-32 child keys).
  /// - Parameter tweak: 32 bytes below the group order.
  /// - Throws: `.tweakOutOfRange` when the tweak or the sum is not a valid key.
  public borrowing func adding(tweak: UnsafeRawBufferPointer) throws(CurveError) -> SecretKey {
    guard tweak.count == 32 else { throw .tweakOutOfRange }
    var status: Int32 = 0
    let sum = try withBytes { (bytes) throws(CurveError) in
      try secretBytes(32) { target in
        target.copyMemory(from: bytes)
        status = CurveContext.shared.withPointer { secp256k1_ec_seckey_tweak_add($0, target.start, tweak.start) }
      }
    }
    guard status == 1 else { throw .tweakOutOfRange }
    return try SecretKey(sum)
  }

  /// This key times `factor`, modulo the group order.
  /// - Parameter factor: a public number from 1 to the group order less one, big-endian.
  /// - Throws: `.tweakOutOfRange` for another number.
  public borrowing func multiplied(by factor: Bytes32) throws(CurveError) -> SecretKey {
    var status: Int32 = 0
    let product = try withBytes { (bytes) throws(CurveError) in
      try secretBytes(32) { target in
        target.copyMemory(from: bytes)
        status = factor.withUnsafeBytes { factor in
          CurveContext.shared.withPointer { secp256k1_ec_seckey_tweak_mul($0, target.start, factor.start) }
        }
      }
    }
    guard status == 1 else { throw .tweakOutOfRange }
    return try SecretKey(product)
  }

  /// The whole public point, 33 bytes compressed.
  public borrowing func compressedPublicKey() throws(CurveError) -> CompressedPublicKey {
    var key = secp256k1_pubkey()
    let status = withBytes { bytes in
      CurveContext.shared.withPointer { secp256k1_ec_pubkey_create($0, &key, bytes.start) }
    }
    guard status == 1 else { throw .secretKeyOutOfRange }
    return CompressedPublicKey(key)
  }
}

/// As `SecretBytes.init(count:filling:)` with this module's error.
func secretBytes(_ count: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Void) throws(CurveError) -> SecretBytes {
  do throws(SecretBytesError<Never>) { return try SecretBytes(count: count, filling: fill) } catch { throw .outOfMemory }
}
