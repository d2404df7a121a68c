internal import Platform
package import Vault

/// That all permissions are suspended, kept over restarts in two places: a sealed record, and an empty file beside the vault.
///
/// The file can be made without a key, also where the disk has no room left or no signer runs; the record cannot be taken away by
/// somebody who can only remove files. Either is enough, and both go when the owner resumes.
package struct Suspension: Sendable {
  /// The name of the file in the vault's folder.
  static let fileName = "suspended"
  private static let setting = Array("suspended".utf8)

  private let home: Home
  private var path: String { home.path + "/" + Self.fileName }

  package init(_ home: Home) { self.home = home }

  /// Whether the file is there. Needs no key.
  var isMarked: Bool { access(path, F_OK) == 0 }

  /// Makes the file, durably.
  /// - Returns: errno, 0 when it is there.
  func mark() -> Int32 {
    // For reading and without waiting: nobody waits at a pipe of that name, and nothing is written in any case.
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return errno }
    close(file)
    return syncFolder()
  }

  /// Makes the file, where nothing can go on without it.
  /// - Throws: `.io`.
  package func markOrThrow() throws(VaultError) {
    let code = mark()
    guard code == 0 else { throw .io("making the mark of the suspension", code: code) }
  }

  /// Whether either place says so.
  func isStored(in vault: Vault) throws(VaultError) -> Bool {
    if isMarked { return true }
    return try vault.value(.setting, id: Self.setting) != nil
  }

  /// Writes the record.
  /// - Parameter milliseconds: since 1970, when it began.
  func store(in vault: Vault, milliseconds: Int64) throws(VaultError) {
    try vault.transaction([Self.record(milliseconds: milliseconds)])
  }

  /// The record, for a transaction of somebody else's.
  package static func record(milliseconds: Int64) -> RecordChange { .put(.setting, setting, Array("\(milliseconds)".utf8)) }

  /// Takes both away: first the record, so that a crash in between leaves the file, and the suspension.
  func clear(in vault: Vault) throws(VaultError) {
    try vault.transaction([.delete(kind: .setting, id: Self.setting)])
    guard unlink(path) == 0 || errno == ENOENT else { throw .io("removing the mark of the suspension", code: errno) }
    guard syncFolder() == 0 else { throw .io("removing the mark of the suspension", code: errno) }
  }

  private func syncFolder() -> Int32 {
    let folder = open(home.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return errno }
    defer { close(folder) }
    return fsync(folder) == 0 ? 0 : errno
  }
}
