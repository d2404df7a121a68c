package import AuditLog
import Identities
import JSON
package import ObjectStorage
import OwnerAPI
import Platform
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
    /// Whether the thread touches nothing of ours any more.
    var isThreadOver = true
    /// Whether a thread may do by itself what is due.
    var isServing = false
    /// How many pairings have ended; nil when they are to be counted anew.
    var revocations: Int64?
    /// When the list of them was last brought to the plan's place, or tried to be, in seconds of the clock since boot.
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
  /// Why something failed, in words for the plan, which the owner reads.
  let describe: @Sendable (any Error) -> String
  private let state = Locked(State())

  /// - Parameters:
  ///   - describe: why something failed, in words that are kept with the plan.
  ///   - alarm: called when planned backups have failed several times in a row.
  package init(
    home: Home, vault: Vault, log: AuditLog, describe: @escaping @Sendable (any Error) -> String,
    alarm: @escaping @Sendable () -> Void
  ) {
    (self.home, self.vault, self.log, self.describe, self.alarm) = (home, vault, log, describe, Alarm(raise: alarm))
    records = BackupRecords(vault: vault)
    revocations = Revocations(vault: vault)
  }

  // MARK: making one

  /// Makes one file, and records it.
  /// - Parameters:
  ///   - path: nil is a file in the folder, named for vault, time and number.
  ///   - isAlone: whether it gets no list of revocations beside it.
  package func make(at path: String?, in folder: String = "", isAlone: Bool = false) throws -> MadeFile {
    _ = try revocations.keyMadeIfMissing()
    let number = try records.nextNumber()
    let now = Clock.milliseconds
    let path = path ?? folder + "/" + BackupName.of(number: number, madeAt: now / 1000, vaultID: vault.id)
    let summary = try vault.writeBackup(to: path, number: number, now: now) { [state] _, _ in !state.withLock { $0.isStopping } }
    note(.backupMade, summary, "by the owner")
    var made = MadeFile(path: path, summary: summary)
    if !isAlone {
      let store = FolderStore(NewFile.folder(of: path))
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
    /// Why the list of revocations does not lie beside it.
    package var revocationsFault: (any Error)?
  }

  /// A backup that was brought to a place and read back.
  package struct Delivered {
    package let name: String
    package let summary: BackupSummary
    /// How many revocations the list beside it has, or why it could not be brought there.
    package var revocations: Result<Int64, any Error>
    /// Older ones that could not be removed: what kept them.
    var pruning: ObjectStorageError?
  }

  /// Brings a new one to a place, fetches it again, opens it, and only then removes the oldest of those beyond `keep`.
  package func deliver(to store: any FileStore, keep: Int64?, _ why: AuditRule) throws -> Delivered {
    guard begin() else { throw BackupsError.isRunning }
    defer { end() }
    let control = cancellation
    let spool = home.path + "/backup.spool"
    defer { for suffix in ["", ".part", ".back", ".back.part"] { unlink(spool + suffix) } }
    for suffix in ["", ".back"] { unlink(spool + suffix) }  // left by a crash
    let number = try records.nextNumber()
    // Before the backup: one that lies there without a list that is as new means that somebody took that away.
    let revocations: Result<Int64, any Error>
    do { revocations = .success(try bringRevocations(to: store, number: number, control)) } catch {
      revocations = .failure(error)
      // Without it the backup could not read a list of later.
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
    note(.backupMade, summary, why)
    return delivered
  }

  func begin() -> Bool {
    state.withLock { state in
      guard !state.isRunning, !state.isStopping else { return false }
      state.isRunning = true
      return true
    }
  }

  func end() { state.change { $0.isRunning = false } }

  /// Stops what is under way when this is stopped.
  var cancellation: TransferControl { TransferControl(isCancelled: { [state] in state.withLock { $0.isStopping } }) }

  /// What was brought there is what was sent, whole, and opens. A server that sends on and on does not fill the disk.
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
    // By a clock that was set back the newest may look old.
    let others = try store.list(control).compactMap { BackupName.parts($0.name, vaultID: vaultID) }.filter { $0.name != newest }
    for old in others.sorted().dropLast(Int(clamping: keep - 1)) { try store.delete(old.name, control) }
  }

  // MARK: the plan

  /// Does what the plan says, now.
  /// - Throws: what also stands in the plan from then on.
  package func run() throws -> BackupPlan {
    guard var plan = try records.plan() else { throw BackupsError.noPlan }
    state.withLock { $0.attemptedAt = Clock.boot }
    let result: Result<Delivered, any Error>
    do {
      result = .success(try deliver(to: store(of: plan), keep: plan.keep, "by the plan, and read back"))
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

  /// The way to where the plan's backups are.
  package func store(of plan: BackupPlan) throws -> any FileStore {
    let credential = try BackupCredential.load(from: vault)
    return try plan.place.place().store(credential, certificates: plan.place.certificates)
  }

  /// Does what is due by itself from now on.
  package func serve() { state.change { $0.isServing = true } }

  /// Pairings have ended: the list at the plan's place is brought up to date, soon.
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

  /// Runs the plan on a thread of its own when it is due, or brings the list of revocations where the plan's backups are when that
  /// has changed. Call it now and then.
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

  /// Whether nothing that is done by itself is under way any more.
  func isThreadOver(within milliseconds: Int) -> Bool {
    state.wait(milliseconds: milliseconds) { $0.isThreadOver ? true : nil } ?? false
  }

  /// Whether one is being made.
  package var isRunning: Bool { state.withLock { $0.isRunning } }

  /// Records what was done with a backup.
  package func note(_ kind: AuditEntry.Kind, _ summary: BackupSummary, _ rule: AuditRule) {
    var entry = AuditEntry.event(kind, rule: rule)
    entry.amount = Int64(clamping: summary.number)
    log.append(entry) { _ in }
  }
}
