import Backups
import HTTPClient
import ObjectStorage
package import OwnerAPI
import Platform
package import Vault

extension OperationError {
  /// A fault of a backup file, in words for people.
  package init(_ error: BackupError) {
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

extension OperationError {
  /// A place that cannot be meant.
  init(_ error: PlaceError) {
    let text =
      switch error {
      case .tooLong(let limit): "The place for backups is longer than \(limit) bytes."
      case .noAddress: "This is no place for backups."
      case .needsTLS: "A server for backups must be reached by https, unless it runs on this machine."
      case .passwordInAddress: "A password does not belong in an address: addresses are stored and shown in clear."
      case .notAbsolute: "The folder for backups must be named from the root: /media/disk/backups."
      case .badBucket: "A bucket's name has 3 to 63 of a-z, 0-9, “-” and “.”."
      case .badRegion: "A region's name has a-z, 0-9 and “-”."
      }
    self.init(.usage, text, hint: "A folder from the root, https://user@host/path, or s3://bucket/prefix.")
  }

  /// A place that does not do what it should.
  init(_ error: ObjectStorageError) {
    let hint: String? =
      switch error {
      case .http(.noLibrary): "Install it: apt install libcurl4"
      case .notAuthorized: "Give new ones: holdfast backup schedule … --credentials-file FILE"
      case .notFound: "Look whether the disk is mounted, the folder or bucket is there and its name is right."
      case .full: "Make room there, or keep fewer: holdfast backup schedule … --keep N"
      case .clocksDiffer: "Set this machine's clock."
      case .http(.notTrusted): "For a certificate of your own: --ca FILE"
      default: nil
      }
    self.init(.failed, "The place for backups: \(error.text).", hint: hint)
  }
}

extension OperationError {
  /// Why a backup could not be made or read, in words.
  init(_ error: BackupsError) {
    switch error {
    case .isRunning: self = .failed("A backup is being made.", hint: "Wait for it, then see: holdfast backup plan")
    case .noPlan: self = .noBackupPlan
    case .noBackupOfThatName:
      self = .notFound("There is no backup of that name there.", hint: "See: holdfast backup list --from PLACE")
    case .noBackup:
      self = .notFound(
        "There is no backup there.", hint: "Is it the right folder or bucket? See: holdfast backup list --from PLACE")
    case .severalVaults:
      self = .usage("Backups of several vaults lie there.", hint: "Name one of: holdfast backup list --from PLACE")
    case .bucketNeedsKey:
      self = .usage(
        "A bucket needs an access key: its id and its secret.", hint: "Give both in --credentials-file FILE, one a line.")
    case .notOpened(let error, let type): self.init(error, by: type)
    case .opensNothing(let ways): self = .opensNot(ways)
    }
  }

  static let noBackupPlan = OperationError(
    .notFound, "Nothing is backed up by itself.", hint: "Set it up: holdfast backup schedule --to /media/disk/backups")

  /// What was shown opens none of its slots. What would is in clear at its beginning.
  private static func opensNot(_ types: [SlotType]) -> OperationError {
    var names: [String] = []
    for name in types.map(\.wayAtRestore) where !names.contains(name) { names.append(name) }
    let ways = names.isEmpty ? "" : " This one opens with: \(names.joined(separator: ", "))."
    return OperationError(
      .locked, "This does not open the backup.", hint: "A backup opens with what opened the vault when it was made." + ways)
  }
}

extension SlotType {
  /// What to do with one at a restore, for people who are asked for it.
  fileprivate var wayAtRestore: String {
    switch self {
    case .passphrase: "a passphrase"
    case .recovery: "shares of a recovery kit (--shares-file FILE)"
    case .passkey: "a passkey (in a console, after the restore)"
    case .token: "a token (--token)"
    case .keyring: "the desktop's keyring (after the restore)"
    }
  }
}
