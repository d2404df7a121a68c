package import Backups
import HTTPClient
package import ObjectStorage
package import OwnerAPI
import Platform
package import Vault

extension OperationError {
  /// The error of a backup file, as sentences.
  package init(_ error: BackupError) {
    switch error {
    case .notABackup:
      self.init(.failed, "This file is not a Holdfast backup.", hint: "Name a backup file, such as one that ends in .hfb.")
    case .newerVersion(let found):
      self.init(.failed, "This backup was written by a newer Holdfast (format \(found)).", hint: "Update Holdfast.")
    case .headerDamaged: self = .damaged("its beginning cannot be read")
    case .headerNotAuthentic: self = .damaged("its beginning was changed, or belongs to other keys")
    case .pieceDamaged(let index): self = .damaged("piece \(index + 1) was changed")
    case .cut(let missing): self = .damaged("it is cut short; \(missing) bytes are missing")
    case .goesOn: self = .damaged("something was added after its end")
    case .malformed(let row): self = .damaged("record \(row + 1) cannot be read")
    case .recordDamaged(let kind, let row): self = .damaged("record \(row + 1) (\(kind)) does not open")
    case .exists: self.init(.failed, "A file of that name already exists. It was not changed.", hint: "Choose another name.")
    case .cancelled: self.init(.failed, "The operation was stopped before the end and left nothing behind.")
    case .io(let step, let code):
      self.init(
        .failed, "The backup could not be written or read: \(String(cString: strerror(code))) (\(step)).",
        hint: code == ENOSPC ? "Free some disk space, then try again." : "Check the folder and its permissions.")
    case .vault(let error): self.init(error)
    case .opener(.authenticationFailed):
      self.init(.locked, "This does not open the backup.", hint: "Give what opened the vault when the backup was made.")
      tryAgainIn = 0
    case .opener(let error): self.init(error, by: .passphrase)
    }
  }

  private static func damaged(_ how: String) -> OperationError {
    OperationError(.failed, "The backup is damaged: \(how).", hint: "Use another backup, or copy this one again from its source.")
  }
}

extension OperationError {
  /// The error for a place that cannot be meant.
  package init(_ error: PlaceError) {
    let text =
      switch error {
      case .tooLong(let limit): "The place for backups has more than \(limit) bytes."
      case .noAddress: "The place for backups is not a folder or address that Holdfast knows."
      case .needsTLS: "A server for backups must be reached by https, unless it runs on this machine."
      case .passwordInAddress: "An address must not contain a password, because addresses are stored and shown unencrypted."
      case .notAbsolute: "The folder for backups must be an absolute path, such as /media/disk/backups."
      case .badBucket: "A bucket's name has 3 to 63 characters of a-z, 0-9, “-” and “.”."
      case .badRegion: "A region's name has only a-z, 0-9 and “-”."
      }
    self.init(.usage, text, hint: "Give an absolute folder path, https://user@host/path, or s3://bucket/prefix.")
  }

  /// The error for a place that does not work.
  package init(_ error: ObjectStorageError) {
    let hint: String? =
      switch error {
      case .http(.noLibrary): "Install it: apt install libcurl4"
      case .notAuthorized: "Give new credentials: holdfast backup schedule … --credentials-file FILE"
      case .notFound: "Check that the disk is mounted, that the folder or bucket exists, and that its name is right."
      case .full: "Make room there, or keep fewer: holdfast backup schedule … --keep N"
      case .clocksDiffer: "Correct this machine's clock."
      case .http(.notTrusted): "If the server has a certificate of your own: --ca FILE"
      default: nil
      }
    self.init(.failed, "The place for backups could not be used: \(error.text).", hint: hint)
  }
}

extension OperationError {
  /// Why a backup could not be made or read, as sentences.
  package init(_ error: BackupsError) {
    switch error {
    case .isRunning: self = .failed("A backup is being made.", hint: "Wait for it, then see: holdfast backup plan")
    case .noPlan: self = .noBackupPlan
    case .noBackupOfThatName:
      self = .notFound("That place has no backup of that name.", hint: "See: holdfast backup list --from PLACE")
    case .noBackup:
      self = .notFound(
        "That place has no backups.", hint: "Check the folder or bucket: holdfast backup list --from PLACE")
    case .severalVaults:
      self = .usage(
        "That place has backups of several vaults.", hint: "Name one file. To list them: holdfast backup list --from PLACE")
    case .bucketNeedsKey:
      self = .usage(
        "A bucket needs an access key: its id and its secret.", hint: "Give both with --credentials-file FILE, one per line.")
    case .notOpened(let error, let type): self.init(error, by: type)
    case .opensNothing(let ways): self = .opensNot(ways)
    }
  }

  package static let noBackupPlan = OperationError(
    .notFound, "No backups are scheduled.", hint: "To schedule them: holdfast backup schedule --to /media/disk/backups")

  /// The credential opens none of the backup's slots. Which types would open it is unencrypted at the backup's beginning.
  private static func opensNot(_ types: [SlotType]) -> OperationError {
    var names: [String] = []
    for name in types.map(\.wayAtRestore) where !names.contains(name) { names.append(name) }
    let ways = names.isEmpty ? "" : " This backup opens with: \(names.joined(separator: ", "))."
    var error = OperationError(
      .locked, "This does not open the backup.", hint: "Give what opened the vault when the backup was made." + ways)
    error.tryAgainIn = 0
    return error
  }
}

extension SlotType {
  /// What to do with one during a restore, for people who are asked for it.
  fileprivate var wayAtRestore: String {
    switch self {
    case .passphrase: "a passphrase"
    case .recovery: "shares of a recovery kit (--shares-file FILE)"
    case .passkey: "a passkey (in the console, after the restore)"
    case .token: "a token (--token)"
    case .keyring: "the desktop's keyring (after the restore)"
    }
  }
}

extension OperationError {
  /// Why a browser's upload of a backup does not go on, as sentences.
  package init(_ error: BackupUploadError) {
    switch error {
    case .length(let limit):
      self = .failed(
        "A browser can send files of 1 byte to \(limit >> 20) MiB.",
        hint: "Check a larger backup on the signer's machine: holdfast backup verify FILE")
    case .tooMany:
      self = .failed(
        "Other browsers are sending backups.", hint: "Wait until they are done, or for ten minutes, then try again.")
    case .gone:
      self = .notFound(
        "This upload has ended, or another one began in the same browser. The signer removes one after ten minutes, and when it is locked.",
        hint: "Choose the file again.")
    case .outOfOrder(let expected): self = .usage("The next part must begin at byte \(expected).", hint: "Choose the file again.")
    case .partLength: self = .usage("A part of the file is too long or empty.", hint: "Choose the file again.")
    case .incomplete(let missing):
      self = .usage("The file has not arrived yet; \(missing) bytes are missing.", hint: "Choose the file again.")
    case .isChecking: self = .failed("Another backup is being checked.", hint: "Try again in a moment.")
    }
  }
}
