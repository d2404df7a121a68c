import Curve
public import Encodings

/// A program on this machine that asks for signatures, as the kernel describes it.
///
/// Two processes are the same program if all parts are equal. A program that was updated has another digest, so it is a new program.
///
/// It shows which file runs, not what that file does: an interpreter such as Python runs any script, and another program of the same
/// user can drive it.
public struct CallingProgram: Hashable, Sendable {
  /// The id of the user it runs as.
  public let user: UInt32
  /// The path of its executable file, as the kernel names it: absolute, 4,096 bytes at most.
  public let path: String
  /// SHA-256 of that file.
  public let digest: Bytes32
  /// The systemd service it is part of, as `backup.service`. Nil for a program that was started in another way.
  public let unit: String?
  /// What separates it from other programs of the user: a package, as `flatpak:org.example.App` or `snap:example`, or `container` if
  /// it sees other files than the signer. Nil for nothing.
  public let sandbox: String?

  /// A program with all its parts.
  public init(user: UInt32, path: String, digest: Bytes32, unit: String? = nil, sandbox: String? = nil) {
    (self.user, self.path, self.digest, self.unit, self.sandbox) = (user, path, digest, unit, sandbox)
  }

  /// What people call it: the package, or else the file. At most 64 bytes, safe to show.
  public var name: String {
    let part = package ?? path.split(separator: "/").last.map(String.init) ?? ""
    let name = ShownText.clean(part, limit: 64)
    return name.allSatisfy(\.isWhitespace) ? "program \(digest.hex.prefix(8))" : name
  }

  /// The name of its Flatpak or Snap.
  private var package: String? {
    guard let sandbox, let colon = sandbox.firstIndex(of: ":") else { return nil }
    return String(sandbox[sandbox.index(after: colon)...])
  }

  /// Whether nobody but the program itself says which path and package it has: it brings its own files.
  public var isItsOwnClaim: Bool { sandbox.map { !$0.hasPrefix("snap:") } ?? false }

  /// Whether the file is known to run what other files say, so that the digest does not show what is done. A copy under another name is
  /// not known.
  public var isInterpreter: Bool {
    let name = (path.split(separator: "/").last ?? "").lowercased()
    return Self.interpreters.contains { name.hasPrefix($0) && name.dropFirst($0.count).allSatisfy(\.isOfVersion) }
  }

  private static let interpreters = [
    "python", "node", "nodejs", "deno", "bun", "ruby", "perl", "php", "lua", "luajit", "java", "guile", "tclsh", "sh", "bash",
    "dash", "zsh", "fish", "ksh", "busybox", "socat", "nc", "ncat", "pypy", "awk", "gawk", "mawk", "emacs", "curl", "ssh", "sshd",
    "openssl", "electron", "gdb", "qemu", "make", "env", "tcl", "expect",
    "busctl", "gdbus", "dbus-send", "qdbus",
  ]
}

extension Character {
  fileprivate var isOfVersion: Bool { isNumber || self == "." || self == "-" }
}
