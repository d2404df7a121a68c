import CLinux
import Platform
import Vault

/// The driver to use for a call.
enum TokenModule: Sendable {
  /// The drivers in p11-kit's configuration.
  case configured
  /// The owner gave its path, for this call.
  case named(String)
  /// Its path is stored in the vault's file, which somebody else may have written.
  case stored(String)

  /// - Parameter path: as the owner gave it; nil for p11-kit's configuration.
  init(named path: String?) { self = path.map(TokenModule.named) ?? .configured }

  /// - Returns: nil for p11-kit's configuration.
  func open() throws(KeyStoreError) -> ModuleFile? {
    switch self {
    case .configured: return nil
    case .named(let path): return try ModuleFile(named: path)
    case .stored(let path): return try ModuleFile(stored: path)
    }
  }
}

/// The shared library that drives a token, opened once: the file that was checked is the file that is loaded, whatever its path
/// points to later.
///
/// Loading a library runs its code, which can read the PIN. A slot's path is stored unencrypted in the vault's file and is needed
/// before anything in that file can be verified. Somebody who can write that file, and nothing else, must not be able to choose
/// code that way. Therefore a stored path is accepted only when nobody but the system's administrator can have put the file
/// there. The owner may give any other path, each time.
final class ModuleFile: Sendable {
  /// The longest stored path, in bytes.
  static let maximumLength = 255

  /// The file, open for reading. Closed when this object is freed.
  let descriptor: Int32

  deinit { close(descriptor) }

  /// - Throws: `.notPresent` when there is no such file.
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

  /// - Throws: `.corrupt` when somebody other than the administrator could have put it there, `.notPresent` when there is no such
  ///   file.
  init(stored path: String) throws(KeyStoreError) {
    guard path.utf8.count <= Self.maximumLength, path.utf8.first == UInt8(ascii: "/"), !path.utf8.contains(0) else {
      throw .corrupt("the module's path")
    }
    guard let resolved = realpath(path, nil) else { throw .notPresent("the token's module") }
    defer { free(resolved) }
    descriptor = try Self.walk(String(cString: resolved))
  }

  /// Opens folder by folder, follows no link, and checks what was opened, never a name.
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

  /// Closes the descriptor when it throws.
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

/// Neither for reading nor for writing, so that folders with search permission only can be opened, too.
private let HOLDFAST_PATH_ONLY = Int32(HOLDFAST_O_PATH)
