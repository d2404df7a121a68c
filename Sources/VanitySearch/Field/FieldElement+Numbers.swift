import Encodings

extension FieldElement {
  /// The one number below p that is meant.
  var reduced: FieldElement {
    // p = 2^256 - fold: a number below 2^256 is at least p exactly if adding the fold overflows.
    var limbs = [a, b, c, d]
    var carry = Self.fold
    for index in limbs.indices {
      let (sum, overflow) = limbs[index].addingReportingOverflow(carry)
      (limbs[index], carry) = (sum, overflow ? 1 : 0)
    }
    return carry == 1 ? FieldElement(a: limbs[0], b: limbs[1], c: limbs[2], d: limbs[3]) : self
  }

  var isZero: Bool {
    let number = reduced
    return number.a | number.b | number.c | number.d == 0
  }

  /// This number to the power p - 2, which is 1 divided by it (Fermat); zero for zero. 255 squarings and 15 multiplications.
  var inverse: FieldElement {
    // The exponent in binary: 223 ones, 0, 22 ones, 0000, 1, 0, 11, 0, 1. `ones[n]` is this number to the power 2^n - 1.
    let ones2 = squared * self
    let ones3 = ones2.squared * self
    let ones6 = ones3.squared(times: 3) * ones3
    let ones9 = ones6.squared(times: 3) * ones3
    let ones11 = ones9.squared(times: 2) * ones2
    let ones22 = ones11.squared(times: 11) * ones11
    let ones44 = ones22.squared(times: 22) * ones22
    let ones88 = ones44.squared(times: 44) * ones44
    let ones176 = ones88.squared(times: 88) * ones88
    let ones220 = ones176.squared(times: 44) * ones44
    let ones223 = ones220.squared(times: 3) * ones3
    let upper = ones223.squared(times: 23) * ones22
    return ((upper.squared(times: 5) * self).squared(times: 3) * ones2).squared(times: 2) * self
  }

  private func squared(times count: Int) -> FieldElement {
    var result = self
    for _ in 0..<count { result = result.squared }
    return result
  }
}

extension FieldElement: Equatable {
  static func == (left: FieldElement, right: FieldElement) -> Bool {
    let (left, right) = (left.reduced, right.reduced)
    return left.a == right.a && left.b == right.b && left.c == right.c && left.d == right.d
  }
}

extension FieldElement {
  /// 32 bytes, big-endian. Numbers from p to 2^256 are taken modulo p.
  init(_ bytes: Bytes32) {
    let limbs = bytes.withUnsafeBytes { bytes in
      (0..<4).map { UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self)) }
    }
    self.init(a: limbs[3], b: limbs[2], c: limbs[1], d: limbs[0])
  }

  /// The reduced number, 32 bytes, big-endian.
  var bytes: Bytes32 {
    let number = reduced
    return Bytes32 { target in
      for (index, limb) in [number.d, number.c, number.b, number.a].enumerated() {
        target.storeBytes(of: limb.bigEndian, toByteOffset: 8 * index, as: UInt64.self)
      }
    }
  }
}
