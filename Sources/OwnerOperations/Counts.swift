import OwnerAPI

extension Int64? {
  /// A number of a request that is a count or a time.
  /// - Throws: for a number below zero.
  func natural(_ name: String) throws(FieldError) -> Int64? {
    guard (self ?? 0) >= 0 else { throw .notInteger(name) }
    return self
  }
}
