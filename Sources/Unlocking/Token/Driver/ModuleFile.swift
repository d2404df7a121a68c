internal import CLinux
internal import Platform
internal import Vault

/// Which driver a call is for.
enum TokenModule: Sendable {
  /// Those that p11-kit's configuration names.
  case configured
  /// The owner named its path, for this call.
  case named(String)
  /// Its path stands in the vault's file, which somebody else may have written.
  case stored(String)

  /// - Parameter path: as the owner named it; nil for those of the configuration.
  init(named path: String?) { self = path.map(TokenModule.named) ?? .configured }

  /// - Returns: nil for those of the configuration.
  func open() throws(KeyStoreError) -> ModuleFile? {
    switch self {
    case .configured: return nil
    case .named(let path): return try ModuleFile(named: path)
    case .stored(let path): return try ModuleFile(stored: path)
    }
  }
}

/// The shared library that drives a token, opened once: what was checked is what is loaded, whatever its path names later.
///
/// Loading one runs its code, with the PIN in reach. The path of a slot stands in the vault's file in clear, and is needed before
/// anything in that file can be proved: somebody who can write the file and nothing else must not choose code that way. A stored path is
/// therefore taken only when nobody but the system's administrator can have put the file there. The owner may name any other, each time.
final class ModuleFile: Sendable {
  /// The longest path that is stored, in bytes.
  static let maximumLength = 255

  /// Of the file, open for reading; closed with its owner.
  let descriptor: Int32

  deinit { close(descriptor) }

  /// - Throws: `.notPresent` when no file is there.
  init(named path: String) throws(KeyStoreError) {
    guard path.utf8.count <= Self.maximumLength, !path.utf8.contains(0) else { throw .notPresent("the token's module") }
    let descriptor = Platform.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw .notPresent("the token's module") }
    guard let status = Self.status(descriptor), Self.isFile(status) else {
      close(descriptor)
      throw .notPresent("the token's module")
    }
    self.descriptor = descriptor
  }

  /// - Throws: `.corrupt` when somebody else than the administrator could have put it there, `.notPresent` when it is not there.
  init(stored path: String) throws(KeyStoreError) {
    guard path.utf8.count <= Self.maximumLength, path.utf8.first == UInt8(ascii: "/"), !path.utf8.contains(0) else {
      throw .corrupt("the module's path")
    }
    guard let resolved = realpath(path, nil) else { throw .notPresent("the token's module") }
    defer { free(resolved) }
    descriptor = try Self.walk(String(cString: resolved))
  }

  /// Opens folder by folder, following no link, and looks at what was opened, never at a name.
  private static func walk(_ resolved: String) throws(KeyStoreError) -> Int32 {
    let names = resolved.utf8.split(separator: UInt8(ascii: "/")).map { String(decoding: Array($0), as: UTF8.self) }
    var current = Platform.open("/", HOLDFAST_PATH_ONLY | O_DIRECTORY | O_CLOEXEC)
    for (index, name) in names.enumerated() {
      try check(current)
      let isLast = index == names.count - 1
      let flags = isLast ? O_RDONLY | O_NONBLOCK : HOLDFAST_PATH_ONLY | O_DIRECTORY
      let next = openat(current, name, flags | O_NOFOLLOW | O_CLOEXEC)
      close(current)
      current = next
    }
    try check(current)
    guard let status = status(current), isFile(status) else {
      close(current)
      throw .notPresent("the token's module")
    }
    return current
  }

  /// Closes what it throws for.
  private static func check(_ descriptor: Int32) throws(KeyStoreError) {
    guard descriptor >= 0 else { throw .notPresent("the token's module") }
    guard let status = status(descriptor), status.st_uid == 0, status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
      close(descriptor)
      throw .corrupt("the module's path: others can write there")
    }
  }

  private static func status(_ descriptor: Int32) -> stat? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? status : nil
  }

  private static func isFile(_ status: stat) -> Bool { status.st_mode & S_IFMT == S_IFREG }
}

/// Neither reading nor writing: folders that may only be passed through can be opened, too.
private let HOLDFAST_PATH_ONLY = Int32(HOLDFAST_O_PATH)
