import CommandLine
import Platform
import TerminalUI

/// The user's lists of default programs, `mimeapps.list` (MIME Applications Specification), into which `xdg-mime` writes.
struct DefaultApplications {
  /// The most bytes of a list that is changed. A longer one is left as it is.
  private static let longest = 1 << 20
  /// What somebody does not want is not ours to change.
  private static let foreignSection = "[Removed Associations]"

  let paths: [String]

  init(_ environment: (String) -> String?) {
    func folder(_ name: String, _ usual: String) -> String? {
      if let named = environment(name), named.hasPrefix("/") { return named }
      return environment("HOME").flatMap { $0.hasPrefix("/") ? $0 + usual : nil }
    }
    // The second is that of older desktops.
    let folders = [folder("XDG_CONFIG_HOME", "/.config"), folder("XDG_DATA_HOME", "/.local/share").map { $0 + "/applications" }]
    paths = folders.compactMap { $0 }.map { $0 + "/mimeapps.list" }
  }

  /// Takes a desktop entry out of the lines for schemes.
  /// - Returns: the lists that could not be written.
  func remove(_ entry: String, for schemes: [String]) -> [String] {
    paths.filter { path in
      guard let (file, mode, text) = Self.read(path) else { return false }
      let rest = Self.removing(entry, for: schemes, from: text)
      return rest != text && !Self.replace(file, mode, rest)
    }
  }

  /// A list without an entry in the lines for schemes. A line that names no other entry is left out, and all others stay byte for byte.
  static func removing(_ entry: String, for schemes: [String], from list: [UInt8]) -> [UInt8] {
    let keys = schemes.map { "x-scheme-handler/" + $0 }
    var isForeign = false
    let lines = list.split(separator: 0x0A, omittingEmptySubsequences: false).compactMap { bytes -> [UInt8]? in
      let line = String(decoding: bytes, as: UTF8.self)
      if line.hasPrefix("[") { isForeign = line.hasPrefix(foreignSection) }
      guard !isForeign, let key = keys.first(where: { line.hasPrefix($0 + "=") }) else { return Array(bytes) }
      let values = line.dropFirst(key.count + 1).split(separator: ";", omittingEmptySubsequences: false)
      let others = values.filter { $0 != entry }
      if others.count == values.count { return Array(bytes) }
      return others.allSatisfy(\.isEmpty) ? nil : Array("\(key)=\(others.joined(separator: ";"))".utf8)
    }
    return Array(lines.joined(separator: [0x0A]))
  }

  /// - Returns: the file, behind links, with its permissions; nil for none that can be read whole.
  private static func read(_ path: String) -> (file: String, mode: mode_t, text: [UInt8])? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var about = stat()
    guard fstat(descriptor, &about) == 0, about.st_mode & S_IFMT == S_IFREG, about.st_size <= longest,
      let resolved = realpath(path, nil)
    else { return nil }
    defer { free(resolved) }
    var space = [UInt8](repeating: 0, count: Int(about.st_size))
    guard Platform.read(descriptor, &space, space.count) == space.count else { return nil }
    return (String(cString: resolved), about.st_mode & 0o777, space)
  }

  private static func replace(_ path: String, _ mode: mode_t, _ text: [UInt8]) -> Bool {
    let new = path + ".new"
    unlink(new)
    let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
    guard descriptor >= 0 else { return false }
    let isWritten = Output.write(text, to: descriptor) && fchmod(descriptor, mode) == 0
    close(descriptor)
    if isWritten, rename(new, path) == 0 { return true }
    unlink(new)
    return false
  }
}
