/// The field with 256 elements of SLIP-39 (and AES): polynomials modulo x⁸ + x⁴ + x³ + x + 1. Adding is `^`.
///
/// No table, no branch and no address depends on an operand, so that shares leave no trace in caches or times.
enum GF256 {
  /// Eight steps whatever the operands are.
  @inline(__always)
  static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
    var (factor, sum) = (a, UInt8(0))
    for bit in UInt8(0)..<8 {
      sum ^= factor & (0 &- (b >> bit & 1))
      factor = factor << 1 ^ 0x1b & (0 &- (factor >> 7))
    }
    return sum
  }

  /// a²⁵⁴, which is 1/a; 0 for 0.
  static func inverse(_ a: UInt8) -> UInt8 {
    var (power, result) = (a, UInt8(1))
    for _ in 0..<7 {
      power = product(power, power)
      result = product(result, power)
    }
    return result
  }
}
