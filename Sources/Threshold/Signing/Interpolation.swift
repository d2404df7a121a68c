import Curve

/// Lagrange's coefficients for the point zero (BIP-445, section "Signers Context"). The member with identifier `i` has the share of the point
/// `i + 1`.
enum Interpolation {
  /// The coefficient of each identifier, in their order.
  /// - Parameter identifiers: all different.
  static func coefficients(_ identifiers: [UInt32]) -> [PublicScalar] {
    identifiers.map { own in
      var (above, below, isNegative) = (Product(), Product(), false)
      for other in identifiers where other != own {
        above.multiply(by: UInt64(other) + 1)
        below.multiply(by: other > own ? UInt64(other - own) : UInt64(own - other))
        if other < own { isNegative.toggle() }
      }
      let coefficient = above.value * below.inverse
      return isNegative ? -coefficient : coefficient
    }
  }

  /// A product of small numbers, in as few numbers of 63 bits as hold it.
  private struct Product {
    private var factors: [UInt64] = [1]

    mutating func multiply(by factor: UInt64) {
      let (product, isOver) = factors[factors.count - 1].multipliedReportingOverflow(by: factor)
      if isOver || product >> 63 != 0 { factors.append(factor) } else { factors[factors.count - 1] = product }
    }

    var value: PublicScalar { factors.map { PublicScalar($0) }.reduce(.one, *) }
    var inverse: PublicScalar { factors.map { PublicScalar(inverseOf: $0) }.reduce(.one, *) }
  }
}
