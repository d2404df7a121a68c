import Platform

/// Folders of the owner's.
enum PrivateFolder {
  /// - Throws: when the folder, or the nearest one above it that is there, is another user's. Above, one such as `/tmp` is no fault: in it,
  ///   nobody can put anything in the place of what is another's.
  static func check(_ path: String, isAbove: Bool = false) throws(InstallFault) {
    var about = stat()
    guard stat(path, &about) == 0 else {
      guard errno == ENOENT, path != "/", path != "." else { throw .system(path: path, code: errno) }
      return try check(FilePath.folder(of: path), isAbove: true)
    }
    guard about.st_mode & S_IFMT == S_IFDIR else { throw .system(path: path, code: ENOTDIR) }
    guard about.st_uid == geteuid() || isAbove && about.st_mode & S_ISVTX != 0 else { throw .othersFolder(path: path) }
  }

  /// Makes a folder and its missing parents, with mode 0700.
  static func make(_ path: String) throws(InstallFault) {
    try check(path)
    guard mkdir(path, 0o700) != 0, errno != EEXIST else { return }
    guard errno == ENOENT else { throw .system(path: path, code: errno) }
    try make(FilePath.folder(of: path))
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .system(path: path, code: errno) }
  }
}
