import AuditLog
import Backups

/// What is known about the vault's backups: what the log records, and what the schedule did. The console's custody page and the receipts
/// of keys use it.
struct KnownBackups: Equatable {
  /// The entries that it is read from.
  static let kinds: Set<AuditEntry.Kind> = [.backupMade, .backupVerified]

  /// When the newest one was made, in seconds since 1970; nil for none.
  private(set) var made: Int64?
  /// When the newest one was made that is known to have arrived: it was read back where it is stored, or checked later. In seconds since
  /// 1970; nil for none.
  private(set) var checked: Int64?
  /// The numbers of all that are known to have arrived.
  private(set) var numbersChecked: Set<Int64> = []
  /// Where the schedule stored its last one; nil if it stored none. Nobody knows where the others are.
  private(set) var place: PlaceText?

  /// - Parameter entries: of the log, oldest first. Those of other kinds are passed over.
  init(_ entries: [AuditEntry] = []) {
    var times: [Int64: Int64] = [:]
    for entry in entries {
      let time = entry.time / 1000
      switch entry.kind {
      case .backupMade:
        let isReadBack = entry.rule.map(BackupReason.isReadBack) ?? false
        if let number = entry.amount {
          times[number] = time
          if isReadBack { numbersChecked.insert(number) }
        }
        note(time, isChecked: isReadBack)
      case .backupVerified:
        if let number = entry.amount { numbersChecked.insert(number) }
        if let time = entry.amount.flatMap({ times[$0] }) { note(time, isChecked: true) }
      default: break
      }
    }
  }

  /// Takes one more into account.
  /// - Parameter time: when it was made, in seconds since 1970.
  mutating func note(_ time: Int64, isChecked: Bool) {
    made = max(made ?? time, time)
    if isChecked { checked = max(checked ?? time, time) }
  }

  /// Takes the last backup of the schedule into account, if it was made since then. It was read back at its place.
  /// - Parameter time: seconds since 1970.
  mutating func note(_ plan: BackupPlan?, since time: Int64) {
    guard let plan, let done = plan.lastDone, done >= time else { return }
    note(done, isChecked: true)
    place = plan.place
  }
}

extension Operations {
  /// What is known about backups that were made since a time, in seconds since 1970.
  /// - Parameter entries: of the log, oldest first; at least those of `KnownBackups.kinds` since then.
  func knownBackups(_ entries: [AuditEntry], since time: Int64) throws -> KnownBackups {
    var backups = KnownBackups(entries)
    backups.note(try services.backups.records.plan(), since: time)
    return backups
  }
}
