internal import Glibc
internal import Vault

/// The shared library that drives a token. Loading one runs its code, with the PIN in reach.
///
/// The path of a slot stands in the vault's file in clear, and is needed before anything in that file can be proved: somebody who
/// can write the file and nothing else must not choose code that way. A stored path is therefore loaded only when nobody but the
/// system's administrator can have put the file there. The owner may name any other, each time.
enum ModulePath {
  /// The longest that is stored, in bytes.
  static let maximumLength = 255
  /// How far up the folders are looked at.
  private static let deepest = 64

  /// - Throws: `.corrupt` when somebody else than the administrator could have put it there, `.notPresent` when it is not there.
  static func check(stored path: String) throws(KeyStoreError) {
    guard path.utf8.count <= maximumLength, path.utf8.first == UInt8(ascii: "/") else { throw .corrupt("the module's path") }
    guard let resolved = realpath(path, nil) else { throw .notPresent("the token's module") }
    defer { free(resolved) }
    var path = String(cString: resolved)
    for _ in 0..<deepest {
      var status = stat()
      guard lstat(path, &status) == 0 else { throw .notPresent("the token's module") }
      guard status.st_uid == 0, status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
        throw .corrupt("the module's path: others can write there")
      }
      guard path != "/" else { return }
      path = parent(of: path)
    }
    throw .corrupt("the module's path")
  }

  private static func parent(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex else { return "/" }
    return String(path[..<slash])
  }
}
