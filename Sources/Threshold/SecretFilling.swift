import Curve
import SecretMemory

/// Bytes in guarded memory that a closure fills.
func secretBytes(_ count: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Void) throws(ThresholdError) -> SecretBytes {
  guard let bytes = try? SecretBytes(count: count, filling: { (target) throws(Never) in fill(target) }) else {
    throw .outOfMemory
  }
  return bytes
}

/// A secret number of 32 bytes.
func secretKey(
  _ outOfRange: ThresholdError, _ fill: (UnsafeMutableRawBufferPointer) -> Void
) throws(ThresholdError) -> SecretKey {
  let bytes = try secretBytes(32, fill)
  do throws(CurveError) { return try SecretKey(bytes) } catch { throw error == .outOfMemory ? .outOfMemory : outOfRange }
}
