import Foundation

/// The bytes at an address that stays until the test process ends: for keys of tests, which are no secrets.
func raw(_ bytes: [UInt8]) -> UnsafeRawBufferPointer {
  let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, bytes.count), alignment: 8)
  copy.copyBytes(from: bytes)
  return UnsafeRawBufferPointer(rebasing: copy[0..<bytes.count])
}

func raw(_ text: String) -> UnsafeRawBufferPointer { raw(Array(text.utf8)) }
