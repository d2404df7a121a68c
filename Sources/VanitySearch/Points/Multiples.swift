import Curve
import SecretMemory

/// The generator G times 1, 2, … `reach`, and times `stride`: what is added to a centre to get its neighbours and the next centre.
final class Multiples: @unchecked Sendable {  // Sendable: `points` is written by `init` only, before anybody else has it
  /// How many points a batch covers on either side of its centre.
  let reach: Int
  /// From one centre to the next: the points of a batch, its centre included.
  var stride: Int { 2 * reach + 1 }
  /// `reach` points, and the one of the stride.
  let points: UnsafeMutablePointer<Point>
  var count: Int { reach + 1 }

  /// Takes 30 µs for each point: libsecp256k1 makes them.
  /// - Parameter reach: 1 or more.
  init(reach: Int) throws(CurveError) {
    self.reach = reach
    points = .allocate(capacity: reach + 1)
    do throws(CurveError) {
      for index in 0..<reach { (points + index).initialize(to: try Point(of: Self.key(index + 1))) }
      (points + reach).initialize(to: try Point(of: Self.key(2 * reach + 1)))
    } catch {
      points.deallocate()  // a throwing `init` cannot run `deinit` for us
      throw error
    }
  }

  deinit { points.deallocate() }

  private static func key(_ number: Int) throws(CurveError) -> SecretKey { try SecretKey(offset(UInt64(number))) }

  /// A number as 32 bytes, big-endian.
  static func offset(_ number: UInt64) throws(CurveError) -> SecretBytes {
    do throws(SecretBytesError<Never>) {
      return try SecretBytes(count: 32) { target in
        target.initializeMemory(as: UInt8.self, repeating: 0)
        target.storeBytes(of: number.bigEndian, toByteOffset: 24, as: UInt64.self)
      }
    } catch { throw .outOfMemory }
  }
}
