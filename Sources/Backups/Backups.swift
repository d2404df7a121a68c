package import AuditLog
import Encodings
import Identities
import JSON
package import ObjectStorage
import Platform
import SecretMemory
package import Signer
package import Vault

/// Makes backups: to a file, to a place once, or by the plan. One at a time.
package final class Backups: Sendable {
  private struct State {
    var isRunning = false
    var isStopping = false
    /// When the plan was last tried, in seconds of the clock since boot.
    var attemptedAt: Int64?
    var thread: SystemThread?
    /// Whether the thread has ended, or no longer uses anything of this object.
    var isThreadOver = true
    /// Whether planned backups may be made automatically.
    var isServing = false
    /// How many pairings have ended. Nil if they must be counted again.
    var revocations: Int64?
    /// When the list of revocations was last stored at the plan's place, or tried to be, in seconds of the clock since boot.
    var triedRevocationsAt: Int64?
    var revocationFailures: Int64 = 0
  }

  private struct Alarm: Sendable { let raise: @Sendable () -> Void }

  package let records: BackupRecords
  let revocations: Revocations
  let vault: Vault
  private let home: Home
  private let log: AuditLog
  private let alarm: Alarm
  /// Turns an error into a sentence that is stored with the plan, for the owner.
  let describe: @Sendable (any Error) -> String
  private let state = Locked(State())

  /// - Parameters:
  ///   - describe: turns an error into a sentence that is stored with the plan.
  ///   - alarm: called when planned backups have failed several times in a row.
  package init(
    home: Home, vault: Vault, log: AuditLog, describe: @escaping @Sendable (any Error) -> String,
    alarm: @escaping @Sendable () -> Void
  ) {
    (self.home, self.vault, self.log, self.describe, self.alarm) = (home, vault, log, describe, Alarm(raise: alarm))
    records = BackupRecords(vault: vault)
    revocations = Revocations(vault: vault)
  }

  // MARK: making a backup

  /// Makes one file, and records it.
  /// - Parameters:
  ///   - path: nil for a file in the folder whose name has the vault, time and number.
  ///   - isAlone: whether it gets no list of revocations beside it.
  package func make(at path: String?, in folder: String = "", isAlone: Bool = false) throws -> MadeFile {
    _ = try revocations.keyMadeIfMissing()
    let number = try records.nextNumber()
    let now = Clock.milliseconds
    let path = path ?? folder + "/" + BackupName.of(number: number, madeAt: now / 1000, vaultID: vault.id)
    let summary = try vault.writeBackup(to: path, number: number, now: now) { [state] _, _ in !state.withLock { $0.isStopping } }
    note(.backupMade, summary, BackupReason.file)
    var made = MadeFile(path: path, summary: summary)
    if !isAlone {
      let store = FolderStore(FilePath.folder(of: path))
      do { _ = try bringRevocations(to: store, number: number, cancellation) } catch {
        made.revocationsFault = error
      }
    }
    return made
  }

  /// A backup in a file.
  package struct MadeFile {
    package let path: String
    package let summary: BackupSummary
    /// Why the list of revocations could not be written beside it.
    package var revocationsFault: (any Error)?
  }

  /// A backup that was stored at a place and read back.
  package struct Delivered {
    package let name: String
    package let summary: BackupSummary
    /// How many revocations the list beside it has, or why the list could not be stored.
    package var revocations: Result<Int64, any Error>
    /// Why older backups could not be removed.
    var pruning: ObjectStorageError?
  }

  /// Stores a new backup at a place, fetches it again and opens it. Only then it removes the oldest of those beyond `keep`.
  /// - Parameter place: where the store is.
  package func deliver(to store: any FileStore, at place: BackupPlace, keep: Int64?, isPlanned: Bool) throws -> Delivered {
    guard begin() else { throw BackupsError.isRunning }
    defer { end() }
    let control = cancellation
    let spool = home.path + "/backup.spool"
    defer { for suffix in ["", ".part", ".back", ".back.part"] { unlink(spool + suffix) } }
    for suffix in ["", ".back"] { unlink(spool + suffix) }  // left by a crash
    let number = try records.nextNumber()
    // The list is stored before the backup. So a backup without a list that is as new means that somebody removed the list.
    let revocations: Result<Int64, any Error>
    do { revocations = .success(try bringRevocations(to: store, number: number, control)) } catch {
      revocations = .failure(error)
      // Without it, the backup could not read a list that is written later.
      _ = try self.revocations.keyMadeIfMissing()
    }
    let summary = try vault.writeBackup(to: spool, number: number, now: Clock.milliseconds) { _, _ in !control.isCancelled() }
    let vaultID = try BackupFile(path: spool).vaultID
    let name = BackupName.of(summary, vaultID: vaultID)
    try store.put(spool, as: name, control)
    do { try check(store, name, summary, spool, control) } catch {
      try? store.delete(name, control)
      throw error
    }
    var delivered = Delivered(name: name, summary: summary, revocations: revocations)
    if let keep {
      do throws(ObjectStorageError) { try prune(store, vaultID, keep: keep, newest: name, control) } catch {
        delivered.pruning = error
      }
    }
    note(.backupMade, summary, reason(isPlanned, isOnVaultsDisk: VaultsDisk.has(place, home: home.path)))
    return delivered
  }

  private func reason(_ isPlanned: Bool, isOnVaultsDisk: Bool) -> AuditRule {
    isPlanned
      ? (isOnVaultsDisk ? BackupReason.planOnVaultsDisk : BackupReason.plan)
      : (isOnVaultsDisk ? BackupReason.deliveryOnVaultsDisk : BackupReason.delivery)
  }

  func begin() -> Bool {
    state.withLock { state in
      guard !state.isRunning, !state.isStopping else { return false }
      state.isRunning = true
      return true
    }
  }

  func end() { state.change { $0.isRunning = false } }

  /// Cancels transfers when this object is stopped.
  var cancellation: TransferControl { TransferControl(isCancelled: { [state] in state.withLock { $0.isStopping } }) }

  /// Checks that the stored file is the one that was sent, complete, and that it opens. A server that sends without end cannot
  /// fill the disk.
  private func check(
    _ store: any FileStore, _ name: String, _ summary: BackupSummary, _ spool: String, _ control: TransferControl
  ) throws {
    let path = spool + ".back"
    var status = stat()
    guard stat(spool, &status) == 0 else { throw BackupError.io("looking at the file", code: errno) }
    var left = Int(status.st_size)
    let file = try NewFile(at: path)
    var fault: BackupError?
    do throws(ObjectStorageError) {
      try store.get(name, control) { piece in
        do throws(BackupError) {
          guard piece.count <= left else { throw .goesOn }
          left -= piece.count
          try file.write(piece)
        } catch { fault = error }
        return fault == nil
      }
    } catch { if fault == nil { throw error } }
    if let fault { throw fault }
    try file.finish()
    let found = try BackupFile(path: path).open(as: vault).examineIdentities(knowing: vault.kinds)
    guard found.examination.summary == summary else { throw BackupError.headerNotAuthentic }
  }

  private func prune(
    _ store: any FileStore, _ vaultID: [UInt8], keep: Int64, newest: String, _ control: TransferControl
  ) throws(ObjectStorageError) {
    // If the clock was set back, the newest backup may seem old.
    let others = try store.list(control).compactMap { BackupName.parts($0.name, vaultID: vaultID) }.filter { $0.name != newest }
    for old in others.sorted().dropLast(Int(clamping: keep - 1)) { try store.delete(old.name, control) }
  }

  // MARK: the plan

  /// Makes the planned backup now.
  /// - Throws: the error that is also stored in the plan.
  package func run() throws -> BackupPlan {
    guard var plan = try records.plan() else { throw BackupsError.noPlan }
    state.withLock { $0.attemptedAt = Clock.boot }
    let result: Result<Delivered, any Error>
    do {
      result = .success(try deliver(to: store(of: plan), at: plan.place.place(), keep: plan.keep, isPlanned: true))
    } catch { result = .failure(error) }
    if state.withLock({ $0.isStopping }), case .failure = result { return plan }
    // The owner may have changed the plan meanwhile.
    guard let current = try records.plan(), current.made == plan.made else {
      return plan
    }
    plan.lastAttempt = Clock.seconds
    switch result {
    case .success(let delivered):
      (plan.lastDone, plan.lastName, plan.failures) = (plan.lastAttempt, delivered.name, 0)
      plan.lastError = delivered.pruning.map { "old backups could not be removed: \($0.text)" }
      plan.note(delivered.revocations, describe)
    case .failure(let failure):
      plan.failures += 1
      plan.lastError = describe(failure)
    }
    let changed = plan
    try records.save(changed)
    if plan.failures >= BackupDue.failuresTold { alarm.raise() }
    if case .failure(let failure) = result { throw failure }
    return plan
  }

  /// The store that holds the plan's backups.
  package func store(of plan: BackupPlan) throws -> any FileStore {
    let credential = try BackupCredential.load(from: vault)
    return try plan.place.place().store(credential, certificates: plan.place.certificates)
  }

  /// Finds out whether backups can be stored at a place: stores a small file of a new name there, and removes it. A place that lets
  /// nobody remove files is good as well.
  package func tryOut(_ store: any FileStore) throws(ObjectStorageError) {
    let control = cancellation
    let name = "holdfast-test-\(Hex.encode(SystemRandom.bytes(8))).txt"
    try store.replace(name, with: Array("A test of Holdfast. It can be removed.".utf8), control)
    try? store.delete(name, control)
  }

  /// Makes planned backups automatically from now on.
  package func serve() { state.change { $0.isServing = true } }

  /// Called when pairings have ended: the list at the plan's place will be updated soon.
  package func revocationsChanged() {
    if state.withLock({ state in
      state.revocations = nil
      return state.isServing
    }) {
      runIfDue()
    }
  }

  /// How many pairings have ended.
  func revocationCount() -> Int64? {
    if let known = state.withLock({ $0.revocations }) { return known }
    let count = (try? vault.ids(.revocation).count).map { Int64($0) }
    state.change { $0.revocations = count }
    return count
  }

  func triedRevocations(hasFailed: Bool) {
    state.change { state in
      state.triedRevocationsAt = Clock.boot
      state.revocationFailures = hasFailed ? state.revocationFailures + 1 : 0
    }
  }

  /// Whether the pause after failures is over.
  func mayTryRevocations(every: Int64) -> Bool {
    state.withLock { state in
      guard let last = state.triedRevocationsAt, state.revocationFailures > 0 else { return true }
      return Clock.boot - last >= BackupDue.pause(after: state.revocationFailures, every)
    }
  }

  /// Makes the planned backup on a thread of its own if it is due, or updates the list of revocations at the plan's place if that
  /// has changed. Call it regularly.
  package func runIfDue() {
    guard let plan = try? records.plan() else { return }
    let areRevocationsDue = areRevocationsDue(plan)
    state.withLock { state in
      let since = state.attemptedAt.map { Clock.boot - $0 }
      let isDue = BackupDue.isDue(plan, now: Clock.seconds, sinceAttempt: since)
      guard !state.isRunning, !state.isStopping, state.isThreadOver, isDue || areRevocationsDue else { return }
      if let last = state.thread { last.join() }
      if isDue { state.attemptedAt = Clock.boot }
      state.isThreadOver = false
      state.thread = SystemThread.start { [self] in
        if isDue { _ = try? run() } else { sendRevocations() }
        self.state.change { $0.isThreadOver = true }
      }
      if state.thread == nil { state.isThreadOver = true }
    }
  }

  /// Cancels what runs and waits for its end.
  package func stop() {
    let thread = state.withLock { state in
      state.isStopping = true
      defer { state.thread = nil }
      return state.thread
    }
    if let thread { thread.join() }
    _ = state.wait(milliseconds: 5_000) { $0.isRunning ? nil : true }
  }

  /// Whether no automatic work is in progress.
  func isThreadOver(within milliseconds: Int) -> Bool {
    state.wait(milliseconds: milliseconds) { $0.isThreadOver ? true : nil } ?? false
  }

  /// Whether a backup is being made.
  package var isRunning: Bool { state.withLock { $0.isRunning } }

  /// Records in the log what was done with a backup.
  package func note(_ kind: AuditEntry.Kind, _ summary: BackupSummary, _ rule: AuditRule) {
    var entry = AuditEntry.event(kind, rule: rule)
    entry.amount = Int64(clamping: summary.number)
    log.append(entry) { _ in }
  }
}
