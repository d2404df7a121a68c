import CSecp256k1
package import Encodings
package import SecretMemory

/// A point of the curve that everybody may know, or the point at infinity.
///
/// The time that an operation takes depends on the numbers. What a secret number makes of the generator is `SecretKey.groupElement()`.
package struct GroupElement: Sendable {
  /// Nil: the point at infinity.
  fileprivate var point: secp256k1_pubkey?

  package static let infinity = GroupElement(point: nil)
  package static let generator = GroupElement(PublicScalar.one)

  init(point: secp256k1_pubkey?) { self.point = point }

  /// - Parameter bytes: 33 bytes (SEC 1, section 2.3.3).
  /// - Returns: nil for anything but a point. The point at infinity has no such form.
  package init?(_ bytes: [UInt8]) {
    var key = secp256k1_pubkey()
    guard bytes.count == 33,
      CurveContext.shared.withPointer({ secp256k1_ec_pubkey_parse($0, &key, bytes, bytes.count) }) == 1
    else { return nil }
    point = key
  }

  /// - Parameter bytes: 33 bytes; all zero for the point at infinity.
  package init?(orInfinity bytes: [UInt8]) {
    if bytes.count == 33, bytes.allSatisfy({ $0 == 0 }) { self = .infinity } else { self.init(bytes) }
  }

  /// Multiplies the generator by a public number.
  package init(_ scalar: PublicScalar) {
    var key = secp256k1_pubkey()
    let status = scalar.bytes.withUnsafeBytes { bytes in
      CurveContext.shared.withPointer { secp256k1_ec_pubkey_create($0, &key, bytes.start) }
    }
    point = status == 1 ? key : nil
  }

  /// 33 bytes; all zero for the point at infinity.
  package var bytes: [UInt8] {
    var (bytes, length) = ([UInt8](repeating: 0, count: 33), 33)
    guard var point else { return bytes }
    // Cannot fail: 33 bytes are what the compressed form takes.
    _ = CurveContext.shared.withPointer {
      secp256k1_ec_pubkey_serialize($0, &bytes, &length, &point, UInt32(SECP256K1_EC_COMPRESSED))
    }
    return bytes
  }

  package var isInfinity: Bool { point == nil }

  /// False for the point at infinity.
  package var hasEvenY: Bool { bytes[0] == 2 }

  /// The x coordinate, 32 bytes; zeros for the point at infinity.
  package var x: Bytes32 { Bytes32(bytes[1...])! }  // 33 bytes less one

  /// Writes the x coordinate, which is secret, to where nothing else keeps it.
  /// - Parameter target: 32 bytes.
  package func writeX(into target: UnsafeMutableRawBufferPointer) {
    guard var point else { return wipe(target) }
    withUnsafeTemporaryAllocation(byteCount: 33, alignment: 1) { bytes in
      defer { wipe(bytes) }
      var length = 33
      _ = CurveContext.shared.withPointer {
        secp256k1_ec_pubkey_serialize($0, bytes.start, &length, &point, UInt32(SECP256K1_EC_COMPRESSED))
      }
      target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[1...]))
    }
  }

  /// The sum of points.
  package static func sum(_ points: [GroupElement]) -> GroupElement {
    let points = points.compactMap(\.point)
    guard !points.isEmpty else { return .infinity }
    var sum = secp256k1_pubkey()
    let status = withPointers(to: points) { pointers in
      CurveContext.shared.withPointer { secp256k1_ec_pubkey_combine($0, &sum, pointers, pointers.count) }
    }
    return GroupElement(point: status == 1 ? sum : nil)
  }

  private static func withPointers<Result>(
    to points: [secp256k1_pubkey], _ body: ([UnsafePointer<secp256k1_pubkey>?]) -> Result
  ) -> Result {
    points.withUnsafeBufferPointer { points in body(points.indices.map { points.baseAddress! + $0 }) }  // not empty
  }

  package static func + (left: GroupElement, right: GroupElement) -> GroupElement { sum([left, right]) }

  package static prefix func - (one: GroupElement) -> GroupElement {
    guard var point = one.point else { return one }
    _ = CurveContext.shared.withPointer { secp256k1_ec_pubkey_negate($0, &point) }  // always succeeds
    return GroupElement(point: point)
  }

  package static func * (scalar: PublicScalar, one: GroupElement) -> GroupElement {
    guard var point = one.point, !scalar.isZero else { return .infinity }
    let status = scalar.bytes.withUnsafeBytes { bytes in
      CurveContext.shared.withPointer { secp256k1_ec_pubkey_tweak_mul($0, &point, bytes.start) }
    }
    return GroupElement(point: status == 1 ? point : nil)
  }
}

extension GroupElement: Equatable {
  package static func == (left: GroupElement, right: GroupElement) -> Bool { left.bytes == right.bytes }
}

extension SecretKey {
  /// Multiplies the generator by this secret number. It takes the same time for all values.
  package borrowing func groupElement() throws(CurveError) -> GroupElement {
    var key = secp256k1_pubkey()
    let status = withBytes { bytes in
      CurveContext.shared.withPointer { secp256k1_ec_pubkey_create($0, &key, bytes.start) }
    }
    guard status == 1 else { throw .secretKeyOutOfRange }
    return GroupElement(point: key)
  }

  /// Multiplies a point by this secret number. It takes the same time for all values.
  /// - Throws: `.notOnCurve` for the point at infinity.
  package borrowing func multiplied(_ one: GroupElement) throws(CurveError) -> GroupElement {
    guard var point = one.point else { throw .notOnCurve }
    var key = secp256k1_pubkey()
    let status = withBytes { bytes in
      withUnsafeTemporaryAllocation(byteCount: 65, alignment: 1) { product in
        defer { wipe(product) }
        product[0] = 4
        return CurveContext.shared.withPointer { context in
          let status = secp256k1_ecdh(
            context, product.start + 1, &point, bytes.start,
            { output, x, y, _ in
              guard let output, let x, let y else { return 0 }
              output.update(from: x, count: 32)
              (output + 32).update(from: y, count: 32)
              return 1
            }, nil)
          return status == 1 ? secp256k1_ec_pubkey_parse(context, &key, product.start, 65) : 0
        }
      }
    }
    guard status == 1 else { throw .notOnCurve }
    return GroupElement(point: key)
  }

  /// Multiplies a point by this secret number, and hashes the compressed product with SHA-256, as libsecp256k1's ECDH does. It takes the same
  /// time for all values.
  /// - Returns: 32 bytes.
  /// - Throws: `.notOnCurve` for the point at infinity.
  package borrowing func sharedHash(with one: GroupElement) throws(CurveError) -> SecretBytes {
    guard var point = one.point else { throw .notOnCurve }
    var status: Int32 = 0
    let hash = try withBytes { (bytes) throws(CurveError) in
      try secretBytes(32) { target in
        status = CurveContext.shared.withPointer { secp256k1_ecdh($0, target.start, &point, bytes.start, nil, nil) }
      }
    }
    guard status == 1 else { throw .notOnCurve }
    return hash
  }

  /// Subtracts this number from the group order. It takes the same time for all values.
  package borrowing func negated() throws(CurveError) -> SecretKey {
    try SecretKey(
      withBytes { (bytes) throws(CurveError) in
        try secretBytes(32) { target in
          target.copyMemory(from: bytes)
          _ = CurveContext.shared.withPointer { secp256k1_ec_seckey_negate($0, target.start) }  // always succeeds
        }
      })
  }

  /// Adds a public number, modulo the group order. It takes the same time for all values.
  /// - Throws: `.tweakOutOfRange` when it is zero.
  package borrowing func adding(_ other: PublicScalar) throws(CurveError) -> SecretKey {
    let tweak = try secretBytes(32) { target in other.bytes.withUnsafeBytes { target.copyMemory(from: $0) } }
    return try tweak.withBytes { (bytes) throws(CurveError) in try adding(tweak: bytes) }
  }

  /// Adds another secret number, modulo the group order. It takes the same time for all values.
  /// - Throws: `.tweakOutOfRange` when it is zero.
  package borrowing func adding(_ other: borrowing SecretKey) throws(CurveError) -> SecretKey {
    try other.withBytes { (bytes) throws(CurveError) in try adding(tweak: bytes) }
  }
}
