internal import AuditLog
internal import Backups
internal import JSON
internal import ObjectStorage
internal import OwnerAPI
internal import Platform
internal import Signer
internal import Vault

/// Where backups go by themselves.
extension Operations {
  /// What is not given stays as it is: the place, its credentials, how often, how many.
  func scheduleBackups(_ given: Parameters) throws -> JSONValue {
    if given["off"]?.bool == true {
      try core.outbox.recording(.event(.settingChanged, rule: "no backups by a plan")) {
        try core.vault.transaction([BackupRecords.removal, BackupCredential.removal])
      }
      return .object([.init("plan", .null)])
    }
    let current = try services.backups.records.plan()
    let wanted = try wantedPlace(given, current)
    let keep = try given.optionalInteger("keep") ?? current?.keep ?? BackupPlan.usualKeep
    guard (1...BackupPlan.mostKept).contains(keep) else {
      throw OperationError.usage("“keep” is a number from 1 to \(BackupPlan.mostKept).")
    }
    var plan = BackupPlan(
      place: wanted.place, every: try period(given) ?? current?.every ?? BackupPlan.usualPeriod, keep: keep, made: Clock.seconds)
    if let current, wanted.isSame { plan.goOn(from: current) }
    // Where all sealed rows go, and how many copies of them stay, is for the owner to say.
    try core.sessionLock.verify(given.proof())
    let changes = [BackupRecords.change(plan)] + wanted.login
    try core.outbox.recording(.event(.settingChanged, rule: "backups by a plan")) { try core.vault.transaction(changes) }
    return try showBackupPlan()
  }

  /// Where to, whether that is where they go now, and what becomes of the credentials.
  private func wantedPlace(
    _ given: Parameters, _ current: BackupPlan?
  ) throws -> (place: PlaceText, isSame: Bool, login: [RecordChange]) {
    let login = try given.credential()
    var change: [RecordChange] = []
    if let login { change = [try login.change()] }
    guard try given.optionalText("to") != nil else {
      guard let current else { throw OperationError.usage("Where to is missing.", hint: "Say it with --to PLACE.") }
      return (current.place, true, change)
    }
    var wanted = try given.placeText()
    guard let current, current.place.isSamePlace(as: wanted) else {
      _ = try given.backupPlace()  // a place that needs credentials and gets none is said now
      return (wanted, false, login == nil ? [BackupCredential.removal] : change)
    }
    wanted.certificates = wanted.certificates ?? current.place.certificates
    return (wanted, true, change)
  }

  private func period(_ given: Parameters) throws -> Int64? {
    guard let text = try given.optionalText("every") else { return nil }
    guard let every = Period.seconds(text), (BackupPlan.shortestPeriod...BackupPlan.longestPeriod).contains(every) else {
      throw OperationError.usage("“every” is a time from 15m to 366d, as 12h, 1d or 1w.")
    }
    return every
  }
}
