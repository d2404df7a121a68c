import Platform
package import Vault

/// The suspension of all permissions, stored over restarts in two places: an encrypted record, and an empty file next to the
/// vault.
///
/// The file can be made without a key, even when the disk is full or no signer runs. The record cannot be removed by somebody who
/// can only delete files. Either of them is enough, and both are removed when the owner resumes.
package struct Suspension: Sendable {
  /// The name of the file in the vault's folder.
  static let fileName = "suspended"
  private static let setting = Array("suspended".utf8)

  private let home: Home
  private var path: String { home.path + "/" + Self.fileName }

  package init(_ home: Home) { self.home = home }

  /// Whether the file exists. Needs no key.
  var isMarked: Bool { access(path, F_OK) == 0 }

  /// Makes the file, durably.
  /// - Returns: errno; 0 when the file exists.
  func mark() -> Int32 {
    // Open for reading without blocking: a pipe of that name must not block, and nothing is ever written.
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return errno }
    close(file)
    return syncFolder()
  }

  /// Makes the file when nothing may continue without it.
  /// - Throws: `.io`.
  package func markOrThrow() throws(VaultError) {
    let code = mark()
    guard code == 0 else { throw .io("making the mark of the suspension", code: code) }
  }

  /// Whether the file or the record exists.
  func isStored(in vault: Vault) throws(VaultError) -> Bool {
    if isMarked { return true }
    return try vault.value(.setting, id: Self.setting) != nil
  }

  /// Writes the record.
  /// - Parameter milliseconds: the start of the suspension, since 1970.
  func store(in vault: Vault, milliseconds: Int64) throws(VaultError) {
    try vault.transaction([Self.record(milliseconds: milliseconds)])
  }

  /// The record, for another transaction.
  package static func record(milliseconds: Int64) -> RecordChange { .put(.setting, setting, Array("\(milliseconds)".utf8)) }

  /// Removes both, the record first: after a crash in between, the file still suspends.
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
