import AuditLog
import Backups
import OwnerAPI
import Signer
import Vault

/// What is known about the vault's backups: what the log records, and what the schedule did. The checklist, the Backups page, `backup list`,
/// `doctor` and the receipts of keys all judge by it.
struct KnownBackups: Equatable {
  /// The entries that it is read from.
  static let kinds: Set<AuditEntry.Kind> = [.backupMade, .backupVerified]

  /// Where a backup is, as far as is known.
  enum Whereabouts {
    /// It is a file that nobody has checked since it was made.
    case unknown
    /// It was read on the vault's own disk.
    case onVaultsDisk
    /// It was read, and not on the vault's disk as far as is known.
    case elsewhere
  }

  /// When the newest one was made, in milliseconds since 1970 like the other times here; nil for none.
  private(set) var made: Int64?
  /// When the newest one was made that is known to have arrived, but only on the vault's disk.
  private(set) var onVaultsDisk: Int64?
  /// When the newest one was made that is known to have arrived: it was read back where it is stored, or checked later.
  private(set) var elsewhere: Int64?
  /// The numbers of all that are known to have arrived.
  private(set) var numbersChecked: Set<Int64> = []
  /// When each was made, in milliseconds since 1970, by its number.
  private var times: [Int64: Int64] = [:]
  /// Where the schedule stored its last one; nil if it stored none. Nobody knows where the others are.
  private(set) var place: PlaceText?

  /// - Parameter entries: of the log, oldest first. Those of other kinds are passed over.
  init(_ entries: [AuditEntry] = []) {
    for entry in entries {
      switch entry.kind {
      case .backupMade:
        let isReadBack = entry.rule.map(BackupReason.isReadBack) ?? false
        if let number = entry.amount {
          times[number] = entry.time
          if isReadBack { numbersChecked.insert(number) }
        }
        note(entry.time, entry.rule.flatMap { isReadBack ? Self.whereabouts($0) : nil } ?? .unknown)
      case .backupVerified:
        if let number = entry.amount { numbersChecked.insert(number) }
        if let time = entry.amount.flatMap({ times[$0] }) { note(time, entry.rule.map(Self.whereabouts) ?? .elsewhere) }
      default: break
      }
    }
  }

  private static func whereabouts(_ reason: AuditRule) -> Whereabouts {
    BackupReason.isOnVaultsDisk(reason) ? .onVaultsDisk : .elsewhere
  }

  /// Takes one more into account.
  /// - Parameter time: when it was made, in milliseconds since 1970.
  mutating func note(_ time: Int64, _ whereabouts: Whereabouts) {
    made = max(made ?? time, time)
    switch whereabouts {
    case .unknown: break
    case .onVaultsDisk: onVaultsDisk = max(onVaultsDisk ?? time, time)
    case .elsewhere: elsewhere = max(elsewhere ?? time, time)
    }
  }

  /// When a backup was made, in milliseconds since 1970. Its name has whole seconds, and the log knows more. Of one that the log does not
  /// know, the start of the second counts: what was made in the same second may not be in it.
  /// - Parameters:
  ///   - number: of the backup.
  ///   - time: in its name, seconds since 1970.
  func time(ofNumber number: Int64, named time: Int64) -> Int64 {
    times[number].map { min($0, time * 1000 + 999) } ?? time * 1000
  }

  /// Takes the last backup of the schedule into account, if it was made since then. It was read back at its place.
  /// - Parameters:
  ///   - time: seconds since 1970.
  ///   - home: the folder of the vault.
  mutating func note(_ plan: BackupPlan?, since time: Int64, home: String) {
    guard let plan, let done = plan.lastDone, done >= time else { return }
    let parts = plan.lastName.flatMap { BackupName.parts($0) }
    let made = parts.map { self.time(ofNumber: Int64(clamping: $0.number), named: $0.time) } ?? done * 1000
    note(made, VaultsDisk.has(try? plan.place.place(), home: home) ? .onVaultsDisk : .elsewhere)
    place = plan.place
  }
}

extension Operations {
  /// What is known about backups that were made since a time, in seconds since 1970.
  /// - Parameter entries: of the log, oldest first; at least those of `KnownBackups.kinds` since then.
  func knownBackups(_ entries: [AuditEntry], since time: Int64) throws -> KnownBackups {
    var backups = KnownBackups(entries)
    backups.note(try services.backups.records.plan(), since: time, home: home.folder.path)
    return backups
  }
}
