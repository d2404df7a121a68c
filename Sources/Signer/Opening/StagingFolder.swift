import Platform

/// The folder that takes a home's files on the way to their new place. A marker in it says that a move made it, and is locked while that
/// move runs. So what a move left behind that was cut off can be told from a vault that somebody keeps under such a name.
struct StagingFolder: ~Copyable {
  static let marker = "moving"

  let path: String
  private let lock: Int32

  /// Makes the folder, in the place of one that a move left behind.
  init(_ path: String) throws(HomeMoving.Fault) {
    try Self.clear(path)
    guard mkdir(path, 0o700) == 0 else { throw .failed(code: errno) }
    let marker = path + "/" + Self.marker
    let lock = open(marker, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else { throw .wayTaken(path) }
    // Another move may have taken the marker for one that was left behind, before it was locked.
    guard flock(lock, LOCK_EX | LOCK_NB) == 0, Self.isFile(lock, at: marker) else {
      close(lock)
      throw .wayTaken(path)
    }
    (self.path, self.lock) = (path, lock)
  }

  /// Overwrites and removes the folder with what is in it.
  func remove() { Wiping.wipe(path) }

  /// Gives the folder its new name, unless that is taken by something that is not empty, and removes the marker.
  func rename(to folder: String) throws(HomeMoving.Fault) {
    guard Platform.rename(path, folder) == 0 else { throw .failed(code: errno) }
    unlink(folder + "/" + Self.marker)
  }

  deinit { close(lock) }

  /// Removes what a move that was cut off left behind, and nothing else.
  private static func clear(_ path: String) throws(HomeMoving.Fault) {
    var about = stat()
    guard lstat(path, &about) == 0, rmdir(path) != 0 else { return }
    guard about.st_mode & S_IFMT == S_IFDIR, about.st_uid == geteuid() else { throw .wayTaken(path) }
    let lock = open(path + "/" + marker, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard lock >= 0 else { throw .wayTaken(path) }
    defer { close(lock) }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0, isFile(lock, at: path + "/" + marker) else { throw .wayTaken(path) }
    Wiping.wipe(path)
  }

  private static func isFile(_ descriptor: Int32, at path: String) -> Bool {
    var (opened, named) = (stat(), stat())
    return fstat(descriptor, &opened) == 0 && lstat(path, &named) == 0 && opened.st_ino == named.st_ino
      && opened.st_dev == named.st_dev
  }
}
