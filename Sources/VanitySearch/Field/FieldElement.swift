/// A number modulo p = 2^256 - 2^32 - 977, the field of secp256k1 (SEC 2, section 2.4.1).
///
/// Four 64-bit limbs that hold any number below 2^256, so p itself may also represent zero; `reduced` gives the one below p. For
/// public points only: nothing here runs in constant time, and no secret key comes near it.
struct FieldElement {
  /// 2^256 modulo p.
  static let fold: UInt64 = 0x1_0000_03D1

  /// Least significant first.
  var (a, b, c, d): (UInt64, UInt64, UInt64, UInt64)

  static let zero = FieldElement(a: 0, b: 0, c: 0, d: 0)
  static let one = FieldElement(a: 1, b: 0, c: 0, d: 0)

  @inline(__always)
  static func + (left: FieldElement, right: FieldElement) -> FieldElement {
    var sum = Wide(left.a) &+ Wide(right.a)
    let a = sum.low
    sum = Wide(left.b) &+ Wide(right.b) &+ Wide(sum.high)
    let b = sum.low
    sum = Wide(left.c) &+ Wide(right.c) &+ Wide(sum.high)
    let c = sum.low
    sum = Wide(left.d) &+ Wide(right.d) &+ Wide(sum.high)
    return FieldElement(a: a, b: b, c: c, d: sum.low).adding(sum.high &* fold)
  }

  @inline(__always)
  static func - (left: FieldElement, right: FieldElement) -> FieldElement {
    var rest = Wide(left.a) &- Wide(right.a)
    let a = rest.low
    rest = Wide(left.b) &- Wide(right.b) &- Wide(rest.high & 1)
    let b = rest.low
    rest = Wide(left.c) &- Wide(right.c) &- Wide(rest.high & 1)
    let c = rest.low
    rest = Wide(left.d) &- Wide(right.d) &- Wide(rest.high & 1)
    return FieldElement(a: a, b: b, c: c, d: rest.low).subtracting((rest.high & 1) &* fold)
  }

  static prefix func - (value: FieldElement) -> FieldElement { zero - value }

  /// Schoolbook, a row for each limb of the right side; a row's sums fit 128 bits.
  @inline(__always)
  static func * (left: FieldElement, right: FieldElement) -> FieldElement {
    var t = Wide(left.a) &* Wide(right.a)
    let r0 = t.low
    t = Wide(left.b) &* Wide(right.a) &+ Wide(t.high)
    var r1 = t.low
    t = Wide(left.c) &* Wide(right.a) &+ Wide(t.high)
    var r2 = t.low
    t = Wide(left.d) &* Wide(right.a) &+ Wide(t.high)
    var (r3, r4) = (t.low, t.high)

    t = Wide(left.a) &* Wide(right.b) &+ Wide(r1)
    r1 = t.low
    t = Wide(left.b) &* Wide(right.b) &+ Wide(r2) &+ Wide(t.high)
    r2 = t.low
    t = Wide(left.c) &* Wide(right.b) &+ Wide(r3) &+ Wide(t.high)
    r3 = t.low
    t = Wide(left.d) &* Wide(right.b) &+ Wide(r4) &+ Wide(t.high)
    r4 = t.low
    var r5 = t.high

    t = Wide(left.a) &* Wide(right.c) &+ Wide(r2)
    r2 = t.low
    t = Wide(left.b) &* Wide(right.c) &+ Wide(r3) &+ Wide(t.high)
    r3 = t.low
    t = Wide(left.c) &* Wide(right.c) &+ Wide(r4) &+ Wide(t.high)
    r4 = t.low
    t = Wide(left.d) &* Wide(right.c) &+ Wide(r5) &+ Wide(t.high)
    r5 = t.low
    var r6 = t.high

    t = Wide(left.a) &* Wide(right.d) &+ Wide(r3)
    r3 = t.low
    t = Wide(left.b) &* Wide(right.d) &+ Wide(r4) &+ Wide(t.high)
    r4 = t.low
    t = Wide(left.c) &* Wide(right.d) &+ Wide(r5) &+ Wide(t.high)
    r5 = t.low
    t = Wide(left.d) &* Wide(right.d) &+ Wide(r6) &+ Wide(t.high)
    r6 = t.low
    return folded(r0, r1, r2, r3, r4, r5, r6, t.high)
  }

  @inline(__always)
  var squared: FieldElement {
    // The products of different limbs, once; then doubled.
    var t = Wide(a) &* Wide(b)
    var r1 = t.low
    t = Wide(a) &* Wide(c) &+ Wide(t.high)
    var r2 = t.low
    t = Wide(a) &* Wide(d) &+ Wide(t.high)
    var (r3, r4) = (t.low, t.high)
    t = Wide(b) &* Wide(c) &+ Wide(r3)
    r3 = t.low
    t = Wide(b) &* Wide(d) &+ Wide(r4) &+ Wide(t.high)
    r4 = t.low
    t = Wide(c) &* Wide(d) &+ Wide(t.high)
    var (r5, r6) = (t.low, t.high)
    var r7 = r6 &>> 63
    r6 = r6 &<< 1 | r5 &>> 63
    r5 = r5 &<< 1 | r4 &>> 63
    r4 = r4 &<< 1 | r3 &>> 63
    r3 = r3 &<< 1 | r2 &>> 63
    r2 = r2 &<< 1 | r1 &>> 63
    r1 = r1 &<< 1
    // And the squares.
    t = Wide(a) &* Wide(a)
    let r0 = t.low
    t = Wide(r1) &+ Wide(t.high)
    r1 = t.low
    t = Wide(b) &* Wide(b) &+ Wide(r2) &+ Wide(t.high)
    r2 = t.low
    t = Wide(r3) &+ Wide(t.high)
    r3 = t.low
    t = Wide(c) &* Wide(c) &+ Wide(r4) &+ Wide(t.high)
    r4 = t.low
    t = Wide(r5) &+ Wide(t.high)
    r5 = t.low
    t = Wide(d) &* Wide(d) &+ Wide(r6) &+ Wide(t.high)
    r6 = t.low
    r7 = r7 &+ t.high
    return Self.folded(r0, r1, r2, r3, r4, r5, r6, r7)
  }

  /// 512 bits modulo p: what is above 2^256 counts `fold` times.
  @inline(__always)
  private static func folded(
    _ r0: UInt64, _ r1: UInt64, _ r2: UInt64, _ r3: UInt64, _ r4: UInt64, _ r5: UInt64, _ r6: UInt64, _ r7: UInt64
  ) -> FieldElement {
    var t = Wide(r4) &* Wide(fold) &+ Wide(r0)
    let a = t.low
    t = Wide(r5) &* Wide(fold) &+ Wide(r1) &+ Wide(t.high)
    let b = t.low
    t = Wide(r6) &* Wide(fold) &+ Wide(r2) &+ Wide(t.high)
    let c = t.low
    t = Wide(r7) &* Wide(fold) &+ Wide(r3) &+ Wide(t.high)
    let d = t.low
    // The overflow is below 2^34, so its part is below 2^67: after one more wrap the number is too small to wrap again.
    t = Wide(t.high) &* Wide(fold) &+ Wide(a)
    let e = t.low
    t = Wide(b) &+ Wide(t.high)
    let f = t.low
    t = Wide(c) &+ Wide(t.high)
    let g = t.low
    t = Wide(d) &+ Wide(t.high)
    let h = t.low
    t = Wide(e) &+ Wide(t.high &* fold)
    return FieldElement(a: t.low, b: f &+ t.high, c: g, d: h)
  }

  /// Plus a number of at most 34 bits.
  @inline(__always)
  private func adding(_ small: UInt64) -> FieldElement {
    var t = Wide(a) &+ Wide(small)
    let a = t.low
    t = Wide(b) &+ Wide(t.high)
    let b = t.low
    t = Wide(c) &+ Wide(t.high)
    let c = t.low
    t = Wide(d) &+ Wide(t.high)
    // A second wrap leaves next to nothing, which one more fold cannot carry out of its limb.
    return FieldElement(a: a &+ t.high &* Self.fold, b: b, c: c, d: t.low)
  }

  /// Minus a number of at most 34 bits.
  @inline(__always)
  private func subtracting(_ small: UInt64) -> FieldElement {
    var t = Wide(a) &- Wide(small)
    let a = t.low
    t = Wide(b) &- Wide(t.high & 1)
    let b = t.low
    t = Wide(c) &- Wide(t.high & 1)
    let c = t.low
    t = Wide(d) &- Wide(t.high & 1)
    // A second wrap leaves a number just below 2^256.
    return FieldElement(a: a &- (t.high & 1) &* Self.fold, b: b, c: c, d: t.low)
  }
}

/// A product of two limbs, or a sum of some.
private typealias Wide = UInt128

extension UInt128 {
  @inline(__always) fileprivate var low: UInt64 { UInt64(truncatingIfNeeded: self) }
  @inline(__always) fileprivate var high: UInt64 { UInt64(truncatingIfNeeded: self &>> 64) }
  @inline(__always) fileprivate init(_ limb: UInt64) { self.init(truncatingIfNeeded: limb) }
}
