import AuditLog
import Backups
import Encodings
import ObjectStorage
import OwnerAPI
import OwnerWords
import Signer
import Vault

/// Backups: `backup/*`.
extension Operations {
  static let backupHandlers: [OperationHandler] = [
    backupHandler(BackupCreate.self) { try $0.createBackup($1, $2) },
    backupHandler(BackupRevokedApps.self) { operations, _, _ in try operations.giveRevokedApps() },
    backupHandler(BackupVerify.self) { try $0.verifyBackup($1, $2) },
    backupHandler(BackupList.self) { try $0.listBackups($1, $2) },
    backupHandler(BackupPlanShow.self) { operations, _, _ in try operations.showBackupPlan() },
    backupHandler(BackupSchedule.self) { try $0.scheduleBackups($1, $2) },
    backupHandler(BackupRun.self) { operations, _, call in
      // Each run removes the oldest backup beyond those that are kept: a browser left open must not push out all earlier ones.
      if call.channel == .console, operations.home.sessionLock.isLocked { throw OperationError.unlockFirst }
      _ = try operations.services.backups.run()
      return try operations.showBackupPlan()
    },
    backupHandler(BackupUploadCheck.self) { try $0.checkUpload($1, $2) },
    // A trial takes files, too, since it can restore them.
    .init(BackupUploadBegin.self) { try $0.beginUpload($1, $2) },
    .init(BackupUploadPart.self) { try $0.takeUploadPart($1, $2) },
    .init(BackupUploadEnd.self) { try $0.endUpload($1, $2) },
    .init(BackupUploadCancel.self) { operations, request, call in
      operations.services.uploads.drop(request.upload, in: try call.session())
      return Nothing()
    },
  ]

  /// A handler that refuses a trial's vault.
  private static func backupHandler<Operation: OwnerOperation>(
    _ operation: Operation.Type,
    _ perform: @escaping @Sendable (Operations, Operation.Request, OperationCall) throws -> Operation.Response
  ) -> OperationHandler {
    OperationHandler(operation) { operations, request, call in
      guard !operations.home.isTrial else { throw OperationError.trialIsNotBackedUp }
      return try perform(operations, request, call)
    }
  }

  /// The longest backup that is sent to a browser, in bytes.
  private static let longestDownload = 8 << 20

  private func createBackup(_ request: BackupCreate.Request, _ call: OperationCall) throws -> BackupCreate.Response {
    if request.place.to != nil { return try deliverBackup(request.place, call) }
    // A browser cannot write files on this machine, so it gets the bytes.
    guard call.channel != .console else { return try downloadBackup() }
    guard let place = request.file ?? request.folder, place.hasPrefix("/") else {
      throw OperationError.usage("The file must be an absolute path.")
    }
    let made = try services.backups.make(at: request.file, in: request.folder ?? "")
    var response = BackupCreate.Response()
    (response.file, response.facts) = (made.path, BackupFacts(made.summary))
    response.revocations = RevocationsBeside(made.revocationsFault.map { OperationError($0) })
    return response
  }

  private func deliverBackup(_ wanted: BackupPlaceRequest, _ call: OperationCall) throws -> BackupCreate.Response {
    let (place, store) = try wanted.store()
    // A program that can only reach this socket would choose a place that the owner has not named.
    try home.sessionLock.verify(call.proof())
    let made = try services.backups.deliver(to: store, at: place, keep: nil, isPlanned: false)
    var fault: OperationError?
    if case .failure(let failure) = made.revocations { fault = OperationError(failure) }
    var response = BackupCreate.Response()
    (response.place, response.name) = (place.text, made.name)
    (response.facts, response.revocations) = (BackupFacts(made.summary), RevocationsBeside(fault))
    return response
  }

  private func downloadBackup() throws -> BackupCreate.Response {
    // Whoever found the locked signer's browser open could otherwise take the vault along and guess its passphrase elsewhere.
    if home.sessionLock.isLocked { throw OperationError.unlockFirst }
    let path = home.folder.path + "/backup.download"
    FileSystem.remove(path)
    defer { FileSystem.remove(path) }
    let summary = try services.backups.make(at: path, isAlone: true).summary
    guard let bytes = FileSystem.read(path, limit: Self.longestDownload) else {
      throw OperationError.failed(
        "This backup is too large for a browser.", hint: "Make it on the signer's machine: holdfast backup create")
    }
    var response = BackupCreate.Response()
    (response.name, response.data) = (BackupName.of(summary, vaultID: home.vault.id), Base64.string(bytes))
    response.facts = BackupFacts(summary)
    return response
  }

  private func giveRevokedApps() throws -> BackupRevokedApps.Response {
    let list = try services.backups.revokedApps()
    var response = BackupRevokedApps.Response()
    (response.name, response.data, response.entries) = (list.name, Base64.string(list.bytes), list.entries)
    return response
  }

  func showBackupPlan() throws -> BackupPlanAnswer {
    var answer = BackupPlanAnswer()
    answer.warning = backupWarning()
    guard let plan = try services.backups.records.plan() else { return answer }
    var shown = BackupSchedulePlan(plan, isRunning: services.backups.isRunning)
    shown.remark = SameDiskRemark.text(for: plan.place, home: home.folder.path)
    answer.plan = shown
    return answer
  }
}

extension BackupFacts {
  init(_ summary: BackupSummary) {
    self.init()
    (made, number) = (summary.madeAt / 1000, Int64(clamping: summary.number))
    (records, leftOut) = (Int64(clamping: summary.records), Int64(clamping: summary.leftOut))
  }
}

extension RevocationsBeside {
  /// - Parameter fault: why the list is not beside it; nil if it is.
  fileprivate init(_ fault: OperationError?) {
    self.init()
    error = fault?.error
  }
}

extension BackupSchedulePlan {
  fileprivate init(_ plan: BackupPlan, isRunning: Bool) {
    self.init()
    (to, endpoint, region, certificates) = (plan.place.to, plan.place.endpoint, plan.place.region, plan.place.certificates)
    (every, keep, made) = (Period.text(plan.every), plan.keep, plan.made)
    (lastAttempt, last, name) = (plan.lastAttempt, plan.lastDone, plan.lastName)
    (failures, lastError) = (plan.failures, plan.lastError)
    (revocations, revocationsError) = (plan.revocationsSent, plan.revocationsError)
    self.isRunning = isRunning
  }
}

extension OperationError {
  static let trialIsNotBackedUp = OperationError(
    .failed, "A trial's vault cannot be backed up: it is wiped at the end, and nobody knows its passphrase.",
    hint: "To try this, keep the trial in a vault of your own: holdfast keep. In the console: Keep this trial…")
}
