import AuditLog
import Backups
import Encodings
import ObjectStorage
package import OwnerAPI
import OwnerWords
import Platform
import Signer
import Vault

/// The plan for automatic backups.
extension Operations {
  /// Members that are not given keep their value: the place, its credential, how often, how many.
  func scheduleBackups(_ request: BackupSchedule.Request, _ call: OperationCall) throws -> BackupPlanAnswer {
    if request.isOff {
      guard try services.backups.records.plan() != nil else { throw OperationError.noBackupPlan }
      try home.outbox.recording(.event(.settingChanged, rule: "scheduled backups were turned off")) {
        try home.vault.transaction([BackupRecords.removal, BackupCredential.removal])
      }
      return BackupPlanAnswer()
    }
    let current = try services.backups.records.plan()
    let wanted = try wantedPlace(request.place, current)
    let keep = request.keep ?? current?.keep ?? BackupPlan.usualKeep
    guard (1...BackupPlan.mostKept).contains(keep) else {
      throw OperationError.usage("“keep” must be a number from 1 to \(BackupPlan.mostKept).")
    }
    var plan = BackupPlan(
      place: wanted.place, every: try Self.period(request.every) ?? current?.every ?? BackupPlan.usualPeriod, keep: keep,
      made: Clock.seconds)
    if let current, wanted.isSame { plan.goOn(from: current) }
    // The owner must confirm where all encrypted rows go, and how many copies of them are kept.
    try home.sessionLock.verify(call.proof())
    if !wanted.isSame || !wanted.login.isEmpty, !request.isUntested { try tryOut(wanted.place, request) }
    let changes = [BackupRecords.change(plan)] + wanted.login
    try home.outbox.recording(.event(.settingChanged, rule: "backups were scheduled")) { try home.vault.transaction(changes) }
    return try showBackupPlan()
  }

  /// A place that does not work, or whose new password does not, is refused now, and not found out on the day of the next backup.
  private func tryOut(_ place: PlaceText, _ request: BackupSchedule.Request) throws {
    do { try services.backups.tryOut(try request.place.store(at: place)) } catch let error as ObjectStorageError {
      throw Self.doesNotWork(OperationError(error), request)
    }
  }

  /// The error for a place that does not work, with the command that takes it nevertheless.
  package static func doesNotWork(_ failure: OperationError, _ request: BackupSchedule.Request) -> OperationError {
    let hint = failure.hint.map { $0 + " " } ?? ""
    return .failed(failure.error, hint: hint + "To use the place although it does not work now: \(untested(request))")
  }

  /// The whole command that takes a place without trying it.
  private static func untested(_ request: BackupSchedule.Request) -> String {
    let options: [(String, String?)] = [
      ("to", request.place.to), ("endpoint", request.place.endpoint), ("region", request.place.region),
      ("ca", request.place.certificates), ("every", request.every), ("keep", request.keep.map { "\($0)" }),
    ]
    let words = options.flatMap { name, value in value.map { ["--\(name)", ShellWord.plainOrQuoted($0)] } ?? [] }
    return (["holdfast backup schedule"] + words + ["--untested"]).joined(separator: " ")
  }

  /// The wanted place, whether it is the present one, and which credential applies.
  private func wantedPlace(
    _ request: BackupPlaceRequest, _ current: BackupPlan?
  ) throws -> (place: PlaceText, isSame: Bool, login: [RecordChange]) {
    let login = try request.login()
    var change: [RecordChange] = []
    if let login { change = [try login.change()] }
    guard request.to != nil else {
      guard let current else { throw OperationError.usage("The place for backups is missing.", hint: "Give it with --to PLACE.") }
      return (current.place, true, change)
    }
    var wanted = try request.text()
    guard let current, current.place.isSamePlace(as: wanted) else {
      _ = try request.store()  // a place that needs credentials and gets none is said now
      return (wanted, false, login == nil ? [BackupCredential.removal] : change)
    }
    wanted.certificates = wanted.certificates ?? current.place.certificates
    return (wanted, true, change)
  }

  private static func period(_ text: String?) throws -> Int64? {
    guard let text else { return nil }
    guard let every = Period.seconds(text), (BackupPlan.shortestPeriod...BackupPlan.longestPeriod).contains(every) else {
      throw OperationError.usage("“every” must be a time from 15m to 366d, such as 12h, 1d or 1w.")
    }
    return every
  }
}
