import CLinux
import Platform
import Sockets

/// What the kernel and the package systems say of a process, beyond its file.
package enum ProcessFacts {
  /// The most bytes that are read of one such file.
  static let mostBytes = 64 << 10

  /// O_PATH, which is hidden without _GNU_SOURCE: names a file without opening it.
  private static let pathOnly: Int32 = 0o10000000

  /// The systemd service that the process is part of. Desktops start their programs as services named `app-…`, with a new name each
  /// time, and everything a person starts is below `user@….service`: these say nothing of the program.
  /// - Parameter folder: `/proc/PID`.
  static func unit(in folder: String) -> String? { unit(cgroup: text(folder + "/cgroup") ?? "") }

  package static func unit(cgroup: String) -> String? {
    guard let line = cgroup.split(separator: "\n").first(where: { $0.hasPrefix("0::") }),
      let last = line.split(separator: "/").last(where: { $0.hasSuffix(".service") || $0.hasSuffix(".scope") }),
      last.hasSuffix(".service"), !last.hasPrefix("user@"), !last.hasPrefix("app-")
    else { return nil }
    return String(last)
  }

  /// What separates the process from others: its Flatpak or Snap, or `container` if it sees other files than the signer. A package cannot
  /// change the file that names a Flatpak, but a program outside of any can pretend to be in one; its path and digest are compared as well.
  /// The security label of a Snap is the kernel's.
  static func sandbox(in folder: String) -> String? {
    let label = text(folder + "/attr/apparmor/current") ?? text(folder + "/attr/current")
    if let name = label.flatMap(snap) { return "snap:\(name)" }
    guard !seesTheSameFiles(folder) else { return nil }
    return flatpakInfo(folder).flatMap(flatpak).map { "flatpak:\($0)" } ?? "container"
  }

  private static func seesTheSameFiles(_ folder: String) -> Bool {
    let space = SymbolicLink.target(of: folder + "/ns/mnt")
    return space != nil && space == SymbolicLink.target(of: "/proc/self/ns/mnt")
      && SymbolicLink.target(of: folder + "/root") == "/"
  }

  /// Read only if both the root and the file itself are on a disk.
  private static func flatpakInfo(_ folder: String) -> String? {
    let mounts = MountTable(of: folder)
    func isOnDisk(_ descriptor: Int32) -> Bool {
      var state = holdfast_file_state()
      return holdfast_file_state_of(descriptor, "", &state) == 0 && mounts.isOnDisk(state.mount)
    }
    let root = open(folder + "/root", pathOnly | O_CLOEXEC)
    guard root >= 0 else { return nil }
    defer { close(root) }
    guard isOnDisk(root) else { return nil }
    let file = openat(root, ".flatpak-info", pathOnly | O_NOFOLLOW | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return isOnDisk(file) ? text("/proc/self/fd/\(file)") : nil
  }

  /// The process that started this one, held. Nil when that has ended: another one adopts its children then, which never asked.
  static func starter(of process: PeerProcess) -> PeerProcess? {
    func parent() -> Int32? { text("/proc/\(process.id)/stat").flatMap(parent(stat:)) }
    guard let id = parent(), id > 1, let starter = PeerProcess(id: id), starter.isAlive else { return nil }
    // Asked again once it is held: a child whose parent has ended has another one.
    guard parent() == id, process.isAlive else { return nil }
    // What adopts children in a person's session.
    return SymbolicLink.target(of: "/proc/\(id)/exe")?.hasSuffix("/systemd") == false ? starter : nil
  }

  /// The user that a process runs as.
  static func user(of process: Int32) -> UInt32? {
    let line = text("/proc/\(process)/status")?.split(separator: "\n").first { $0.hasPrefix("Uid:") }
    let words = line?.split(whereSeparator: { $0 == "\t" || $0 == " " }) ?? []
    return words.count > 2 ? UInt32(words[2]) : nil  // the effective one
  }

  /// The parent's number, of a line such as `4242 (holdfast) S 4100 …`. The name may hold anything, parentheses and spaces, too.
  package static func parent(stat: String) -> Int32? {
    guard let end = stat.lastIndex(of: ")") else { return nil }
    let words = stat[stat.index(after: end)...].split(separator: " ")
    guard words.count > 1, let number = Int32(words[1]), number >= 0, "\(number)" == words[1] else { return nil }
    return number
  }

  /// The member `name` of the section `Application` or `Runtime`.
  package static func flatpak(_ info: String) -> String? {
    var isInSection = false
    for line in info.split(separator: "\n") {
      if line.hasPrefix("[") { isInSection = line == "[Application]" || line == "[Runtime]" }
      if isInSection, line.hasPrefix("name=") { return isName(line.dropFirst(5)) ? String(line.dropFirst(5)) : nil }
    }
    return nil
  }

  /// The package in a label such as `snap.firefox.firefox (enforce)`. A label that is not enforced confines nothing.
  package static func snap(_ label: String) -> String? {
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

  /// - Returns: nil for anything but a regular file.
  static func text(_ path: String, limit: Int = mostBytes) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var about = stat()
    guard fstat(file, &about) == 0, about.st_mode & S_IFMT == S_IFREG else { return nil }
    var (all, space) = ([UInt8](), [UInt8](repeating: 0, count: mostBytes))
    while all.count < limit {
      let count = Platform.read(file, &space, space.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      all += space[..<count]
    }
    return all.isEmpty ? nil : String(validating: all, as: UTF8.self)
  }
}
