import Platform
import Signer

/// Checks the vault's folder: who owns it, and who may read it.
enum FileChecks {
  /// The most files that are checked.
  private static let mostFiles = 10_000
  /// The most files that are named when others may read them.
  private static let mostNamed = 5

  static func all(home: Home) -> [Finding] {
    var status = stat()
    guard lstat(home.path, &status) == 0 else {
      return [
        .bad(
          "folder", "There is no vault at \(home.path).",
          advice: "Make one with holdfast init, or name its folder with --home.")
      ]
    }
    guard status.st_mode & S_IFMT == S_IFDIR || status.st_mode & S_IFMT == S_IFLNK else {
      return [.bad("folder", "\(home.path) is not a folder.", advice: "Name the vault's folder with --home.")]
    }
    let folder = folder(home)
    return isOpen(home) ? [folder, files(home)] : [folder]
  }

  /// Whether this process sees what is in the folder; true if there is none.
  static func isOpen(_ home: Home) -> Bool { access(home.path, R_OK | X_OK) == 0 || errno == ENOENT }

  private static func folder(_ home: Home) -> Finding {
    var status = stat()
    guard stat(home.path, &status) == 0 else {
      return .bad("folder", "The vault's folder cannot be read.", advice: "Check the permissions of the folders above it.")
    }
    guard status.st_uid == geteuid() else {
      return .bad("folder", "The vault's folder belongs to another user.", advice: "Run this as its owner.")
    }
    guard status.st_mode & 0o077 == 0 else {
      return .bad("folder", "Other users can read the vault's folder.", advice: "chmod 700 '\(home.path)'")
    }
    guard access(home.path, R_OK | W_OK | X_OK) == 0 else {
      return .bad(
        "folder", "The vault's folder cannot be written.",
        advice: "Run: chmod 700 '\(home.path)'. If that does not help, check whether the disk is read-only.")
    }
    return .good("folder", "Only you can read the vault's folder.")
  }

  private static func files(_ home: Home) -> Finding {
    var (open, count): ([String], Int) = ([], 0)
    collect(home.path, "", depth: 0, &count) { name, status in
      let isOpen = status.st_uid != geteuid() || status.st_mode & S_IFMT != S_IFLNK && status.st_mode & 0o077 != 0
      if isOpen { open.append(name) }
    }
    guard open.isEmpty else {
      let named = open.prefix(mostNamed).joined(separator: ", ") + (open.count > mostNamed ? ", …" : "")
      return .bad(
        "file-permissions", "Other users can use files of the vault: \(named).",
        advice: "Run: chmod -R go= '\(home.path)'. If some files are not yours, also: chown -R $USER '\(home.path)'")
    }
    return .good("file-permissions", "It has \(count) files and folders, and only you can use them.")
  }

  private static func collect(
    _ folder: String, _ prefix: String, depth: Int, _ count: inout Int, _ body: (String, stat) -> Void
  ) {
    guard depth < 4, let handle = opendir(folder) else { return }
    defer { closedir(handle) }
    while count < mostFiles, let entry = readdir(handle) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name != ".", name != ".." else { continue }
      var status = stat()
      guard lstat(folder + "/" + name, &status) == 0 else { continue }
      count += 1
      body(prefix + name, status)
      if status.st_mode & S_IFMT == S_IFDIR { collect(folder + "/" + name, prefix + name + "/", depth: depth + 1, &count, body) }
    }
  }
}
