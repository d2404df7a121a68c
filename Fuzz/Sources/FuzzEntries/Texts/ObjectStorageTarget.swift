import ObjectStorage

extension FuzzTarget {
  /// What a WebDAV server or an S3 store answers, and addresses of such places: a name that is listed means a file right there and
  /// nothing else.
  static let transfers = FuzzTarget("transfers") { (bytes) throws(FuzzFault) in
    let input = Array(bytes)
    _ = try? XMLElement(parsing: input)
    let listings = [
      try? WebDAVListing.files(in: input, of: "/dav/"), (try? S3Listing(input, prefix: "p/"))?.files,
    ]
    for file in listings.compactMap({ $0 }).joined() {
      try require(FileName.isAllowed(file.name) && !file.name.contains("/"), "a listed name is a plain one")
    }
    let code = S3Listing.errorCode(input)
    try require(code.utf8.count <= 64 && code.utf8.allSatisfy { $0 > 0x2f && $0 < 0x7b }, "an error's code is a word")
    guard let text = String(validating: input, as: UTF8.self) else { return }
    if let address = try? WebAddress(parsing: text) {
      try require(address.text.utf8.allSatisfy { (0x21...0x7e).contains($0) }, "an address is printable")
      let again = try unfailing("an address is read again") { () throws(PlaceError) in try WebAddress(parsing: address.text) }
      try require(again.text == address.text && again.host == address.host, "an address stays what it is")
    }
    for place in [try? BackupPlace(parsing: text), try? BackupPlace(parsing: "s3://" + text)].compactMap({ $0 }) {
      try require(!place.text.utf8.contains(0), "a place has a name")
    }
  }
}
