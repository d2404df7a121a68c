import Platform

/// A thread that takes requests may write their entries itself while the disk is quick. Then no other thread has to wake up for them.
extension LogWriter {
  /// Lends the writing to the caller's thread, until `endRound`.
  /// - Returns: false when the log's thread has work, or when the last sync was slow or is long ago.
  func beginRound(ifSyncedIn nanoseconds: UInt64, inTheLast period: UInt64) -> Bool {
    state.withLock { state in
      guard state.borrower == nil, state.isResting, state.hasNoWork, state.lastSync <= nanoseconds,
        Clock.monotonicNanoseconds &- state.lastSyncEnd <= period
      else { return false }
      state.borrower = .current
      return true
    }
  }

  /// Writes what waits, and has the disk begin with it.
  func writeRound() {
    let batch = state.withLock { $0.borrower?.isCurrent ?? false ? $0.takeBatch() : [] }
    guard !batch.isEmpty else { return }
    let (store, end) = (view.store, view.position.end)
    var written = begin(batch)
    written.fault = store.file.startWriting(from: store.offset(of: end))
    lent.withLock { [written] in $0 = written }
  }

  /// Waits until the disk has what `writeRound` wrote, answers, and gives the writing back.
  func endRound() {
    let written = lent.withLock { lent in
      defer { lent = nil }
      return lent
    }
    let wantsHead = written.map { settle($0) } ?? false
    giveBack(wantsHead: wantsHead)
  }

  /// Ends the round of this thread, if it is in one, because it is about to wait for an entry.
  func endRoundHere() {
    guard state.withLock({ $0.borrower?.isCurrent ?? false }) else { return }
    endRound()
  }

  private func giveBack(wantsHead: Bool) {
    state.change { state in
      guard state.borrower?.isCurrent ?? false else { return ((), wakes: false) }
      state.borrower = nil
      if wantsHead || state.position.count &- (state.head?.count ?? 0) >= AuditLog.entriesPerHead { state.isHeadWanted = true }
      return ((), wakes: !state.hasNoWork || state.isUnsynced && !state.isWatching)
    }
  }
}
