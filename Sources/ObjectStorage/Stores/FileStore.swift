/// A place that stores files by name: a folder, a WebDAV collection, or a bucket.
package protocol FileStore: Sendable {
  /// The files there, in no order. Folders, and names that `FileName.isAllowed` refuses, are left out.
  func list(_ control: TransferControl) throws(ObjectStorageError) -> [StoredFile]

  /// Stores a file completely or not at all.
  /// - Throws: `.exists` if there is a file of that name, as far as the place can tell.
  func put(_ path: String, as name: String, _ control: TransferControl) throws(ObjectStorageError)

  /// Stores a small file completely or not at all, and replaces the file of that name.
  func replace(_ name: String, with bytes: [UInt8], _ control: TransferControl) throws(ObjectStorageError)

  /// Passes a file's bytes to `sink`, in order. False from it ends the transfer.
  /// - Throws: `.notFound`.
  func get(
    _ name: String, _ control: TransferControl, _ sink: @escaping (UnsafeRawBufferPointer) -> Bool) throws(ObjectStorageError)

  /// Removes a file. A missing file is not an error.
  func delete(_ name: String, _ control: TransferControl) throws(ObjectStorageError)
}

/// A file at a place.
package struct StoredFile: Sendable, Hashable {
  package let name: String
  /// In bytes; nil if the place does not report it.
  package let size: UInt64?

  package init(name: String, size: UInt64?) { (self.name, self.size) = (name, size) }
}

/// Names that mean the same in a folder, in a URL and in an S3 key.
package enum FileName {
  package static let maximumLength = 128
  private static let digits = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-".utf8)

  /// 1 to 128 letters, digits, `.`, `_` and `-`, beginning with a letter or digit.
  package static func isAllowed(_ name: String) -> Bool {
    guard (1...maximumLength).contains(name.utf8.count), name.utf8.allSatisfy(digits.contains) else { return false }
    return name.utf8.first.map { $0 != 0x2e && $0 != 0x5f && $0 != 0x2d } ?? false
  }

  /// The name of a file that is not complete yet.
  static func part(of name: String) -> String { name + ".part" }
}
