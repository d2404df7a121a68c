import Platform

/// A folder in a home for the rehearsal of a restore. A marker in it says that Holdfast made it, so that what a crash left behind can be told
/// from a folder of the owner's.
package enum RehearsalFolder {
  private static let prefix = "rehearsal-"
  private static let marker = "rehearsing"

  /// Makes the folder, of mode 0700.
  /// - Returns: its path; nil when it could not be made, and `errno` says why.
  package static func make(in home: String) -> String? {
    var template = Array((home + "/" + prefix + "XXXXXX").utf8CString)
    let path = template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) } }
    guard let path else { return nil }
    let file = open(path + "/" + marker, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else {
      let code = errno
      rmdir(path)
      errno = code
      return nil
    }
    close(file)
    return path
  }

  /// Whether an entry of a home is such a folder.
  package static func isOne(_ name: String, in home: String) -> Bool {
    name.hasPrefix(prefix) && isOurs(home + "/" + name, S_IFDIR) && isOurs(home + "/" + name + "/" + marker, S_IFREG)
  }

  /// Overwrites and removes the folder with what is in it, the marker last, and only if
  /// nothing else is left: whenever this is cut off, the folder is still known.
  package static func remove(_ path: String) { wipe(path, as: "") }

  @discardableResult static func wipe(_ path: String, as name: String) -> Wiping.Outcome {
    var outcome = Wiping.Outcome()
    for inside in FolderNames.all(in: path) where inside != marker {
      outcome.add(Wiping.wipe(path + "/" + inside, as: name + "/" + inside))
    }
    guard FolderNames.readable(in: path) == [marker] else { return outcome }
    outcome.add(Wiping.wipe(path + "/" + marker, as: name + "/" + marker))
    rmdir(path)
    return outcome
  }

  private static func isOurs(_ path: String, _ type: mode_t) -> Bool {
    var about = stat()
    return lstat(path, &about) == 0 && about.st_mode & S_IFMT == type && about.st_uid == geteuid()
  }
}
