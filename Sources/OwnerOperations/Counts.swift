import OwnerAPI

extension Int64? {
  /// The number of a request that counts something or is a time.
  /// - Throws: for one below zero.
  func natural(_ name: String) throws(FieldError) -> Int64? {
    guard (self ?? 0) >= 0 else { throw .notInteger(name) }
    return self
  }
}
