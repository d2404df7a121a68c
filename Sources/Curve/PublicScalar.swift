import CSecp256k1
package import Encodings

/// A number modulo the group order that everybody may know: a challenge, a coefficient, a partial signature.
///
/// The time that an operation takes depends on the numbers. Secret numbers are `SecretKey`.
package struct PublicScalar: Sendable, Hashable {
  /// Below the group order, big-endian.
  package let bytes: Bytes32

  private init(reduced bytes: Bytes32) { self.bytes = bytes }

  /// - Returns: nil for a number that is not below the group order.
  package init?(_ bytes: Bytes32) {
    guard bytes < Self.order else { return nil }
    self.bytes = bytes
  }

  /// The remainder after division by the group order.
  package init(reducing bytes: Bytes32) {
    // Any number of 32 bytes is below twice the order.
    self.bytes = bytes < Self.order ? bytes : Self.difference(bytes, Self.order)
  }

  package init(_ number: UInt64) {
    bytes = Bytes32 { target in
      withUnsafeBytes(of: number.bigEndian) { UnsafeMutableRawBufferPointer(rebasing: target[24...]).copyMemory(from: $0) }
    }
  }

  package static let zero = PublicScalar(0)
  package static let one = PublicScalar(1)

  package var isZero: Bool { self == .zero }

  package static func + (left: PublicScalar, right: PublicScalar) -> PublicScalar {
    guard !left.isZero else { return right }
    // It fails when the sum is zero.
    return left.changed(by: right) { secp256k1_ec_seckey_tweak_add($0, $1, $2) } ?? .zero
  }

  package static func * (left: PublicScalar, right: PublicScalar) -> PublicScalar {
    guard !left.isZero, !right.isZero else { return .zero }
    return left.changed(by: right) { secp256k1_ec_seckey_tweak_mul($0, $1, $2) } ?? .zero
  }

  package static prefix func - (one: PublicScalar) -> PublicScalar {
    one.isZero ? .zero : PublicScalar(reduced: difference(order, one.bytes))
  }

  private func changed(
    by other: PublicScalar, _ change: (OpaquePointer, UnsafeMutablePointer<UInt8>, UnsafePointer<UInt8>) -> Int32
  ) -> PublicScalar? {
    var result = bytes
    let status = result.withUnsafeMutableBytes { target in
      other.bytes.withUnsafeBytes { other in CurveContext.shared.withPointer { change($0, target.start, other.start) } }
    }
    return status == 1 ? PublicScalar(reduced: result) : nil
  }

  // MARK: whole numbers

  /// The order of the group (SEC 2, section 2.4.1).
  package static let order = Bytes32([
    0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE,
    0xBA, 0xAE, 0xDC, 0xE6, 0xAF, 0x48, 0xA0, 0x3B, 0xBF, 0xD2, 0x5E, 0x8C, 0xD0, 0x36, 0x41, 0x41,
  ])!  // 32 bytes

  /// The number that gives one when multiplied with `number`.
  /// - Parameter number: not zero. Small, so that a division of `order * k + 1` by it is all that is needed.
  package init(inverseOf number: UInt64) {
    precondition(number != 0)  // our own bug: distinct identifiers differ
    let limbs = Self.limbs(Self.order)
    // order * k + 1 is divisible by the number for this k, and the quotient is below the order.
    let remainder = Self.quotient([0] + limbs, by: number).remainder
    let k = remainder == 0 ? 0 : Self.inverse(of: number - remainder % number, modulo: number)
    var (product, carry): ([UInt64], UInt64) = ([], 1)
    for limb in limbs.reversed() {
      let (high, low) = limb.multipliedFullWidth(by: k)
      let (sum, isOver) = low.addingReportingOverflow(carry)
      product.append(sum)
      carry = high + (isOver ? 1 : 0)
    }
    bytes = Self.bytes(Self.quotient([carry] + product.reversed(), by: number).quotient.suffix(4))
  }

  /// Division of a number whose highest limb comes first.
  private static func quotient(_ number: [UInt64], by divisor: UInt64) -> (quotient: [UInt64], remainder: UInt64) {
    var remainder: UInt64 = 0
    let quotient = number.map { limb in
      let (quotient, rest) = divisor.dividingFullWidth((remainder, limb))
      remainder = rest
      return quotient
    }
    return (quotient, remainder)
  }

  /// The inverse modulo a small number, by Euclid's extended algorithm.
  /// - Parameter number: has no divisor in common with `modulus`, and is below 2^63, as that is.
  private static func inverse(of number: UInt64, modulo modulus: UInt64) -> UInt64 {
    guard modulus > 1 else { return 0 }
    var (rest, next) = (Int64(modulus), Int64(number % modulus))
    var (factor, nextFactor): (Int64, Int64) = (0, 1)
    while next != 0 {
      let times = rest / next
      (rest, next) = (next, rest - times * next)
      (factor, nextFactor) = (nextFactor, factor - times * nextFactor)
    }
    return UInt64(factor < 0 ? factor + Int64(modulus) : factor)
  }

  private static func difference(_ left: Bytes32, _ right: Bytes32) -> Bytes32 {
    var (result, borrows) = ([UInt64](repeating: 0, count: 4), false)
    let (left, right) = (limbs(left), limbs(right))
    for place in (0..<4).reversed() {
      let (first, isUnder) = left[place].subtractingReportingOverflow(right[place])
      let (second, isUnderAgain) = first.subtractingReportingOverflow(borrows ? 1 : 0)
      (result[place], borrows) = (second, isUnder || isUnderAgain)
    }
    return bytes(result[...])
  }

  /// Four numbers, the highest first.
  private static func limbs(_ bytes: Bytes32) -> [UInt64] {
    bytes.withUnsafeBytes { bytes in
      (0..<4).map { UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self)) }
    }
  }

  private static func bytes(_ limbs: ArraySlice<UInt64>) -> Bytes32 {
    Bytes32 { target in
      for (place, limb) in limbs.enumerated() { target.storeBytes(of: limb.bigEndian, toByteOffset: 8 * place, as: UInt64.self) }
    }
  }
}
