import Platform

/// Overwrites files and removes them. On ordinary file systems this overwrites a file's own blocks. Copies that the disk's firmware or the
/// file system keeps are not reached.
enum Wiping {
  /// What became of the files of one entry of a folder.
  struct Outcome {
    /// How many files are gone, whether or not they were overwritten before.
    var removed = 0
    /// Files that have a second name somewhere, under which their contents stay.
    var linked: [String] = []
    /// Other files that could not be overwritten before they were removed.
    var unwritten: [String] = []

    mutating func add(_ other: Outcome) {
      removed += other.removed
      linked += other.linked
      unwritten += other.unwritten
    }
  }

  /// Wipes a file, or a folder with what is in it.
  /// - Parameter name: what the file is called in the result; for what is in a folder, followed by its path there.
  @discardableResult static func wipe(_ path: String, as name: String = "") -> Outcome {
    var outcome = Outcome()
    wipe(path, as: name, &outcome)
    return outcome
  }

  private static func wipe(_ path: String, as name: String, _ outcome: inout Outcome) {
    var about = stat()
    guard lstat(path, &about) == 0 else { return }
    if about.st_mode & S_IFMT == S_IFDIR {
      for inside in FolderNames.all(in: path) { wipe(path + "/" + inside, as: name + "/" + inside, &outcome) }
      rmdir(path)
    } else {
      wipeFile(path, as: name, about, &outcome)
    }
  }

  // A file with a second name may be used elsewhere and is not overwritten.
  private static func wipeFile(_ path: String, as name: String, _ about: stat, _ outcome: inout Outcome) {
    let isFile = about.st_mode & S_IFMT == S_IFREG
    let isWritten = isFile && about.st_nlink == 1 && overwrite(path, Int(about.st_size))
    guard unlink(path) == 0 else { return }
    outcome.removed += 1
    guard isFile, !isWritten else { return }
    if about.st_nlink > 1 { outcome.linked.append(name) } else { outcome.unwritten.append(name) }
  }

  /// - Returns: whether zeros are on the disk in the place of all that the file held.
  private static func overwrite(_ path: String, _ size: Int) -> Bool {
    let file = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return false }
    defer { close(file) }
    let zeros = [UInt8](repeating: 0, count: 65_536)
    var done = 0
    while done < size {
      let count = write(file, zeros, min(zeros.count, size - done))
      guard count > 0 else { return false }
      done += count
    }
    return fdatasync(file) == 0
  }
}
