import Encodings
import TestSupport
import Testing

@testable import Curve

@Suite("Public numbers and points") struct PublicScalarTests {
  private let last = PublicScalar(bytes32(order(plus: -1)))!

  @Test("Sums and products wrap at the group order, and pass through zero") func wrapping() {
    #expect(last + .one == .zero && .zero + last == last && last + .zero == last)
    #expect(last + last == PublicScalar(bytes32(order(plus: -2))))
    #expect(last * last == .one && last * .zero == .zero && .zero * last == .zero)
    #expect(-PublicScalar.zero == .zero && -PublicScalar.one == last)
    #expect(PublicScalar(bytes32(groupOrder)) == nil)
    #expect(PublicScalar(reducing: bytes32(groupOrder)) == .zero)
    #expect(PublicScalar(reducing: bytes32(order(plus: 1))) == .one)
    #expect(
      PublicScalar(reducing: bytes32([UInt8](repeating: 0xff, count: 32))) == last + PublicScalar(reducing: bytes32(difference)))
  }

  /// 2^256 less the group order.
  private let difference = bytes("000000000000000000000000000000014551231950b75fc4402da1732fc9bebf")

  @Test(
    "A number times its inverse is one",
    arguments: [1, 2, 3, 5, 7, 19, 255, 256, 65_537, 121_645_100_408_832_000, 1 << 62, (1 << 63) - 1])
  func inverses(number: UInt64) {
    #expect(PublicScalar(number) * PublicScalar(inverseOf: number) == .one)
  }

  @Test("Many inverses") func manyInverses() {
    var random = Repeatable(seed: 445)
    for _ in 0..<2_000 {
      let number = (UInt64.random(in: .min ... .max, using: &random) >> UInt64.random(in: 1..<63, using: &random)) | 1
      #expect(PublicScalar(number) * PublicScalar(inverseOf: number) == .one, "\(number)")
    }
  }

  @Test("Infinity is the sum of a point and its opposite, and has 33 zeros") func infinity() {
    let point = PublicScalar(7) * GroupElement.generator
    #expect((point + -point).isInfinity && (point + -point) == .infinity)
    #expect(GroupElement.infinity.bytes == [UInt8](repeating: 0, count: 33))
    #expect(GroupElement(orInfinity: [UInt8](repeating: 0, count: 33))?.isInfinity == true)
    #expect(
      GroupElement([UInt8](repeating: 0, count: 33)) == nil && GroupElement([]) == nil && GroupElement(orInfinity: []) == nil)
    #expect(GroupElement.sum([]).isInfinity && (point + .infinity) == point && (.infinity + point) == point)
    #expect((PublicScalar.zero * point).isInfinity && (last * point) == -point)
    #expect(GroupElement(PublicScalar.zero).isInfinity && GroupElement(PublicScalar(7)) == point)
  }
}
