import Vault

/// What the backups are worth if this machine is lost: whether one is elsewhere that has the keys and opens with what opens the vault now.
/// Times are in seconds since 1970.
enum BackupStanding: Equatable {
  case none
  /// A key is not in the newest one.
  case lacksKey(made: Int64)
  /// Something that opens the vault now does not open the newest one.
  case notOpened(by: SlotType, made: Int64)
  /// The newest one is a file that was not checked.
  case unchecked(made: Int64)
  case onlyOnVaultsDisk(made: Int64)
  case sound(made: Int64)

  /// - Parameters:
  ///   - keys: when the newest key was made that must be in it, in seconds since 1970.
  ///   - ways: the slots that must open it.
  init(_ backups: KnownBackups, keys newest: Int64, ways: [SlotInfo]) {
    func serves(_ time: Int64) -> Bool {
      time / 1000 >= newest && BackupWays(ways, ofBackupMade: time).closed.isEmpty
    }
    guard let made = backups.made else {
      self = .none
      return
    }
    if let time = backups.elsewhere, serves(time) {
      self = .sound(made: time / 1000)
    } else if let time = backups.onVaultsDisk, serves(time), made == time {
      self = .onlyOnVaultsDisk(made: time / 1000)
    } else if made / 1000 < newest {
      self = .lacksKey(made: made / 1000)
    } else if let way = BackupWays(ways, ofBackupMade: made).closed.first {
      self = .notOpened(by: way.type, made: made / 1000)
    } else {
      self = .unchecked(made: made / 1000)
    }
  }
}

/// Which of the vault's present slots open a backup from some time, and which do not, because they were made or changed later, or in the
/// same millisecond. The keyring is no such way: it is at the desktop where it was made.
struct BackupWays {
  let open: [SlotInfo]
  let closed: [SlotInfo]

  /// - Parameter time: milliseconds since 1970.
  init(_ slots: [SlotInfo], ofBackupMade time: Int64) {
    let lasting = slots.filter { $0.type != .keyring }
    open = lasting.filter { $0.made < time }
    closed = lasting.filter { $0.made >= time }
  }
}
