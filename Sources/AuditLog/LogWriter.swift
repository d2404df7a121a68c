import Encodings
import Platform

/// The thread that syncs. It takes all waiting entries, writes them at once, syncs once and answers. Entries without a waiting caller are
/// written on the caller's thread (`note`), also while the disk is busy.
final class LogWriter: Sendable {
  typealias Answer = @Sendable (Result<UInt64, AuditLogError>) -> FollowUp?

  /// How long an entry without a waiting caller may be in the file unsynced, in milliseconds.
  private static let longestUnsynced = 100

  /// State that only the writer's own thread uses.
  private struct HeadOnDisk {
    var count: UInt64
    /// The vault's mark in it.
    var vault: VaultMark?
  }

  let keys: AuditKeys?
  private let folder: LogFolder
  let state: Locked<State>
  /// Taken before `state` where both are.
  let pen: Locked<LogAppender>
  /// What the thread has written that the writing is lent to.
  let lent = Locked<Written?>(nil)
  private let opened: OpenedLog
  private let marks: VaultMarks?
  /// Which request events the entries are about; nil without the signing key.
  let seen: SeenRecord?

  init(_ opened: OpenedLog, in folder: LogFolder, keys: AuditKeys?, marks: VaultMarks?) {
    (self.opened, self.folder, self.keys, self.marks) = (opened, folder, keys, marks)
    seen = SeenRecord(folder, log: opened.store.header.digest, signer: keys?.signer)
    pen = Locked(LogAppender(opened.position, EntrySealer(opened.store.header, keys?.signer)))
    state = Locked(
      State(
        store: opened.store, position: opened.position, vault: opened.headVault, looked: opened.hasUnread ? opened.looked : nil,
        quiet: QuietPart(count: opened.quiet)))
  }

  /// The latest state of the vault that the log knows of.
  var vault: VaultMark? { state.withLock { $0.vault } }

  func followVault(_ isOn: Bool) { state.withLock { $0.followsVault = isOn } }

  var followsVault: Bool { state.withLock { $0.followsVault } }

  /// Takes in what entries that were there at opening, and not looked at before, say of the vault.
  func learn(_ vault: VaultMark?) { state.withLock { ($0.vault, $0.looked) = (VaultMark.later($0.vault, vault), nil) } }

  /// Takes in whether entries that were there at opening are wrong secrets behind the last right one.
  /// - Parameter codes: the codes of entries about right secrets.
  func learn(isQuiet: Bool, clearedBy codes: Set<AuditRule>) {
    state.withLock { $0.quiet.learn(isQuiet ? opened.position.count : nil, clearedBy: codes) }
  }

  /// The file, and the end of its last durable entry.
  var view: (store: LogStore, position: LogPosition) { state.withLock { ($0.store, $0.position) } }
  /// Whether writing the head failed the last time.
  var isHeadFailing: Bool { state.withLock { $0.isHeadFailing } }
  /// How often entries were synced to the disk.
  var syncs: Int { state.withLock { $0.syncs } }

  /// Starts the thread, which keeps the writer alive until `stop`.
  func start() throws(AuditLogError) {
    guard SystemThread.startDetached(stackBytes: SystemThread.largeStack, { [self] in run() }) else {
      throw .io(.thread, code: EAGAIN)
    }
  }

  func append(_ entry: AuditEntry, isFollowed: Bool = false, _ answer: @escaping Answer) {
    let refusal: AuditLogError? = state.change { state in
      if state.isClosing { return (.closed, wakes: false) }
      let isRequest = entry.kind == .requestDecided
      let room = isRequest ? AuditLog.maximumWaiting : AuditLog.maximumWaiting + AuditLog.reserved
      if state.waiting.count >= room { return (.overloaded, wakes: false) }
      state.waiting.append(Waiting(entry: entry, isFollowed: isFollowed, answer: answer))
      if !isRequest { state.hasGathered = true }
      return (nil, wakes: state.borrower == nil && (!state.isGathering || state.isGatheringOver))
    }
    if let refusal { _ = answer(.failure(refusal)) }
  }

  /// Has the thread write an entry, which is not synced by itself.
  func note(_ followUp: FollowUp) {
    let isTaken = state.change { state in
      guard !state.isLeaving else { return false }
      state.followUps.append(followUp)
      return true
    }
    if !isTaken { followUp.written(false) }
  }

  /// Writes an entry at once, on the caller's thread. It is synced with the next batch, or soon.
  /// - Throws: when it is not in the file, and never will be.
  func note(_ entry: AuditEntry) throws(AuditLogError) {
    if try write(notes: [entry]) { state.change { _ in } }
  }

  /// - Returns: whether the thread is to be woken, so that it syncs them soon.
  private func write(notes: [AuditEntry]) throws(AuditLogError) -> Bool {
    try pen.withLock { pen throws(AuditLogError) in
      try pen.note(notes, in: view.store)
      return state.withLock { state in
        if !pen.isSyncing { state.position = pen.position }
        state.isUnsynced = true
        return !state.isWatching
      }
    }
  }

  /// The log without the content of the entries before `first`, up to where it goes now. Entries are written meanwhile.
  func copy(from first: UInt64) throws(AuditLogError) -> LogCopy {
    let (store, position) = view
    return try LogCopy(of: store, from: first, upTo: position, in: folder)
  }

  /// Replaces the log with a copy that includes later entries, and waits until that is done. One at a time.
  func replace(by copy: LogCopy) throws(AuditLogError) {
    let result = Locked<Result<Void, AuditLogError>?>(nil)
    let isTaken = state.change { state in
      guard !state.isClosing, state.dropping == nil else { return false }
      state.dropping = Dropping(copy: copy) { error in result.change { $0 = error.map { .failure($0) } ?? .success(()) } }
      return true
    }
    guard isTaken else { throw .closed }
    guard let result = result.wait(until: { $0 }) else { throw .closed }
    try result.get()
  }

  /// Has the head written and waits until it covers the last present entry.
  /// - Returns: nil when that was not to be had.
  func writtenHead(within milliseconds: Int) -> LogPosition? {
    let (count, attempts) = state.change { state in
      state.isHeadWanted = true
      return (state.position.count, state.headAttempts)
    }
    return state.wait(milliseconds: milliseconds) { state -> LogPosition?? in
      if let head = state.head, head.count >= count { return .some(head) }
      return state.hasStopped || state.headAttempts > attempts ? .some(nil) : nil
    } ?? nil
  }

  /// See `AuditLog.makeRoom`. The file's length stays as it is.
  func makeRoom() throws(AuditLogError) {
    let (store, position) = view
    let end = store.offset(of: position.end)
    do { try store.file.allocate(AuditLog.room, at: end) } catch { try store.file.allocate(AuditLog.leastRoom, at: end) }
  }

  /// Asks the thread to write what waits and to end.
  /// - Parameter lastly: called before the last head, with the end of the log; nil when that is not on the disk.
  func stop(lastly: (@Sendable (LogPosition?) -> Void)? = nil) {
    state.change { state in
      guard !state.isClosing else { return }
      (state.isClosing, state.lastly) = (true, lastly)
    }
  }

  /// Whether nothing is to be written.
  var isAtRest: Bool { state.withLock { $0.isResting && $0.waiting.isEmpty && $0.followUps.isEmpty } }

  /// Returns when the thread has written the last entry and the head.
  func waitUntilStopped() { _ = state.wait { $0.hasStopped ? true : nil } }

  // MARK: the thread

  private func run() {
    var head = HeadOnDisk(count: opened.hasHead ? opened.position.count : .max, vault: opened.headVault)
    loop: while true {
      switch nextStep(isUnsynced: isUnsynced) {
      case .gather: gather()
      case .batch(let batch):
        let wantsHead = settle(begin(batch))
        if wantsHead || isHeadDue(view.position.count &- head.count) { writeHead(&head) }
      case .follow(let followUps): follow(followUps)
      case .drop(let dropping): dropping.answer(drop(dropping))
      case .writeHead: writeHead(&head)
      case .wait: continue
      case .rest:
        syncNow()
        if isHeadDue(view.position.count &- head.count) { writeHead(&head) }
      case .end: break loop
      }
    }
    pen.withLock { $0.close(in: view.store) }
    let isSynced = syncNow()
    seen?.close()
    state.withLock { $0.lastly.take() }?(isSynced ? view.position : nil)
    // Also without a change of the log: the vault may have changed, or older entries may have been read.
    if view.position.count != head.count || newVault != nil || hasLearnt || vault != head.vault { writeHead(&head) }
    view.store.file.unlock()
    state.change { $0.hasStopped = true }
  }

  /// Writes all follow-ups of entries on the disk at once, and reports it.
  func follow(_ followUps: [FollowUp]) {
    guard !followUps.isEmpty else { return }
    let isWritten = (try? write(notes: followUps.map(\.entry))) != nil
    for followUp in followUps { followUp.written(isWritten) }
  }

  /// Waits for further entries while more of them are likely to come soon, so that they share one sync.
  private func gather() {
    state.withLock { $0.isGathering = true }
    _ = state.wait(milliseconds: State.longestGathering) { $0.isGatheringOver ? true : nil }
    state.withLock { ($0.isGathering, $0.hasGathered) = (false, true) }
  }

  /// From now on entries wait for others while more may come than wait.
  func gather(upTo coming: @escaping @Sendable () -> Int) {
    state.withLock { $0.moreComing = MoreComing(count: coming) }
  }

  /// Entries that wait for others wait no longer, unless more are likely again.
  func stopGathering() { state.change { ((), wakes: $0.isGathering) } }

  /// Whether entries that were there at opening were not looked at yet.
  var hasUnread: Bool { state.withLock { $0.looked != nil } }

  /// Whether entries that were there at opening were looked at since.
  private var hasLearnt: Bool { opened.looked < opened.position.count && !hasUnread }

  /// The state of the vault now, where the log has a lower one. It is on the disk already: a log never knows more than its vault.
  var newVault: VaultMark? {
    guard state.withLock({ $0.followsVault }), let now = marks?.now() else { return nil }
    return now.revision > vault?.revision ?? 0 ? now : nil
  }

  private var isUnsynced: Bool { state.withLock { $0.isUnsynced } }

  /// - Parameter isUnsynced: whether something in the file is to be synced soon; else it is waited without end.
  private func nextStep(isUnsynced: Bool) -> Step {
    let step = state.wait(milliseconds: isUnsynced ? Self.longestUnsynced : nil) { state -> Step? in
      let step = state.takeStep(isWatching: isUnsynced)
      (state.isResting, state.isWatching) = (step == nil, step == nil && isUnsynced)
      return step
    }
    return step ?? state.withLock { $0.restWhenOver() }
  }

  /// Syncs entries that were written without a sync. A failure is tried again with the next batch.
  /// - Returns: false when it is not on the disk.
  @discardableResult
  private func syncNow() -> Bool {
    let isWanted = state.withLock { state in
      defer { state.isUnsynced = false }
      return state.isUnsynced
    }
    guard isWanted else { return true }
    let began = Clock.monotonicNanoseconds
    let isSynced = (try? view.store.file.sync()) != nil
    state.withLock {
      if isSynced { $0.syncs += 1 } else { $0.isUnsynced = true }
      $0.noteSync(took: isSynced ? Clock.monotonicNanoseconds &- began : .max)
    }
    return isSynced
  }

  /// The head costs two syncs of its own: while entries wait it is put off, within reason.
  private func isHeadDue(_ behind: UInt64) -> Bool {
    behind >= AuditLog.mostEntriesPerHead || behind >= AuditLog.entriesPerHead && state.withLock { $0.waiting.isEmpty }
  }

  /// A head that cannot be written (disk full) is tried again later; the log itself is whole without it. Without the signing key
  /// there is none: the next writer that has it writes the head.
  private func writeHead(_ head: inout HeadOnDisk) {
    var isWritten = keys == nil
    defer {
      state.change {
        $0.headAttempts += 1
        $0.isHeadFailing = !isWritten
      }
    }
    guard let signer = keys?.signer else { return }
    let position = view.position
    guard syncNow() else { return }
    let vault = VaultMark.later(vault, newVault)
    let (looked, quiet) = state.withLock { ($0.looked, $0.quiet.end(at: position.count)) }
    guard let bytes = LogHead.bytes(position, vault, looked: looked, quiet: quiet, of: view.store.header, by: signer),
      (try? folder.writeHead(bytes)) != nil
    else { return }
    isWritten = true
    head = HeadOnDisk(count: position.count, vault: vault)
    state.change {
      $0.head = position
      $0.vault = VaultMark.later($0.vault, vault)
    }
  }

  private func drop(_ dropping: Dropping) -> AuditLogError? {
    syncNow()
    var copy = dropping.copy
    return pen.withLock { pen -> AuditLogError? in
      var failure: AuditLogError?
      do throws(AuditLogError) {
        try pen.cut(in: view.store)
        try copy.copy(upTo: pen.position)
        try copy.takePlace()
      } catch { failure = error }
      // Whatever failed behind the rename: the old file has no name any more.
      guard failure == nil || copy.isInPlace else { return failure }
      state.change { $0.store = copy.store }
      return failure
    }
  }
}

extension AuditLog {
  /// Whether every entry so far is written, and whoever waited for it was told.
  public var isAtRest: Bool { writer.isAtRest }

  /// Writes waiting entries and the head, and releases the lock. Later appends are refused with `.closed`. May be called twice.
  /// - Parameter lastly: called once every entry is written, and before the last head, which so covers what this stores in the vault. It
  ///   gets the log's end; nil when the last entries are not on the disk.
  public func close(lastly: @escaping @Sendable (AuditAnchor?) -> Void = { _ in }) {
    let digest = header.digest
    writer.stop { position in lastly(position.map { AuditAnchor(log: digest, position: $0) }) }
    writer.waitUntilStopped()
  }
}
