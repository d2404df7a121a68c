/// A place that keeps files by name: a folder, a WebDAV collection, a bucket.
package protocol FileStore: Sendable {
  /// The files there, in no order. Names that `FileName.isAllowed` refuses are left out, folders too.
  func list(_ control: TransferControl) throws(ObjectStorageError) -> [StoredFile]

  /// Brings a file there, whole or not at all.
  /// - Throws: `.exists` where there is one of that name, as far as the place can tell.
  func put(_ path: String, as name: String, _ control: TransferControl) throws(ObjectStorageError)

  /// Brings a small file there in the place of the one of that name, whole or not at all.
  func replace(_ name: String, with bytes: [UInt8], _ control: TransferControl) throws(ObjectStorageError)

  /// Hands a file's bytes to `sink`, in order; false from it ends the transfer.
  /// - Throws: `.notFound`.
  func get(
    _ name: String, _ control: TransferControl, _ sink: @escaping (UnsafeRawBufferPointer) -> Bool) throws(ObjectStorageError)

  /// Removes a file. One that is not there is no error.
  func delete(_ name: String, _ control: TransferControl) throws(ObjectStorageError)
}

/// A file at a place.
package struct StoredFile: Sendable, Hashable {
  package let name: String
  /// In bytes; nil where the place does not say.
  package let size: UInt64?

  package init(name: String, size: UInt64?) { (self.name, self.size) = (name, size) }
}

/// Names that mean the same everywhere: in a folder, an address and an S3 key.
package enum FileName {
  package static let maximumLength = 128
  private static let digits = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-".utf8)

  /// 1 to 128 letters, digits, `.`, `_` and `-`; none in front but letters and digits.
  package static func isAllowed(_ name: String) -> Bool {
    guard (1...maximumLength).contains(name.utf8.count), name.utf8.allSatisfy(digits.contains) else { return false }
    return name.utf8.first.map { $0 != 0x2e && $0 != 0x5f && $0 != 0x2d } ?? false
  }

  /// Of a file that is not whole yet.
  static func part(of name: String) -> String { name + ".part" }
}
