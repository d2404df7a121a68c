import SecretMemory

/// A point on every polynomial of a secret, one polynomial a byte (SLIP-39, "Shamir's secret sharing").
struct SharePoint {
  /// Where: a share's index, `secretIndex` or `digestIndex`. Not secret.
  let x: UInt8
  let value: SecretBox
}

/// Lagrange interpolation over GF(256).
enum Interpolation {
  /// - Parameter points: at different places, all of `length` bytes, at least one.
  /// - Returns: what the polynomials of the lowest degree through them are at `x`.
  static func value(at x: UInt8, of points: [SharePoint], length: Int) throws(ShareError) -> SecretBytes {
    try shareBytes(length) { target in
      for point in points {
        let weight = weight(of: point.x, at: x, among: points)
        point.value.withBytes { value in
          for index in 0..<length { target[index] ^= GF256.product(value[index], weight) }
        }
      }
    }
  }

  /// The base polynomial of one point. Only places go in, which are no secret.
  private static func weight(of own: UInt8, at x: UInt8, among points: [SharePoint]) -> UInt8 {
    var (above, below) = (UInt8(1), UInt8(1))
    for other in points where other.x != own {
      above = GF256.product(above, x ^ other.x)
      below = GF256.product(below, own ^ other.x)
    }
    return GF256.product(above, GF256.inverse(below))
  }
}
