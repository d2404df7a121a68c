import CSodium

/// Overwrites the bytes with zeros; the compiler may not leave it out.
public func wipe(_ buffer: UnsafeMutableRawBufferPointer) {
  guard let base = buffer.baseAddress else { return }
  sodium_memzero(base, buffer.count)
}

/// Overwrites an array's own storage with zeros and empties it. Copies made before are not reached.
public func wipe(_ bytes: inout [UInt8]) {
  bytes.withUnsafeMutableBytes { wipe($0) }
  bytes = []
}

/// Whether two runs of bytes are equal, in a time that depends only on their length. Runs of different length are unequal.
public func constantTimeEqual(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
  guard a.count == b.count else { return false }
  guard let first = a.baseAddress, let second = b.baseAddress else { return true }
  return sodium_memcmp(first, second, a.count) == 0
}
