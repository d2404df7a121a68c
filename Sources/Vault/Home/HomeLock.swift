import Platform

/// The lock of a vault's folder, in its file `lock`.
final class HomeLock: Sendable {
  /// The folder that is locked.
  let folder: HomeFolder
  private let lock: ProcessLock

  /// - Throws: `.inUse` with the id of the process that holds it.
  init(_ folder: HomeFolder) throws(VaultError) {
    do throws(ProcessLock.Fault) { lock = try ProcessLock(folder.lock) } catch {
      switch error {
      case .inUse(let pid): throw .inUse(pid: pid)
      case .notOpened(let code): throw .io("opening the lock file", code: code)
      case .notLocked(let code): throw .io("locking the vault", code: code)
      }
    }
    self.folder = folder
  }
}
