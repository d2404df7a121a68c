import Curve
import SecretMemory

/// Walks along the keys `start`, `start + 1`, … in batches, and shows the x coordinate of each and of its two images under the
/// endomorphism. Only public points are calculated with; `start` is used when a key was found.
///
/// A batch is a centre C and its neighbours C ± iG. Adding two points takes a division by the difference of their x, and all
/// divisions of a batch are made with one inversion (Montgomery 1987); C + iG and C - iG share theirs. Of a neighbour only x is
/// calculated: an x-only key is the same for a point and its negative. Six keys cost seven multiplications and two squarings.
struct Walk: ~Copyable {
  /// A key that was seen: so far from the start, times λ to that power.
  struct Place: Equatable {
    var offset: UInt64
    var power: UInt8
  }

  private let multiples: Multiples
  private let start: SecretKey
  private var centre: Point
  /// How far the first key of the next batch is from the start.
  private var offset: UInt64 = 0
  /// The products of the differences up to each.
  private let products: UnsafeMutablePointer<FieldElement>

  /// - Throws: `.outOfMemory`; `.tweakOutOfRange` when the first centre is infinity, which happens for one start in 2^256.
  init(from start: consuming SecretKey, by multiples: Multiples) throws(CurveError) {
    centre = try Point(of: Self.key(start, plus: UInt64(multiples.reach)))
    self.start = start
    self.multiples = multiples
    products = .allocate(capacity: multiples.count)
  }

  deinit { products.deallocate() }

  /// Keys that one batch shows.
  var keysPerBatch: Int { 3 * multiples.stride }

  /// Shows the next batch, in any order.
  /// - Throws: as `init`, for the next centre.
  mutating func batch(_ show: (FieldElement, Place) -> Void) throws(CurveError) {
    defer { offset &+= UInt64(multiples.stride) }
    guard let inverse = inverseOfAllDifferences() else { return try slowBatch(show) }
    let middle = offset &+ UInt64(multiples.reach)
    Self.showImages(centre.x, middle, show)
    // The stride stands last, so it comes first on the way back.
    var rest = inverse
    let next = sum(centre, multiples.points[multiples.reach], takeInverse(multiples.reach, &rest))
    let (x, y) = (centre.x, centre.y)
    for index in stride(from: multiples.reach - 1, through: 0, by: -1) {
      let step = multiples.points[index]
      let inverse = takeInverse(index, &rest)
      let both = x + step.x
      Self.showImages(((step.y - y) * inverse).squared - both, middle &+ UInt64(index + 1), show)
      Self.showImages(((step.y + y) * inverse).squared - both, middle &- UInt64(index + 1), show)
    }
    centre = next
  }

  /// The key at a place, made and checked by libsecp256k1.
  func key(at place: Place) throws(CurveError) -> SecretKey {
    var key = try Self.key(start, plus: place.offset)
    for _ in 0..<place.power { key = try key.multiplied(by: Endomorphism.lambda) }
    return key
  }

  /// - Returns: nil when a difference is zero: the centre is one of the multiples or its negative. Then there is no slope to divide.
  private func inverseOfAllDifferences() -> FieldElement? {
    var product = FieldElement.one
    for index in 0..<multiples.count {
      product = product * (multiples.points[index].x - centre.x)
      products[index] = product
    }
    return product.isZero ? nil : product.inverse
  }

  /// - Parameter rest: the inverse of the product of all differences up to this one; afterwards, up to the one before.
  @inline(__always)
  private func takeInverse(_ index: Int, _ rest: inout FieldElement) -> FieldElement {
    defer { rest = rest * (multiples.points[index].x - centre.x) }
    return index == 0 ? rest : rest * products[index - 1]
  }

  private func sum(_ left: Point, _ right: Point, _ inverse: FieldElement) -> Point {
    let slope = (right.y - left.y) * inverse
    var sum = left
    sum.x = slope.squared - left.x - right.x
    sum.y = slope * (left.x - sum.x) - left.y
    return sum
  }

  @inline(__always)
  private static func showImages(_ x: FieldElement, _ offset: UInt64, _ show: (FieldElement, Place) -> Void) {
    let image = x * Endomorphism.beta
    show(x, Place(offset: offset, power: 0))
    show(image, Place(offset: offset, power: 1))
    show(-(x + image), Place(offset: offset, power: 2))  // 1 + β + β² = 0
  }

  /// A batch with a sum that has no slope, one key after the other through libsecp256k1, which knows all cases.
  private mutating func slowBatch(_ show: (FieldElement, Place) -> Void) throws(CurveError) {
    for index in 0..<UInt64(multiples.stride) {
      // A sum that is infinity is no key: left out.
      do throws(CurveError) {
        Self.showImages(try Point(of: Self.key(start, plus: offset &+ index)).x, offset &+ index, show)
      } catch {
        guard error == .tweakOutOfRange else { throw error }
      }
    }
    centre = try Point(of: Self.key(start, plus: offset &+ UInt64(multiples.stride + multiples.reach)))
  }

  private static func key(_ start: borrowing SecretKey, plus offset: UInt64) throws(CurveError) -> SecretKey {
    try Multiples.offset(offset).withBytes { (tweak) throws(CurveError) in try start.adding(tweak: tweak) }
  }
}
