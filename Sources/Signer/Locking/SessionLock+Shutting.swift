package import AuditLog
package import Encodings
internal import Platform
internal import RemoteSigning
package import Vault

/// The critical path: keys, then sessions, then what is to be remembered. And the way back.
extension SessionLock {
  /// What was done, and what could not be.
  package struct Shutting: Sendable {
    /// No key of an identity is in memory any more.
    package var areKeysGone = false
    /// The suspension is kept over a restart.
    package var isStored = false
    /// The log has its entry, on the disk.
    package var isRecorded = false
    /// How long all of it took.
    package var milliseconds: Int64 = 0
    /// What could not be done.
    package var failures: [Failure] = []

    package enum Failure: Sendable {
      /// A use of a key is under way; it wipes its key as it ends.
      case useUnderWay
      /// The vault is damaged and takes nothing; only the file says that everything is shut.
      case vaultDamaged
      case notStored(VaultError)
      case notRecorded(AuditLogError)
      /// The log did not answer in time.
      case logBusy
    }
  }

  /// How long to wait for the log, in milliseconds.
  private static let longestRecord = 400

  /// Shuts everything, whatever the disk, the workers or another call are doing. May be called again.
  ///
  /// In this order: permissions suspended, keys wiped, everybody told (which ends the console's sessions), the class key of the
  /// session wiped, the suspension stored, the incident recorded, the class key that stays open wiped. The first three touch no disk.
  /// - Parameters:
  ///   - cause: for the log.
  ///   - text: for the owner; one line in our own words.
  package func shut(_ cause: AuditRule, _ text: String) -> Shutting {
    let started = Clock.bootMilliseconds
    var done = Shutting()
    let time = Clock.milliseconds
    done.areKeysGone = dropKeys(everything: true, suspending: true)
    if !done.areKeysGone { done.failures.append(.useUnderWay) }
    tellShut(Incident(severity: .critical, text: text, time: time))
    vault.lock()
    store(time, &done)
    record(AuditEntry(time: time, kind: .incidentCritical, rule: cause), &done)
    wipeClassKeys()
    done.milliseconds = Clock.bootMilliseconds - started
    return done
  }

  // The disk may have taken its time: an owner who unlocked since keeps his keys, and one who did so just now is shut out once more.
  private func wipeClassKeys() {
    guard isShut else { return }
    vault.shut()
    if !isShut { dropKeys(everything: true) }
  }

  // One after the other with an owner who resumes: what he cleared is set again after that.
  private func store(_ time: Int64, _ done: inout Shutting) {
    var (code, fault): (Int32, VaultError?) = (0, nil)
    changingSuspension {
      code = suspension.mark()
      do throws(VaultError) { try suspension.store(in: vault, milliseconds: time) } catch { fault = error }
    }
    guard !isLook else {
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

  /// Records that the owner ends the suspension, then takes away what is stored of it.
  /// - Parameter isOvertaken: whether everything was shut again since.
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

  /// Takes a signal; carries out what follows from it on the caller's thread. Never call it with the engine's lock.
  package func report(_ signal: IncidentSignal, id: Bytes32? = nil) {
    guard let finding = noted(signal, id) else { return }
    tell(finding)
  }

  /// As `report`, on a thread of its own where there is one: for the thread that owns the sockets.
  package func reportBeside(_ signal: IncidentSignal) {
    guard SystemThread.startDetached({ [self] in report(signal) }) else { return report(signal) }
  }

  /// Tells what was held back and is due. Call it now and then.
  package func tellHeldBack() { for finding in dueFindings() { tell(finding) } }

  private func tell(_ finding: IncidentWatch.Finding) {
    if finding.severity == .critical {
      _ = shut(AuditRule(clipping: finding.signal.rawValue), finding.signal.alarm)
      return
    }
    var entry = AuditEntry.event(.incidentMinor, rule: AuditRule(clipping: finding.signal.rawValue))
    entry.amount = Int64(finding.count)
    log.append(entry) { _ in }
    tellMinor(Incident(severity: .minor, text: "Noticed: \(finding.signal.rawValue) (\(finding.count)).", time: entry.time))
  }
}

/// Looking at the record while the daemon runs.
extension SessionLock {
  /// After so many looks at the log's end, the whole of it is looked at.
  private static let looksPerWhole = 60
  /// The most entries for which that is done; a longer log is checked by `holdfast log verify`.
  static let mostChecked: UInt64 = 500_000
  /// How many entries of the log's end are looked at.
  private static let tailLength = 16

  /// Looks whether the log is what was written: its end each time, now and then the whole. Call it every minute.
  package func checkLog(_ folder: String) {
    do {
      _ = try log.tail(Self.tailLength)
      guard isWholeDue(every: Self.looksPerWhole), log.count <= Self.mostChecked else { return }
      if try AuditLog.verify(folder: folder).fault != nil { report(.logTampered) }
    } catch {
      if case .fault = error { report(.logTampered) }
    }
  }

  /// What the owner reads at the start.
  package var remarks: [String] {
    // What is damaged is said elsewhere: nothing was shut, and nothing is resumed.
    if isLook { return [] }
    if isSuspended {
      return (tried.map { [$0.sentence] } ?? []) + [
        "Everything was shut before this start and still is. See what happened: holdfast log show. "
          + "To go on, which unlocks, too: holdfast resume"
      ]
    }
    guard isLocked else { return [] }
    var remarks = ["The session is locked: requests that need a key wait. Unlock it: holdfast unlock"]
    if isShut {
      remarks.append(
        "The signer did not end by itself the last time: until you unlock it, all of its keys wait, also those of the class after-first-unlock."
      )
    }
    return remarks
  }
}
