package import AuditLog
package import Encodings
import Platform
import RemoteSigning
package import Vault

/// Suspending everything in an emergency, in this order: keys, sessions, then what is stored. And resuming.
extension SessionLock {
  /// What was done, and what failed.
  package struct Shutting: Sendable {
    /// No key of an identity is in memory any more.
    package var areKeysGone = false
    /// The suspension is stored and survives a restart.
    package var isStored = false
    /// The log has its entry on the disk.
    package var isRecorded = false
    /// How long all of it took.
    package var milliseconds: Int64 = 0
    /// What failed.
    package var failures: [Failure] = []

    package enum Failure: Sendable {
      /// A key is in use. It is wiped when that use ends.
      case useUnderWay
      /// The vault is damaged and cannot be changed. Only the file stores the suspension.
      case vaultDamaged
      case notStored(VaultError)
      case notRecorded(AuditLogError)
      /// The log did not answer in time.
      case logBusy
    }
  }

  /// The longest wait for the log, in milliseconds.
  private static let longestRecord = 400

  /// Suspends everything, whatever the disk, the workers or another call are doing. May be called again.
  ///
  /// The order is: permissions suspended, keys wiped, observers told (which ends the console's sessions), the session's class key
  /// wiped, the suspension stored, the incident recorded, the class key that otherwise stays open wiped. The first three do not
  /// use the disk.
  /// - Parameters:
  ///   - cause: for the log.
  ///   - text: for the owner; one line in our own words.
  ///   - isOwners: whether the owner did it, so that nobody needs a warning.
  package func shut(_ cause: AuditRule, _ text: String, isOwners: Bool = false) -> Shutting {
    let started = Clock.bootMilliseconds
    var done = Shutting()
    let time = Clock.milliseconds
    done.areKeysGone = dropKeys(everything: true, suspending: true)
    if !done.areKeysGone { done.failures.append(.useUnderWay) }
    trialPassphrase.change { $0 = nil }
    tellShut(Incident(severity: .critical, text: text, time: time, isOwners: isOwners))
    vault.lock()
    store(time, &done)
    record(AuditEntry(time: time, kind: .incidentCritical, rule: cause), &done)
    wipeClassKeys()
    done.milliseconds = Clock.bootMilliseconds - started
    return done
  }

  // The disk may have been slow. An owner who unlocked in the meantime keeps the keys; one who did so just now is locked out
  // again.
  private func wipeClassKeys() {
    guard isShut else { return }
    vault.shut()
    if !isShut { dropKeys(everything: true) }
  }

  // Runs one at a time with a resume: what the owner cleared is set again afterwards.
  private func store(_ time: Int64, _ done: inout Shutting) {
    var (code, fault): (Int32, VaultError?) = (0, nil)
    changingSuspension {
      code = suspension.mark()
      do throws(VaultError) { try suspension.store(in: vault, milliseconds: time) } catch { fault = error }
    }
    guard !isDamagedView else {
      done.isStored = false
      return done.failures.append(.vaultDamaged)
    }
    done.isStored = code == 0 || fault == nil
    guard !done.isStored, let fault else { return }
    done.failures.append(.notStored(fault))
  }

  private func record(_ entry: AuditEntry, _ done: inout Shutting) {
    let answer = Locked<Result<UInt64, AuditLogError>?>(nil)
    log.append(entry) { result in answer.change { $0 = result } }
    switch answer.wait(milliseconds: Self.longestRecord, until: { $0 }) {
    case .success?: done.isRecorded = true
    case .failure(let error)?: done.failures.append(.notRecorded(error))
    case nil: done.failures.append(.logBusy)
    }
  }

  /// Records that the owner ends the suspension, then removes its stored marks.
  /// - Parameter isOvertaken: whether everything was suspended again in the meantime.
  func endSuspension(unless isOvertaken: () -> Bool) throws(SignerError) {
    guard isSuspended || suspension.isMarked else { return }
    do {
      try log.appendAndWait(.event(.incidentEnded))
      try changingSuspension { () throws in
        guard !isOvertaken() else { throw SignerError.lockedMeanwhile }
        try suspension.clear(in: vault)
      }
    } catch { throw SignerError(error) }
  }

  // MARK: incidents

  /// Takes a signal and does what follows from it on the caller's thread. Must not be called while the engine's lock is held.
  package func report(_ signal: IncidentSignal, from origin: AttemptOrigin? = nil, id: Bytes32? = nil) {
    guard let finding = noted(signal, origin, id) else { return }
    tell(finding)
  }

  /// Like `report`, on another thread if possible. For the thread that owns the sockets.
  package func reportBeside(_ signal: IncidentSignal) {
    guard SystemThread.startDetached({ [self] in report(signal) }) else { return report(signal) }
  }

  /// Reports signals that were held back and are due. Call it regularly.
  package func tellHeldBack() { for finding in dueFindings() { tell(finding) } }

  private func tell(_ finding: IncidentWatch.Finding) {
    if finding.severity == .critical {
      _ = shut(AuditRule(clipping: finding.signal.rawValue), finding.signal.alarm)
      return
    }
    let what = finding.origin.map { "\(finding.signal.rawValue), \($0.words)" } ?? finding.signal.rawValue
    var entry = AuditEntry.event(.incidentMinor, rule: AuditRule(clipping: what))
    entry.amount = Int64(finding.count)
    log.append(entry) { _ in }
    tellMinor(Incident(severity: .minor, text: Self.text(finding, what), time: entry.time))
  }
}

extension SessionLock {
  /// The sentence for the owner.
  private static func text(_ finding: IncidentWatch.Finding, _ what: String) -> String {
    let count = finding.count
    // Mostly it was the owner, so it is said mildly.
    guard finding.signal != .usedSignInLink else {
      return "A sign-in link that was used already was opened again. If that was not you, look at the signed-in browsers."
    }
    guard finding.signal != .foreignWorker else {
      return
        "Another program had the signer's address while the signer was stopped, and left a page in a browser. The page was removed."
    }
    return count == 1 ? "Something suspicious: \(what)." : "Something suspicious, \(count) times: \(what)."
  }
}

/// Checking the log while the daemon runs.
extension SessionLock {
  /// After this many checks of the log's end, the whole log is checked.
  private static let looksPerWhole = 60
  /// The most entries for that. A longer log is checked by `holdfast log verify`.
  static let mostChecked: UInt64 = 500_000
  /// How many entries at the log's end are checked.
  private static let tailLength = 16

  /// Checks whether the log is what was written: its end each time, the whole log now and then. Call it every minute.
  package func checkLog(_ folder: String) {
    do {
      _ = try log.tail(Self.tailLength)
      guard isWholeDue(every: Self.looksPerWhole), log.count <= Self.mostChecked else { return }
      if try AuditLog.verify(folder: folder).fault != nil { report(.logTampered) }
    } catch {
      if case .fault = error { report(.logTampered) }
    }
  }

  /// The remarks that the owner reads at the start.
  package var remarks: [String] {
    // Damage is reported elsewhere: nothing was suspended, and nothing can be resumed.
    if isDamagedView { return [] }
    if isSuspended {
      return (tried.map { [$0.sentence] } ?? []) + [
        "The signer was locked down before this start and still is. To see what happened: holdfast unlock, then holdfast log show. "
          + "To end the lockdown and unlock: holdfast resume"
      ]
    }
    guard isLocked else { return [] }
    var remarks = ["The session is locked: requests that need a key wait. To unlock it: holdfast unlock"]
    if isShut {
      remarks.append(
        "The signer did not end properly last time. Until you unlock it, no key can be used, not even those of the class after-first-unlock."
      )
    }
    return remarks
  }
}
