import Platform

/// What the kernel and the package systems say of a process, beyond its file.
enum ProcessFacts {
  /// The most bytes that are read of one such file.
  private static let mostBytes = 64 << 10

  /// The systemd service that the process is part of. Desktops start their programs as services named `app-…`, with a new name each
  /// time, and everything a person starts is below `user@….service`: these say nothing of the program.
  /// - Parameter folder: `/proc/PID`.
  static func unit(in folder: String) -> String? { unit(cgroup: text(folder + "/cgroup") ?? "") }

  static func unit(cgroup: String) -> String? {
    guard let line = cgroup.split(separator: "\n").first(where: { $0.hasPrefix("0::") }),
      let last = line.split(separator: "/").last(where: { $0.hasSuffix(".service") || $0.hasSuffix(".scope") }),
      last.hasSuffix(".service"), !last.hasPrefix("user@"), !last.hasPrefix("app-")
    else { return nil }
    return String(last)
  }

  /// The Flatpak or Snap package that confines the process. A package cannot change the file that names a Flatpak, but a program outside
  /// of any can pretend to be in one; its path and digest are compared as well. The security label of a Snap is the kernel's.
  static func sandbox(in folder: String) -> String? {
    if let info = text(folder + "/root/.flatpak-info"), let name = flatpak(info) { return "flatpak:\(name)" }
    return (text(folder + "/attr/apparmor/current") ?? text(folder + "/attr/current")).flatMap(snap).map { "snap:\($0)" }
  }

  /// The member `name` of the section `Application` or `Runtime`.
  static func flatpak(_ info: String) -> String? {
    var isInSection = false
    for line in info.split(separator: "\n") {
      if line.hasPrefix("[") { isInSection = line == "[Application]" || line == "[Runtime]" }
      if isInSection, line.hasPrefix("name=") { return isName(line.dropFirst(5)) ? String(line.dropFirst(5)) : nil }
    }
    return nil
  }

  /// The package in a label such as `snap.firefox.firefox (enforce)`. A label that is not enforced confines nothing.
  static func snap(_ label: String) -> String? {
    let words = label.split(whereSeparator: { $0 == " " || $0 == "\n" || $0 == "\0" })
    guard words.count == 2, words[1] == "(enforce)" else { return nil }
    let parts = words[0].split(separator: ".")
    guard parts.count >= 3, parts[0] == "snap", isName(parts[1]) else { return nil }
    return String(parts[1])
  }

  private static func isName(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.count <= 255
      && text.utf8.allSatisfy { byte in
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
          || [UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_")].contains(byte)
      }
  }

  private static func text(_ path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var space = [UInt8](repeating: 0, count: mostBytes)
    let count = Platform.read(file, &space, space.count)
    return count > 0 ? String(validating: space[..<count], as: UTF8.self) : nil
  }
}
