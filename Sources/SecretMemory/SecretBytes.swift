import CSodium

/// Why secret memory could not be made.
public enum SecretBytesError<Filling: Error>: Error {
  /// No guarded memory is left, or the system has no randomness.
  case outOfMemory
  /// The error of the closure that fills the buffer; the buffer was wiped first.
  case filling(Filling)
}

/// Secret bytes of fixed length: off the Swift heap, in locked pages that no core dump holds, wiped when the owner goes out of scope.
///
/// Locking is the kernel's to grant: beyond `RLIMIT_MEMLOCK` the memory is used unlocked, so that it may be swapped.
/// Cannot be copied, printed or compared by accident. Up to 128 bytes share guarded pages with other small secrets; longer ones
/// have guard pages of their own.
public struct SecretBytes: ~Copyable, @unchecked Sendable {  // Sendable: one owner, written only by `init` and `mutate`
  private let storage: UnsafeMutableRawBufferPointer

  /// - Parameter count: length in bytes, 1 or more.
  /// - Throws: `.outOfMemory`, or `.filling` with the error of `fill`; the buffer is wiped first.
  public init<E: Error>(
    count: Int, filling fill: (UnsafeMutableRawBufferPointer) throws(E) -> Void
  ) throws(SecretBytesError<E>) {
    guard let base = Self.allocate(count) else { throw .outOfMemory }
    let buffer = UnsafeMutableRawBufferPointer(start: base, count: count)
    do { try fill(buffer) } catch {
      Self.release(buffer)  // still a local: a throwing `init` cannot run `deinit` for us
      throw .filling(error)
    }
    storage = buffer
  }

  deinit { Self.release(storage) }

  /// Length in bytes.
  public var count: Int { storage.count }

  /// Lends the bytes for the length of one call. They must not escape `body`.
  public borrowing func withBytes<R: ~Copyable, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
    try body(UnsafeRawBufferPointer(storage))
  }

  /// Lends the bytes for writing, for the length of one call.
  public mutating func mutate<R: ~Copyable, E: Error>(_ body: (UnsafeMutableRawBufferPointer) throws(E) -> R) throws(E) -> R {
    try body(storage)
  }

  private static func allocate(_ count: Int) -> UnsafeMutableRawPointer? {
    guard Sodium.isReady, count > 0 else { return nil }
    guard count > SecretArena.slotSize else { return SecretArena.shared.take() }
    guard let base = sodium_malloc(count) else { return nil }
    sodium_memzero(base, count)
    return base
  }

  private static func release(_ buffer: UnsafeMutableRawBufferPointer) {
    guard let base = buffer.baseAddress else { return }
    guard buffer.count > SecretArena.slotSize else { return SecretArena.shared.giveBack(base) }
    sodium_free(base)  // wipes, then unmaps
  }
}

extension SecretBytes {
  /// A copy of bytes that somebody else owns and wipes.
  public init(copying bytes: UnsafeRawBufferPointer) throws(SecretBytesError<Never>) {
    try self.init(count: bytes.count) { $0.copyMemory(from: bytes) }
  }

  /// Takes the bytes over from an ordinary array and wipes the array's own storage.
  ///
  /// Wipes only this array: copies that were made of it before stay where they are.
  public init(wiping bytes: inout [UInt8]) throws(SecretBytesError<Never>) {
    defer { wipe(&bytes) }
    try self.init(count: bytes.count) { target in bytes.withUnsafeBytes { target.copyMemory(from: $0) } }
  }

  /// Fresh bytes from the system's generator.
  public init(randomCount count: Int) throws(SecretBytesError<Never>) {
    try self.init(count: count) { randombytes_buf($0.baseAddress!, $0.count) }  // a buffer of 1 byte or more has an address
  }

  /// A second, independent secret with the same bytes.
  public borrowing func duplicate() throws(SecretBytesError<Never>) -> SecretBytes {
    try SecretBytes(copying: UnsafeRawBufferPointer(storage))
  }

  /// Equality in constant time for equal lengths. The lengths themselves are not secret.
  public borrowing func equals(_ other: borrowing SecretBytes) -> Bool {
    constantTimeEqual(UnsafeRawBufferPointer(storage), UnsafeRawBufferPointer(other.storage))
  }
}
