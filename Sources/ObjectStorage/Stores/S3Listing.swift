/// One page of a bucket's listing (ListObjectsV2).
package struct S3Listing: Equatable {
  /// The longest token that is sent back, in bytes.
  static let maximumToken = 2048

  package let files: [StoredFile]
  /// The token of the next page; nil on the last.
  package let next: String?

  /// - Parameter prefix: only names under it are listed, without those in deeper folders.
  package init(_ answer: [UInt8], prefix: String) throws(ObjectStorageError) {
    let root: XMLElement
    do { root = try XMLElement(parsing: answer) } catch { throw .answerMalformed }
    guard root.name == "ListBucketResult" else { throw .answerMalformed }
    files = root.all("Contents").compactMap { entry in
      guard let key = entry["Key"]?.string, key.hasPrefix(prefix) else { return nil }
      let name = String(key.dropFirst(prefix.count))
      guard FileName.isAllowed(name) else { return nil }
      return StoredFile(name: name, size: entry["Size"]?.string.flatMap { UInt64($0) })
    }
    let token = root["IsTruncated"]?.string == "true" ? root["NextContinuationToken"]?.string : nil
    guard token?.utf8.count ?? 0 <= Self.maximumToken else { throw .answerMalformed }
    next = token
  }

  /// The store's error code; empty if it gave no valid one.
  package static func errorCode(_ answer: [UInt8]) -> String {
    guard let root = try? XMLElement(parsing: answer), root.name == "Error", let code = root["Code"]?.string,
      (1...64).contains(code.utf8.count),
      code.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) || (0x61...0x7a).contains($0) })
    else { return "" }
    return code
  }
}
