/// The names in a folder.
package enum FolderNames {
  /// The names of a folder's entries, in no order. Empty when the folder cannot be read.
  package static func all(in path: String) -> [String] { readable(in: path) ?? [] }

  /// The same; nil when the folder cannot be read, and `errno` says why.
  package static func readable(in path: String) -> [String]? {
    guard let folder = opendir(path) else { return nil }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
