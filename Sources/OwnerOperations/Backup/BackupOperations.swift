internal import AuditLog
internal import Backups
internal import Encodings
internal import JSON
internal import ObjectStorage
internal import OwnerAPI
internal import Signer
internal import Vault

/// Backups.
extension Operations {
  /// The longest backup that is handed to a browser, in bytes.
  private static let longestDownload = 8 << 20

  func backupOperation(_ given: Parameters, _ operation: String) throws -> JSONValue {
    guard !core.isTrial else { throw OperationError.trialIsNotBackedUp }
    switch operation {
    case "backup/create": return try createBackup(given)
    case "backup/verify": return try verifyBackup(given)
    case "backup/list": return try listBackups(given)
    case "backup/plan": return try showBackupPlan()
    case "backup/schedule": return try scheduleBackups(given)
    case "backup/run":
      _ = try services.backups.run()
      return try showBackupPlan()
    default: throw OperationError.noSuchOperation
    }
  }

  private func createBackup(_ given: Parameters) throws -> JSONValue {
    if try given.optionalText("to") != nil {
      let (place, store) = try given.store()
      // A place that the owner has not named is where a program that only talks to this socket would have them.
      try core.sessionLock.verify(given.proof())
      let made = try services.backups.deliver(to: store, keep: nil, "by the owner, and read back")
      let members: [JSONValue.Member] = [.init("to", .string(place.text)), .init("name", .string(made.name))]
      return .object(members + made.summary.members + Self.revocations(made.revocations.mapError { OperationError($0) }))
    }
    // A browser does not write files on this machine: it gets the bytes.
    guard given.channel != .console else { return try downloadBackup() }
    let (file, folder) = (try given.optionalText("file"), try given.optionalText("folder"))
    guard let place = file ?? folder, place.hasPrefix("/") else {
      throw OperationError.usage("The file must be named from the root.")
    }
    let made = try services.backups.make(at: file, in: folder ?? "")
    return .object(
      [.init("file", .string(made.path))] + made.summary.members + Self.revocations(made.revocationsFault.map { .failure(OperationError($0)) }))
  }

  /// Whether the list of revocations lies beside it.
  private static func revocations(_ result: Result<Int64, OperationError>?) -> [JSONValue.Member] {
    var error: JSONValue = .null
    if case .failure(let failure)? = result { error = .string(failure.error) }
    return [.init("revocations_error", error)]
  }

  private func downloadBackup() throws -> JSONValue {
    let path = core.home.path + "/backup.download"
    FileSystem.remove(path)
    defer { FileSystem.remove(path) }
    let summary = try services.backups.make(at: path, isAlone: true).summary
    guard let bytes = FileSystem.read(path, limit: Self.longestDownload) else {
      throw OperationError.failed(
        "This backup is too large for a browser.", hint: "Make it on the machine itself: holdfast backup create")
    }
    return .object(
      [.init("name", .string(BackupName.of(summary, vaultID: core.vault.id))), .init("data", .string(Base64.string(bytes)))]
        + summary.members)
  }

  func showBackupPlan() throws -> JSONValue {
    guard let plan = try services.backups.records.plan() else { return .object([.init("plan", .null)]) }
    return .object([.init("plan", .object((plan.json.members ?? []) + [.init("running", .bool(services.backups.isRunning))]))])
  }
}

extension BackupSummary {
  /// What is told of one that was made.
  var members: [JSONValue.Member] {
    [
      .init("made", .integer(madeAt / 1000)), .init("number", .integer(Int64(clamping: number))),
      .init("records", .integer(Int64(clamping: records))), .init("left_out", .integer(Int64(clamping: leftOut))),
    ]
  }
}

extension OperationError {
  static let trialIsNotBackedUp = OperationError(
    .failed, "A trial's vault is wiped at its end, and nobody knows its passphrase: a backup of it could not be opened.",
    hint: "To try this, make a vault: holdfast init")
}
