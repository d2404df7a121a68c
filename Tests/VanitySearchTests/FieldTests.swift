import Curve
import Encodings
import SecretMemory
import TestSupport
import Testing

@testable import VanitySearch

/// Field arithmetic against long-hand arithmetic over bits, which is too slow to be wrong in the same way.
struct FieldTests {
  static let p = Plain(hex: "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f")
  /// Where carries run, and what stands for zero.
  static let edges = [
    "00", "01", "02", "1000003d1", "1000003d0", "ffffffffffffffff", "10000000000000000",
    "7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "8000000000000000000000000000000000000000000000000000000000000000",
    "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2e",
    "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f",
    "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc30",
    "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "ffffffffffffffff0000000000000000ffffffffffffffff0000000000000000",
    "00000000000000000000000000000000fffffffffffffffffffffffffffffffe",
  ].map { Plain(hex: $0) }

  static func pairs(_ test: String = #function) -> [(Plain, Plain)] {
    var random = Repeatable.announced(test)
    let near = (0..<200).map { _ in Plain((0..<4).map { _ in random.next() % 5 == 0 ? .max : random.next() }) }
    var pairs = edges.flatMap { left in edges.map { (left, $0) } }
    for (index, number) in near.enumerated() { pairs.append((number, near[(index * 7 + 3) % near.count])) }
    return pairs
  }

  @Test("Sums, differences and products match a calculation by hand") func sumsDifferencesAndProductsAreThoseOfLongHand() {
    for (left, right) in Self.pairs() {
      let (a, b) = (left.element, right.element)
      #expect((a + b).bytes == left.plus(right).modulo(Self.p).bytes, "\(left) + \(right)")
      #expect((a - b).bytes == left.plus(Self.p.plus(Self.p)).minus(right).modulo(Self.p).bytes, "\(left) - \(right)")
      #expect((a * b).bytes == left.times(right).modulo(Self.p).bytes, "\(left) * \(right)")
    }
  }

  @Test("A square is the product of a number with itself") func aSquareIsTheProductWithItself() {
    for (number, _) in Self.pairs() {
      #expect(number.element.squared.bytes == (number.element * number.element).bytes, "\(number)")
    }
  }

  @Test("A number times its inverse is one") func aNumberTimesItsInverseIsOne() {
    for (number, _) in Self.pairs().suffix(40) where !number.element.isZero {
      #expect(number.element * number.element.inverse == .one, "\(number)")
    }
    #expect(FieldElement.zero.inverse.isZero)
  }

  @Test("The modulus equals zero") func theModulusIsZero() {
    #expect(Self.p.element.isZero && Self.p.element == .zero)
    #expect(Self.p.element.bytes == Bytes32())
    #expect((-FieldElement.zero).isZero)
    #expect(!FieldElement.one.isZero)
  }

  @Test("Field elements read back as they were written") func bytesComeBack() throws {
    var random = Repeatable.announced()
    for _ in 0..<100 {
      let number = Plain([random.next() >> 1, random.next(), random.next(), random.next() >> 1])
      #expect(number.element.bytes == number.bytes)
    }
  }

  @Test("The endomorphism multiplies a point by lambda") func theEndomorphismMultipliesByLambda() throws {
    for number: UInt64 in [1, 2, 3, 0xFFFF_FFFF, 77_777] {
      let key = try SecretKey(Multiples.offset(number))
      let point = try Point(of: key)
      let image = try Point(of: key.multiplied(by: Endomorphism.lambda))
      #expect(point.x * Endomorphism.beta == image.x && point.y == image.y)
    }
  }
}

/// A whole number as 32-bit digits, the least first; every operation by hand.
struct Plain: CustomStringConvertible {
  var digits: [UInt32]

  /// - Parameter limbs: the least significant first.
  init(_ limbs: [UInt64]) { digits = limbs.flatMap { [UInt32(truncatingIfNeeded: $0), UInt32($0 >> 32)] } }

  init(hex: String) {
    digits = []
    var rest = Substring(hex)
    while !rest.isEmpty {
      digits.append(UInt32(rest.suffix(8), radix: 16) ?? 0)
      rest = rest.dropLast(min(8, rest.count))
    }
  }

  func digit(_ index: Int) -> UInt64 { index < digits.count ? UInt64(digits[index]) : 0 }

  func plus(_ other: Plain) -> Plain {
    var (sum, carry) = (Plain([]), UInt64(0))
    for index in 0...max(digits.count, other.digits.count) {
      let part = digit(index) + other.digit(index) + carry
      sum.digits.append(UInt32(truncatingIfNeeded: part))
      carry = part >> 32
    }
    return sum
  }

  /// For a number that is not larger.
  func minus(_ other: Plain) -> Plain {
    var (rest, borrow) = (Plain([]), Int64(0))
    for index in 0..<max(digits.count, other.digits.count) {
      let part = Int64(digit(index)) - Int64(other.digit(index)) - borrow
      rest.digits.append(UInt32(truncatingIfNeeded: part))
      borrow = part < 0 ? 1 : 0
    }
    return rest
  }

  func times(_ other: Plain) -> Plain {
    var product = Plain([])
    product.digits = Array(repeating: 0, count: digits.count + other.digits.count + 1)
    for (index, left) in digits.enumerated() {
      var carry: UInt64 = 0
      for place in 0...other.digits.count {
        let part = UInt64(left) * other.digit(place) + UInt64(product.digits[index + place]) + carry
        product.digits[index + place] = UInt32(truncatingIfNeeded: part)
        carry = part >> 32
      }
    }
    return product
  }

  func isLess(than other: Plain) -> Bool {
    for index in stride(from: max(digits.count, other.digits.count) - 1, through: 0, by: -1)
    where digit(index) != other.digit(index) { return digit(index) < other.digit(index) }
    return false
  }

  /// Bit by bit.
  func modulo(_ modulus: Plain) -> Plain {
    var rest = Plain([])
    for index in stride(from: digits.count - 1, through: 0, by: -1) {
      for bit in stride(from: 31, through: 0, by: -1) {
        rest = rest.plus(rest).plus(Plain([UInt64(digits[index] >> UInt32(bit) & 1)]))
        if !rest.isLess(than: modulus) { rest = rest.minus(modulus) }
        while rest.digits.last == 0 { rest.digits.removeLast() }
      }
    }
    return rest
  }

  var bytes: Bytes32 {
    Bytes32((0..<32).map { UInt8(truncatingIfNeeded: digit((31 - $0) / 4) >> UInt64((31 - $0) % 4 * 8)) }) ?? Bytes32()
  }
  var element: FieldElement { FieldElement(bytes) }
  var description: String { bytes.hex }
}
