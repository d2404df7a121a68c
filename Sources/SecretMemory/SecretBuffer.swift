/// Secret bytes that are appended piece by piece. Growing leaves no copy; the bytes are wiped when the owner goes out of scope.
public struct SecretBuffer: ~Copyable {
  private var storage: SecretBytes
  /// Bytes that were appended.
  public private(set) var count = 0

  /// - Parameter capacity: the initial capacity in bytes, 1 or more.
  public init(capacity: Int) throws(SecretBytesError<Never>) { storage = try SecretBytes(count: capacity) { _ in } }

  /// Adds the bytes, which somebody else owns and wipes.
  public mutating func append(_ bytes: UnsafeRawBufferPointer) throws(SecretBytesError<Never>) {
    if bytes.count > storage.count - count { try grow(by: bytes.count) }
    let start = count
    storage.mutate { UnsafeMutableRawBufferPointer(rebasing: $0[start...]).copyMemory(from: bytes) }
    count += bytes.count
  }

  /// Lends the appended bytes for the length of one call.
  public borrowing func withBytes<R: ~Copyable, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
    let count = count
    return try storage.withBytes { (all) throws(E) -> R in try body(UnsafeRawBufferPointer(rebasing: all[..<count])) }
  }

  /// The appended bytes as a secret of that length, 1 byte or more.
  public consuming func box() throws(SecretBytesError<Never>) -> SecretBox {
    if count == storage.count { return SecretBox(storage) }
    return SecretBox(try withBytes { (bytes) throws(SecretBytesError<Never>) in try SecretBytes(copying: bytes) })
  }

  private mutating func grow(by more: Int) throws(SecretBytesError<Never>) {
    let larger = try SecretBytes(count: max(storage.count * 2, storage.count + more)) { target in
      storage.withBytes { target.copyMemory(from: $0) }
    }
    storage = larger
  }
}

extension SecretBuffer {
  /// Adds bytes that are no secret.
  public mutating func append(_ bytes: [UInt8]) throws(SecretBytesError<Never>) {
    let copied: Result<Void, SecretBytesError<Never>> = bytes.withUnsafeBytes { buffer in
      Result { () throws(SecretBytesError<Never>) in try append(buffer) }
    }
    try copied.get()
  }

  /// Adds a text that is no secret.
  public mutating func append(_ text: StaticString) throws(SecretBytesError<Never>) {
    try append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Adds another secret.
  public mutating func append(_ secret: SecretBox) throws(SecretBytesError<Never>) {
    let copied: Result<Void, SecretBytesError<Never>> = secret.withBytes { buffer in
      Result { () throws(SecretBytesError<Never>) in try append(buffer) }
    }
    try copied.get()
  }
}
