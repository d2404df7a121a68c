internal import AuditLog
internal import Encodings
internal import JSON
internal import Transfers
internal import Vault

/// Backups.
extension Operations {
  /// The longest backup that is handed to a browser, in bytes.
  private static let longestDownload = 8 << 20

  func backupOperation(_ given: Parameters, _ operation: String) throws(OperationFailure) -> JSONValue {
    guard !core.isTrial else { throw .trialIsNotBackedUp }
    switch operation {
    case "backup/create": return try createBackup(given)
    case "backup/verify": return try verifyBackup(given)
    case "backup/list": return try listBackups()
    case "backup/plan": return try showBackupPlan()
    case "backup/schedule": return try scheduleBackups(given)
    case "backup/run":
      _ = try core.backups.run()
      return try showBackupPlan()
    default: throw .noSuchOperation
    }
  }

  private func createBackup(_ given: Parameters) throws(OperationFailure) -> JSONValue {
    if try given.optionalText("to") != nil {
      let (place, store) = try given.store()
      let made = try core.backups.deliver(to: store, keep: nil, "by the owner, and read back")
      return .object([.init("to", .string(place.text)), .init("name", .string(made.name))] + made.summary.members)
    }
    // A browser does not write files on this machine: it gets the bytes.
    guard given.channel != .console else { return try downloadBackup() }
    let (file, folder) = (try given.optionalText("file"), try given.optionalText("folder"))
    guard let place = file ?? folder, place.hasPrefix("/") else { throw .usage("The file must be named from the root.") }
    let made = try core.backups.make(at: file, in: folder ?? "")
    return .object([.init("file", .string(made.path))] + made.summary.members)
  }

  private func downloadBackup() throws(OperationFailure) -> JSONValue {
    let path = core.home.path + "/backup.download"
    FileSystem.remove(path)
    defer { FileSystem.remove(path) }
    let summary = try core.backups.make(at: path).summary
    guard let bytes = FileSystem.read(path, limit: Self.longestDownload) else {
      throw .failed("This backup is too large for a browser.", hint: "Make it on the machine itself: holdfast backup create")
    }
    return .object(
      [.init("name", .string(BackupName.of(summary, vaultID: core.vault.id))), .init("data", .string(Base64.string(bytes)))]
        + summary.members)
  }

  /// With what the owner has, it is shown that he can open it; without, that the file is whole.
  private func verifyBackup(_ given: Parameters) throws(OperationFailure) -> JSONValue {
    let file = try given.text("file")
    guard given.channel != .console, file.hasPrefix("/") else { throw .usage("The file must be named from the root.") }
    let opened: OpenedBackup
    var isProven = true
    if let passphrase = given.secret("passphrase") {
      opened = try Opening.open(file, .passphrase(passphrase))
    } else if let shares = given.secret("shares") {
      opened = try Opening.open(file, .shares(shares))
    } else {
      isProven = false
      opened = try backupFile { () throws(BackupError) in try BackupFile(path: file).open(as: core.vault) }
    }
    let found = try backupFile { () throws(BackupError) in try opened.examine() }
    // A backup of another vault proves nothing about this one.
    let isOurs = (try? BackupFile(path: file).vaultID) == core.vault.id
    if isProven, isOurs { try vaultStep { try core.backups.records.noteTest(now: Clock.seconds) } }
    if isOurs { core.backups.note(.backupVerified, found.summary, isProven ? "opened by the owner" : "read by the signer") }
    return .object(
      [
        .init("file", .string(file)), .init("sound", true), .init("proven", .bool(isProven)), .init("this_vault", .bool(isOurs)),
      ] + found.members)
  }

  private func listBackups() throws(OperationFailure) -> JSONValue {
    let tested = try vaultStep { try core.backups.records.lastTest() }
    var members: [JSONValue.Member] = [.init("last_tested", tested.map { .integer($0) } ?? .null)]
    guard let plan = try vaultStep({ try core.backups.records.plan() }) else {
      return .object(members + [.init("backups", .array([]))])
    }
    let store = try core.store(of: plan)
    let files: [StoredFile]
    do throws(TransferFault) { files = try store.list(TransferControl()) } catch {
      return .object(members + [.init("backups", .array([])), .init("error", .string(error.text))])
    }
    let sizes = Dictionary(files.map { ($0.name, $0.size) }) { first, _ in first }
    let ours = files.compactMap { BackupName.parts($0.name, vaultID: core.vault.id) }.sorted().reversed()
    members.append(
      .init(
        "backups",
        .array(
          ours.map { file in
            .object([
              .init("name", .string(file.name)), .init("to", .string(plan.place.to)),
              .init("made", .integer(file.time)), .init("number", .integer(Int64(clamping: file.number))),
              .init("size", sizes[file.name].flatMap { $0 }.map { .integer(Int64(clamping: $0)) } ?? .null),
              .init("verified", .bool(file.name == plan.lastName)),
            ])
          })))
    return .object(members)
  }

  private func showBackupPlan() throws(OperationFailure) -> JSONValue {
    guard let plan = try vaultStep({ try core.backups.records.plan() }) else { return .object([.init("plan", .null)]) }
    return .object([.init("plan", .object((plan.json.members ?? []) + [.init("running", .bool(core.backups.isRunning))]))])
  }

  private func scheduleBackups(_ given: Parameters) throws(OperationFailure) -> JSONValue {
    if given["off"]?.bool == true {
      try vaultStep { try core.vault.transaction([BackupRecords.removal, BackupCredential.removal]) }
      return .object([.init("plan", .null)])
    }
    let (_, _, text, credential) = try given.backupPlace()
    guard let every = Period.seconds(try given.optionalText("every") ?? "1d"),
      (BackupPlan.shortestPeriod...BackupPlan.longestPeriod).contains(every)
    else { throw .usage("“every” is a time from 15m to 366d, as 12h, 1d or 1w.") }
    let keep = try given.optionalInteger("keep") ?? BackupPlan.usualKeep
    guard (1...BackupPlan.mostKept).contains(keep) else { throw .usage("“keep” is a number from 1 to \(BackupPlan.mostKept).") }
    let plan = BackupPlan(place: text, every: every, keep: keep, made: Clock.seconds)
    try vaultStep {
      let login = try credential.map { credential throws(VaultError) in try credential.change() } ?? BackupCredential.removal
      try core.vault.transaction([BackupRecords.change(plan), login])
    }
    core.log.append(.event(.settingChanged, rule: "backups by a plan")) { _ in }
    return try showBackupPlan()
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

extension Core {
  /// The way to where the plan's backups are.
  func store(of plan: BackupPlan) throws(OperationFailure) -> any FileStore {
    let credential: BackupCredential?
    let place: BackupPlace
    do { (credential, place) = (try BackupCredential.load(from: vault), try plan.place.place()) } catch let error as PlaceFault {
      throw OperationFailure(error)
    } catch { throw OperationFailure(error) }
    return try place.store(credential, certificates: plan.place.certificates)
  }
}

extension OperationFailure {
  static let trialIsNotBackedUp = OperationFailure(
    .failed, "A trial's vault is wiped at its end, and nobody knows its passphrase: a backup of it could not be opened.",
    hint: "To try this, make a vault: holdfast init")
}
