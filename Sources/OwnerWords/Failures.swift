package import AuditLog
import Backups
import Guardians
package import Identities
import Mnemonics
import Notifications
import ObjectStorage
package import OwnerAPI
import Platform
import PushRegistration
import RemoteSigning
import Signer
import Sockets
package import Vault
import VaultRepair

/// The errors of the modules below, as sentences.
extension OperationError {
  /// Runs a step and turns errors of any type into sentences.
  package static func wrapping<Result: ~Copyable>(_ step: () throws -> Result) throws(OperationError) -> Result {
    do { return try step() } catch { throw OperationError(error) }
  }

  /// Any error of a step that uses the vault.
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
    case let error as BackupUploadError: self.init(error)
    case let error as GuardianError: self.init(error)
    case let error as PushError: self.init(error)
    case let error as PushRegistrationError: self.init(error)
    case let error as VaultRepairError: self.init(error)
    case let error as PlaceError: self.init(error)
    case let error as ObjectStorageError: self.init(error)
    case SocketError.pathTooLong:
      self.init(
        .failed, "The path of the vault's folder is too long for the signer's control socket (107 bytes with “/control.sock”).",
        hint: "Move the folder, or name a shorter path to it with --home.")
    default: self.init(.failed, "An internal error occurred (\(type(of: error))).", hint: "Please report it.")
    }
  }

  /// An error of the vault.
  package init(_ error: VaultError) {
    switch error {
    case .noVault: self.init(.notFound, "There is no vault here.", hint: "To make one: holdfast init")
    case .exists:
      self.init(
        .failed, "There is already a vault here. Nothing was changed.", hint: "Use it, or name another home with --home.")
    case .inUse(let pid):
      self.init(
        .failed, "Holdfast already runs on this vault, as process \(pid).",
        hint: "See: holdfast status. To use another vault, name its home with --home.")
    case .wrongPassphrase(let seconds):
      self.init(
        .locked, "The passphrase is wrong." + Self.wait(seconds),
        hint: seconds == 0
          ? "Try again."
          : "Check Caps Lock and the keyboard’s language. If this vault was restored from a backup, it has the passphrase from the time of that backup."
      )
      tryAgainIn = seconds
    case .throttled(let seconds):
      self.init(.locked, "Too many wrong passphrases. You can try again in \(seconds) s.", hint: "Wait, then try again.")
      (tryAgainIn, isTooSoon) = (seconds, true)
    case .newerVersion(let found):
      self.init(
        .failed, "This vault was written by a newer Holdfast (format \(found)). It was not changed.", hint: "Update Holdfast.")
    case .corrupt(let what):
      self.init(
        .failed, "The vault is damaged: \(what) is not as it was written. Nothing was overwritten.", hint: Self.damageHint(what))
      isDamage = true
    case .folderNotPrivate(let mode):
      self =
        mode & 0o077 == 0
        ? OperationError(.failed, "The vault's folder belongs to another user.", hint: "Run Holdfast as its owner.")
        : OperationError(
          .failed, "Other users can read the vault's folder (mode \(String(mode, radix: 8))).",
          hint: "Make it private: chmod 700 FOLDER")
    case .costOutOfRange: self.init(.usage, "The passphrase cost is outside the allowed range.")
    case .io(let step, let code): self = Self.io("The vault could not be written or read", "\(step)", code)
    case .outOfMemory:
      self.init(.failed, "There is not enough memory for the passphrase function.", hint: "Close other programs, then try again.")
    case .locked: self = .unlockFirst
    case .presenceRequired, .notEntitled, .noSlotFor, .biometryChanged, .otherDevice, .deviceSealed: self.init(closedClass: error)
    case .noSuchSlot, .lastSlot, .onlyPasskeysLeft, .onlyKeyringLeft, .tooManySlots, .wouldLose: self.init(slots: error)
    case .closed: self.init(.locked, "The vault is closed.")
    case .kindIsSecret, .tooLong: self.init(.failed, "That is too large for one record of the vault.")
    case .notFound: self.init(.notFound, "The vault has no such record.", hint: "See: holdfast identity list")
    case .nameTaken: self.init(IdentityError.nameTaken)
    case .nameNotAllowed: self.init(IdentityError.nameNotAllowed)
    }
  }

  /// An error about an identity.
  package init(_ error: IdentityError) {
    switch error {
    case .nameTaken:
      self.init(
        .failed, "An identity of that name already exists.", hint: "Choose another name, or see: holdfast identity list")
    case .alreadyHere(let name): self.init(.failed, "This key is already in the vault, under the name “\(name)”.")
    case .nameNotAllowed:
      self.init(.usage, "A name has 1 to 64 bytes, no control characters, no “/”, does not begin with “-”, and is not a key.")
    case .badKey(let fault): self.init(fault)
    case .otherWordsPassphrase:
      self.init(
        .locked, "With that words passphrase the words do not give the identity's key.",
        hint: "These words were used with a passphrase. Give the same one: --words-passphrase-file FILE")
    case .vault(let error): self.init(error)
    }
  }

  /// An error of the log.
  package init(_ error: AuditLogError) {
    switch error {
    case .locked: self = .logLocked
    case .noSuchEntry: self.init(.notFound, "The log has no such entry.", hint: "See: holdfast log show")
    case .noRoom(let needed, let free):
      self.init(
        .failed,
        "Deleting old content rewrites the log. This needs \(Self.mebibytes(needed)) of free disk space, and there are \(Self.mebibytes(free)).",
        hint: "Nothing was changed. Free some disk space, or keep less: holdfast log retain --keep DAYS")
    case .fault(let fault):
      self.init(
        .failed, "The log cannot be used: \(fault.sentence).",
        hint:
          "Nothing was overwritten. To check it: holdfast log verify. Restore the folder “log” from a copy, or begin a new log: holdfast log renew"
      )
    case .io(let step, let code):
      self = Self.io(
        "The log could not be written or read", step.rawValue, code,
        hint: "Check the folder and its permissions. If the log is lost, begin a new one: holdfast log renew")
    case .inUse, .overloaded, .closed, .sealing:
      self.init(
        .failed, "The log cannot be used: \(error).",
        hint: "Nothing is signed without a record. To check the log: holdfast log verify")
    }
  }

  /// Rounded up, so that the stated need is enough.
  private static func mebibytes(_ count: UInt64) -> String { "\(count >> 20 + (count % (1 << 20) == 0 ? 0 : 1)) MiB" }

  /// If the header is damaged, no record can be proven any more.
  private static func damageHint(_ what: StaticString) -> String {
    if "\(what)" == "a file beside vault.db" {
      return """
        vault.db-journal or vault.db-wal is a link, has a second name, or was not made by Holdfast. To see it: ls -li. If a signer was \
        killed here, vault.db-wal may hold your last changes: remove its second name and keep the file. Otherwise, find out \
        who put it there and move it out of the folder.
        """
    }
    return ["header", "keyslot", "attempts", "the vault file", "generation"].contains("\(what)")
      ? "Restore a good copy of vault.db, or a backup: holdfast backup restore FILE --into FOLDER"
      : "To see what is lost: holdfast vault repair --plan. To continue without it: holdfast vault repair"
  }

  private static func wait(_ seconds: Int) -> String { seconds > 0 ? " You can try again in \(seconds) s." : "" }

  private static func io(
    _ what: String, _ step: String, _ code: Int32, hint: String = "Check the folder and its permissions."
  ) -> OperationError {
    OperationError(
      .failed, "\(what): \(String(cString: strerror(code))) (\(step)).",
      hint: code == ENOSPC ? "Free some disk space, then try again." : hint)
  }
}
