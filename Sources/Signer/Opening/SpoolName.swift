import Platform

/// The name of a private file in a home that loses its name as soon as it is open. A crash in between leaves the file, empty.
package enum SpoolName {
  private static let prefix = ".holdfast-fetched-"
  /// How many characters `mkstemp` chooses.
  private static let chosen = 6

  /// Where `mkstemp` makes one.
  package static func template(in folder: String) -> String {
    folder + "/" + prefix + String(repeating: "X", count: chosen)
  }

  /// Whether a file of that name is one.
  static func isOne(_ name: String) -> Bool { name.hasPrefix(prefix) && name.utf8.count == prefix.utf8.count + chosen }

  /// Removes what a crash left. Call it only while holding the vault's lock.
  package static func removeLeftovers(in home: String) {
    for name in FolderNames.all(in: home) where isOne(name) && isEmpty(home + "/" + name) {
      FileSystem.remove(home + "/" + name)
    }
  }

  private static func isEmpty(_ path: String) -> Bool {
    var about = stat()
    return lstat(path, &about) == 0 && about.st_mode & S_IFMT == S_IFREG && about.st_size == 0
  }
}
