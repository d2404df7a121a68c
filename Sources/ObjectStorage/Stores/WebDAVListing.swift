/// The response to PROPFIND, RFC 4918 section 14.16.
package enum WebDAVListing {
  static let question = """
    <?xml version="1.0" encoding="utf-8"?><propfind xmlns="DAV:"><prop><getcontentlength/><resourcetype/></prop></propfind>
    """

  /// The files directly in the collection, by name. Everything else is left out. Of each `href` only the name is used.
  /// - Parameter path: of the collection, percent-encoded, ending with `/`.
  package static func files(in answer: [UInt8], of path: String) throws(ObjectStorageError) -> [StoredFile] {
    let root: XMLElement
    do { root = try XMLElement(parsing: answer) } catch { throw .answerMalformed }
    guard root.name == "multistatus" else { throw .answerMalformed }
    let folder = Percent.decode(path)
    return root.all("response").compactMap { response in
      guard let href = response["href"]?.string, let name = name(href, in: folder), let found = properties(response),
        found["resourcetype"]?["collection"] == nil
      else { return nil }
      return StoredFile(name: name, size: found["getcontentlength"]?.string.flatMap { UInt64($0) })
    }
  }

  /// The name in an address or a path. Nil for another folder.
  private static func name(_ href: String, in folder: String?) -> String? {
    var path = href[...]
    if let scheme = href.range(of: "://") {
      guard let slash = href[scheme.upperBound...].firstIndex(of: "/") else { return nil }
      path = href[slash...]
    }
    guard let decoded = Percent.decode(String(path)), let slash = decoded.lastIndex(of: "/") else { return nil }
    let name = String(decoded[decoded.index(after: slash)...])
    return String(decoded[...slash]) == folder && FileName.isAllowed(name) ? name : nil
  }

  private static func properties(_ response: XMLElement) -> XMLElement? {
    let found = response.all("propstat").first { part in
      // HTTP/1.1 200 OK
      part["status"]?.string?.split(separator: " ").dropFirst().first == "200"
    }
    return found?["prop"]
  }
}

extension String {
  /// The first occurrence of a text.
  fileprivate func range(of text: String) -> Range<String.Index>? { firstRange(of: text) }
}
