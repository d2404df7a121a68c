import OwnerAPI

extension Operations {
  /// A number of a request that counts something: an account, words, an id.
  /// - Throws: for one below zero.
  static func natural(_ value: Int64?, _ name: String) throws(FieldError) -> Int64? {
    guard (value ?? 0) >= 0 else { throw .notInteger(name) }
    return value
  }
}
