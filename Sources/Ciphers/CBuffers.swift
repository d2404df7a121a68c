// C functions want a non-null pointer even for no bytes at all; Swift's empty buffers may have none.

extension UnsafeRawBufferPointer {
  /// The address as C wants it: never null. Not to be read when the buffer is empty.
  var start: UnsafePointer<UInt8> { baseAddress?.assumingMemoryBound(to: UInt8.self) ?? UnsafePointer(EmptyBuffer.byte) }
}

extension UnsafeMutableRawBufferPointer {
  /// The address as C wants it: never null. Not to be written when the buffer is empty.
  var start: UnsafeMutablePointer<UInt8> { baseAddress?.assumingMemoryBound(to: UInt8.self) ?? EmptyBuffer.byte }
}

private enum EmptyBuffer {
  nonisolated(unsafe) static let byte = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)  // never read or written
}

/// An array of up to `count` bytes, cut to the length that `fill` returns.
func filledArray(
  _ count: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(CipherError) -> Int
) throws(CipherError) -> [UInt8] {
  var fault: CipherError?
  let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
    do throws(CipherError) {
      filled = try fill(UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[0..<count]))
    } catch {
      fault = error
    }
  }
  if let fault { throw fault }
  return bytes
}
