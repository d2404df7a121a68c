import Platform
import Signer

/// The folder of the vault: whose it is, and who may look.
enum FileChecks {
  /// The most files that are looked at.
  private static let mostFiles = 10_000
  /// Files that are named when they are open to others.
  private static let mostNamed = 5

  static func all(home: Home) -> [Finding] {
    var status = stat()
    guard lstat(home.path, &status) == 0 else {
      return [
        .bad(
          "folder", "There is no vault's folder at \(home.path).",
          advice: "Make a vault: holdfast init, or name its folder with --home.")
      ]
    }
    guard status.st_mode & S_IFMT == S_IFDIR || status.st_mode & S_IFMT == S_IFLNK else {
      return [.bad("folder", "\(home.path) is no folder.", advice: "Name the vault's folder with --home.")]
    }
    return [folder(home), files(home)]
  }

  private static func folder(_ home: Home) -> Finding {
    var status = stat()
    guard stat(home.path, &status) == 0 else {
      return .bad("folder", "The vault's folder cannot be looked at.", advice: "Check the folders above it.")
    }
    guard status.st_uid == geteuid() else {
      return .bad("folder", "The vault's folder belongs to another user.", advice: "Run this as its owner.")
    }
    guard status.st_mode & 0o077 == 0 else {
      return .bad("folder", "Others may look into the vault's folder.", advice: "chmod 700 '\(home.path)'")
    }
    guard access(home.path, R_OK | W_OK | X_OK) == 0 else {
      return .bad("folder", "The vault's folder cannot be written.", advice: "chmod 700 '\(home.path)'; is the disk read-only?")
    }
    return .good("folder", "The vault's folder is yours alone.")
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
        "file-permissions", "Others may touch files of the vault: \(named).",
        advice: "chmod -R go= '\(home.path)', and see that all of it is yours: chown -R $USER '\(home.path)'")
    }
    return .good("file-permissions", "\(count) files and folders in it, all yours alone.")
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
