/// Where backups are stored.
package enum BackupPlace: Sendable, Hashable {
  /// A folder, as an absolute path.
  case folder(String)
  case webDAV(WebAddress)
  case s3(S3Place)

  /// - Parameters:
  ///   - text: `/a/folder`, `https://[user@]host/path` (WebDAV), or `s3://bucket[/prefix]`.
  ///   - endpoint: of an S3-compatible store other than Amazon's, `https://host`.
  ///   - region: of the bucket; `us-east-1` unless given.
  package init(parsing text: String, endpoint: String? = nil, region: String? = nil) throws(PlaceError) {
    if text.hasPrefix("s3://") {
      self = .s3(try S3Place(parsing: text, endpoint: endpoint, region: region))
    } else if text.contains("://") {
      self = .webDAV(try WebAddress(parsing: text))
    } else {
      guard text.utf8.count <= WebAddress.maximumLength else { throw .tooLong(limit: WebAddress.maximumLength) }
      guard text.hasPrefix("/"), !text.utf8.contains(0) else { throw .notAbsolute }
      self = .folder(text.count > 1 && text.hasSuffix("/") ? String(text.dropLast()) : text)
    }
  }

  /// The text to show and log, without user and key.
  package var text: String {
    switch self {
    case .folder(let path): path
    case .webDAV(let address): address.text
    case .s3(let place): place.text
    }
  }
}

/// A bucket of an S3-compatible store, and a prefix in it.
package struct S3Place: Sendable, Hashable {
  package let bucket: String
  /// Empty, or ends with `/`.
  package let prefix: String
  /// The address that requests are sent to.
  package let endpoint: WebAddress
  package let region: String
  /// Whether the bucket is in the path, and not in the host name.
  package let isInPath: Bool

  package init(parsing text: String, endpoint: String?, region: String?) throws(PlaceError) {
    let rest = text.dropFirst(5)
    let slash = rest.firstIndex(of: "/") ?? rest.endIndex
    bucket = String(rest[..<slash])
    let inner = rest[slash...].drop { $0 == "/" }
    prefix = inner.isEmpty || inner.hasSuffix("/") ? String(inner) : inner + "/"
    guard (3...63).contains(bucket.utf8.count), bucket.utf8.allSatisfy(Self.bucketDigits.contains) else { throw .badBucket }
    guard prefix.utf8.count <= 512, !prefix.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }) else { throw .noAddress }
    self.region = region ?? "us-east-1"
    guard (1...64).contains(self.region.utf8.count), self.region.utf8.allSatisfy(Self.regionDigits.contains) else {
      throw .badRegion
    }
    if let endpoint {
      self.endpoint = try WebAddress(parsing: endpoint)
      isInPath = true
    } else {
      // A bucket name with a dot would not match the certificate.
      isInPath = bucket.contains(".")
      let host = "s3.\(self.region).amazonaws.com"
      self.endpoint = try WebAddress(parsing: "https://" + (isInPath ? host : "\(bucket).\(host)"))
    }
    guard self.endpoint.user == nil else { throw .noAddress }
  }

  package var text: String { "s3://\(bucket)/\(prefix)" + " at \(endpoint.origin)" }

  private static let bucketDigits = Set("abcdefghijklmnopqrstuvwxyz0123456789.-".utf8)
  private static let regionDigits = Set("abcdefghijklmnopqrstuvwxyz0123456789-".utf8)
}
