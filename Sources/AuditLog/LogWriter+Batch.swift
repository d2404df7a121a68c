import Platform

/// One write and one sync for all entries that wait. The log's thread does it, or the thread that the writing is lent to.
extension LogWriter {
  /// Entries in the file that are not on the disk yet.
  struct Written: Sendable {
    let batch: [Waiting]
    let mark: VaultMark?
    /// The first entry's sequence number. On failure they are not in the file.
    let first: Result<UInt64, AuditLogError>
    /// Why the disk could not begin with them.
    var fault: AuditLogError?
  }

  /// - Parameter batch: not empty.
  func begin(_ batch: [Waiting]) -> Written {
    let (mark, store) = (newVault, view.store)
    var entries = batch.map(\.entry)
    entries[0].vault = mark
    do throws(AuditLogError) {
      let first = try pen.withLock { pen throws(AuditLogError) in try pen.begin(entries, in: store) }
      return Written(batch: batch, mark: mark, first: .success(first))
    } catch { return Written(batch: batch, mark: mark, first: .failure(error)) }
  }

  /// Syncs the entries and answers those who wait for them.
  /// - Returns: whether one of them wants the head to be written.
  func settle(_ written: Written) -> Bool {
    let (batch, result) = (written.batch, finish(written))
    if case .success(let first) = result { note(batch, from: first) }
    answer(batch, result)
    guard case .success = result else { return false }
    return batch.contains { $0.entry.kind.wantsHead }
  }

  private func finish(_ written: Written) -> Result<UInt64, AuditLogError> {
    guard case .success = written.first else { return written.first }
    let began = Clock.monotonicNanoseconds
    do throws(AuditLogError) {
      if let fault = written.fault { throw fault }
      try view.store.file.sync()
    } catch {
      takeBack()
      return .failure(error)
    }
    show(written.mark, syncedIn: Clock.monotonicNanoseconds &- began)
    return written.first
  }

  /// Removes entries that could not be synced, and keeps those written after them.
  private func takeBack() {
    pen.withLock { pen in
      pen.takeBack(in: view.store)
      state.withLock {
        ($0.position, $0.isUnsynced) = (pen.position, true)
        $0.noteSync(took: .max)
      }
    }
  }

  /// The written entries are on the disk and become visible.
  private func show(_ mark: VaultMark?, syncedIn nanoseconds: UInt64) {
    pen.withLock { pen in
      let isUnsynced = pen.endSync()
      state.withLock {
        ($0.position, $0.isUnsynced) = (pen.position, isUnsynced)
        $0.noteSync(took: nanoseconds)
        $0.vault = VaultMark.later($0.vault, mark)
        $0.syncs += 1
      }
    }
  }

  private func note(_ batch: [Waiting], from first: UInt64) {
    let position = state.withLock { state in
      for (index, waiting) in batch.enumerated() { state.quiet.pass(waiting.entry, first + UInt64(index)) }
      return state.position
    }
    seen?.note(batch.lazy.map(\.entry), upTo: position)
  }

  /// Callers that only wait are answered after the follow-ups of the others are written. By then all earlier entries are done.
  private func answer(_ batch: [Waiting], _ result: Result<UInt64, AuditLogError>) {
    func answer(_ isFollowed: Bool) -> [FollowUp] {
      batch.enumerated().compactMap { index, waiting in
        waiting.isFollowed == isFollowed ? waiting.answer(result.map { $0 + UInt64(index) }) : nil
      }
    }
    follow(answer(true))
    _ = answer(false)
  }
}
