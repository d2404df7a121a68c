import AuditLog
import Backups
import Guardians
import Identities
import Mnemonics
import Notifications
import ObjectStorage
package import OwnerAPI
import Platform
import RemoteSigning
import Signer
import Sockets
package import Vault
import VaultRepair

/// The errors of the modules below, in words for people.
extension OperationError {
  /// Runs a step whose errors of any kind become words.
  package static func wrapping<Result: ~Copyable>(_ step: () throws -> Result) throws(OperationError) -> Result {
    do { return try step() } catch { throw OperationError(error) }
  }

  /// Any error of a step that touches the vault.
  package init(_ error: any Error) {
    switch error {
    case let error as OperationError: self = error
    case let error as FieldError: self.init(error)
    case let error as SignerError: self.init(error)
    case let error as VaultError: self.init(error)
    case let error as IdentityError: self.init(error)
    case let error as AuditLogError: self.init(error)
    case let error as KeyStoreError: self.init(error, by: .passphrase)
    case let error as KeyTextError: self.init(error)
    case let error as DetailError: self.init(error)
    case let error as ShareError: self.init(error)
    case let error as GrantError: self.init(error)
    case let error as PermissionError: self.init(error)
    case let error as DeviceSealError: self.init(error)
    case let error as BackupError: self.init(error)
    case let error as BackupsError: self.init(error)
    case let error as GuardianError: self.init(error)
    case let error as PushError: self.init(error)
    case let error as VaultRepairError: self.init(error)
    case let error as PlaceError: self.init(error)
    case let error as ObjectStorageError: self.init(error)
    case SocketError.pathTooLong:
      self.init(
        .failed, "The vault's folder has too long a path for the signer's control socket (107 bytes with “/control.sock”).",
        hint: "Move the folder, or name a shorter way to it with --home.")
    default: self.init(.failed, "That failed inside the signer (\(type(of: error))).", hint: "Please report it.")
    }
  }

  /// A fault of the vault.
  package init(_ error: VaultError) {
    switch error {
    case .noVault: self.init(.notFound, "There is no vault here.", hint: "Make one: holdfast init")
    case .exists:
      self.init(
        .failed, "There is a vault here already; nothing was changed.", hint: "Use it, or name another folder with --home.")
    case .inUse(let pid):
      self.init(.failed, "The vault is in use by process \(pid).", hint: "Stop that process, or name another folder with --home.")
    case .wrongPassphrase(let seconds):
      self.init(
        .locked, "The passphrase is wrong." + Self.wait(seconds),
        hint: "Try again. If you are sure of it, this may be an older vault.db, which opens with the passphrase of its time.")
    case .throttled(let seconds):
      self.init(.locked, "Too many wrong passphrases: the next attempt is taken in \(seconds) s.", hint: "Wait, then try again.")
    case .newerVersion(let found):
      self.init(
        .failed, "This vault was written by a newer Holdfast (format \(found)); it was not touched.", hint: "Update Holdfast.")
    case .corrupt(let what):
      self.init(
        .failed, "The vault is damaged: \(what) is not what was written. Nothing was overwritten.", hint: Self.damageHint(what))
      isDamage = true
    case .folderNotPrivate(let mode):
      self.init(
        .failed, "Others can look into the vault's folder (mode \(String(mode, radix: 8))), or it is not yours.",
        hint: "Make it private: chmod 700 FOLDER")
    case .costOutOfRange: self.init(.usage, "The passphrase cost is outside what is allowed.")
    case .io(let step, let code): self = Self.io("The vault could not be written or read", "\(step)", code)
    case .outOfMemory:
      self.init(.failed, "There is not enough memory for the passphrase function.", hint: "Close other programs, then try again.")
    case .locked: self = .unlockFirst
    case .presenceRequired, .notEntitled, .noSlotFor, .biometryChanged, .otherDevice, .deviceSealed: self.init(closedClass: error)
    case .noSuchSlot, .lastSlot, .onlyPasskeysLeft, .onlyKeyringLeft, .tooManySlots, .wouldLose: self.init(slots: error)
    case .closed: self.init(.locked, "The vault is closed.")
    case .kindIsSecret, .tooLong: self.init(.failed, "That is more than the vault holds in one place.")
    case .notFound: self.init(.notFound, "That is not in the vault.", hint: "See: holdfast identity list")
    case .nameTaken: self.init(IdentityError.nameTaken)
    case .nameNotAllowed: self.init(IdentityError.nameNotAllowed)
    }
  }

  /// What an identity cannot be or become.
  init(_ error: IdentityError) {
    switch error {
    case .nameTaken:
      self.init(
        .failed, "There is an identity of that name already.", hint: "Choose another name, or see: holdfast identity list")
    case .alreadyHere(let name): self.init(.failed, "This key is here already, under the name “\(name)”.")
    case .nameNotAllowed:
      self.init(.usage, "A name has 1 to 64 bytes, no control characters, no “/”, and does not begin with “-”.")
    case .badKey(let fault): self.init(fault)
    case .otherWordsPassphrase:
      self.init(
        .locked, "With that passphrase the words give other keys than the one you named.",
        hint: "A passphrase went into these words. Give the same one: --words-passphrase-file FILE")
    case .vault(let error): self.init(error)
    }
  }

  /// A fault of the audit log.
  init(_ error: AuditLogError) {
    switch error {
    case .locked:
      self.init(
        .locked, "The log is sealed while the signer is locked.",
        hint: "Unlock it: holdfast unlock. If everything was shut, it stays shut until you resume.")
    case .noSuchEntry: self.init(.notFound, "There is no such entry in the log.", hint: "See: holdfast log show")
    case .noRoom(let needed, let free):
      self.init(
        .failed,
        "Dropping old content writes the log anew first: \(Self.mebibytes(needed)) must be free on its disk, and \(Self.mebibytes(free)) are.",
        hint: "Nothing was changed. Make room on the disk, or keep less: holdfast log retain --keep DAYS")
    case .fault(let fault):
      self.init(
        .failed, "The audit log cannot be used: \(fault.sentence).",
        hint: "Nothing was overwritten. Look: holdfast log verify. Put back the folder “log” from a copy, or: holdfast log renew")
    case .io(let step, let code):
      self = Self.io(
        "The audit log could not be written or read", step.rawValue, code,
        hint: "Check the folder and its permissions. If it cannot be read any more: holdfast log renew")
    case .inUse, .overloaded, .closed, .sealing:
      self.init(
        .failed, "The audit log cannot be used: \(error).",
        hint: "Nothing is signed that cannot be recorded. See: holdfast log verify")
    }
  }

  /// Rounded up, so that what is told to be needed is enough.
  private static func mebibytes(_ count: UInt64) -> String { "\(count >> 20 + (count % (1 << 20) == 0 ? 0 : 1)) MiB" }

  /// Where the beginning of everything is damaged, no record can be proven any more.
  private static func damageHint(_ what: StaticString) -> String {
    if "\(what)" == "a file beside vault.db" {
      return """
        vault.db-journal or vault.db-wal is a link, has a second name, or is not one that Holdfast leaves. Look: ls -li. If a signer was \
        killed here, vault.db-wal may hold your last changes: then remove its second name, and leave the file where it is. Else find out \
        who put it there, and move it out of the folder.
        """
    }
    return ["header", "keyslot", "attempts", "the vault file", "generation"].contains("\(what)")
      ? "Put back a copy of vault.db from before the damage, or a backup: holdfast backup restore FILE --into FOLDER"
      : "See what is lost: holdfast vault repair --plan. To go on without it: holdfast vault repair"
  }

  private static func wait(_ seconds: Int) -> String { seconds > 0 ? " The next attempt is taken in \(seconds) s." : "" }

  private static func io(
    _ what: String, _ step: String, _ code: Int32, hint: String = "Check the folder and its permissions."
  ) -> OperationError {
    OperationError(
      .failed, "\(what): \(String(cString: strerror(code))) (\(step)).",
      hint: code == ENOSPC ? "Make room on the disk, then try again." : hint)
  }
}
