public import Encodings

/// A program on this machine that asks for signatures, as the kernel describes it.
///
/// Two processes are the same caller if all parts are equal. A program that was updated has another digest, so it is a new caller.
///
/// It shows which file runs, not what that file does: an interpreter such as Python runs any script, and another program of the same
/// user can drive it.
public struct LocalCaller: Hashable, Sendable {
  /// The id of the user it runs as.
  public let user: UInt32
  /// The path of its executable file, as the kernel names it: absolute, 4,096 bytes at most.
  public let path: String
  /// SHA-256 of that file.
  public let digest: Bytes32
  /// The systemd service it is part of, as `backup.service`. Nil for a program that was started in another way.
  public let unit: String?
  /// The package it is confined to, as `flatpak:org.example.App` or `snap:example`. Nil for none.
  public let sandbox: String?

  /// A caller with all its parts.
  public init(user: UInt32, path: String, digest: Bytes32, unit: String? = nil, sandbox: String? = nil) {
    (self.user, self.path, self.digest, self.unit, self.sandbox) = (user, path, digest, unit, sandbox)
  }

  /// What people call it: the package, or else the file. At most 64 bytes, safe to show.
  public var name: String {
    let parts = sandbox?.split(separator: ":") ?? path.split(separator: "/")
    return ShownText.clean(String(parts.last ?? "program"), limit: 64)
  }

  /// Whether the file runs what other files say, so that the digest does not show what is done.
  public var isInterpreter: Bool {
    let name = self.name.lowercased()
    return sandbox == nil
      && Self.interpreters.contains { name.hasPrefix($0) && name.dropFirst($0.count).allSatisfy(\.isOfVersion) }
  }

  private static let interpreters = [
    "python", "node", "nodejs", "deno", "bun", "ruby", "perl", "php", "lua", "luajit", "java", "guile", "tclsh", "sh", "bash",
    "dash", "zsh", "fish", "ksh", "busybox", "socat", "nc", "ncat",
  ]
}

extension Character {
  fileprivate var isOfVersion: Bool { isNumber || self == "." || self == "-" }
}
