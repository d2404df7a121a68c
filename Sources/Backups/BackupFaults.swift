internal import OwnerAPI
internal import Platform
internal import Vault

extension OperationError {
  /// A fault of a backup file, in words for people.
  init(_ error: BackupError) {
    switch error {
    case .notABackup: self.init(.failed, "This is no backup of Holdfast.")
    case .newerVersion(let found):
      self.init(.failed, "This backup was written by a newer Holdfast (format \(found)).", hint: "Update Holdfast.")
    case .headerDamaged: self = .damaged("its beginning cannot be read")
    case .headerNotAuthentic: self = .damaged("its beginning is not what was written under these keys")
    case .pieceDamaged(let index): self = .damaged("piece \(index + 1) is not what was written")
    case .cut(let missing): self = .damaged("it is cut; \(missing) bytes are missing")
    case .goesOn: self = .damaged("something was added behind its end")
    case .malformed(let row): self = .damaged("record \(row + 1) cannot be read")
    case .recordDamaged(let kind, let row): self = .damaged("record \(row + 1) (\(kind)) does not open")
    case .exists: self.init(.failed, "There is something of that name already; it was not touched.", hint: "Give another name.")
    case .cancelled: self.init(.failed, "It was stopped before it was done; nothing is left of it.")
    case .io(let step, let code):
      self.init(
        .failed, "The backup could not be written or read: \(String(cString: strerror(code))) (\(step)).",
        hint: code == ENOSPC ? "Make room on the disk, then try again." : "Check the folder and its permissions.")
    case .vault(let error): self.init(error)
    case .opener(.authenticationFailed):
      self.init(.locked, "This does not open the backup.", hint: "A backup opens with what opened the vault when it was made.")
    case .opener(let error): self.init(error, by: .passphrase)
    }
  }

  private static func damaged(_ how: String) -> OperationError {
    OperationError(.failed, "The backup is damaged: \(how).", hint: "Take another one, or copy it again from where it came.")
  }
}

/// Runs a step of a backup and throws what a person can read.
func backupFile<Result: ~Copyable>(_ body: () throws(BackupError) -> Result) throws(OperationError) -> Result {
  do { return try body() } catch { throw OperationError(error) }
}
