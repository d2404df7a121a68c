internal import Encodings
import Glibc
internal import Locks

/// The one thread that writes: takes all waiting entries, writes them at once, syncs once if one of them asks for it, and answers.
final class LogWriter: Sendable {
  typealias Answer = @Sendable (Result<UInt64, AuditLogError>) -> Void

  private struct Waiting: Sendable {
    let entry: AuditEntry
    /// Whether somebody waits for it to be on the disk, and not only in the file.
    let isSynced: Bool
    let answer: Answer
  }

  /// A wish to drop the content of the entries before one.
  private struct Dropping: Sendable {
    let first: UInt64
    let answer: @Sendable (AuditLogError?) -> Void
  }

  private enum Step { case batch([Waiting]), drop(Dropping), writeHead, rest, end }

  /// How long an entry that nobody waits for may be in the file without being synced, in milliseconds.
  private static let longestUnsynced = 100

  private struct State {
    var waiting: [Waiting] = []
    var dropping: Dropping?
    var isHeadWanted = false
    var isClosing = false
    var hasStopped = false
    var store: LogStore
    var position: LogPosition
    /// Where the head on the disk stands.
    var head: LogPosition?
    /// How often a head was written, or could not be.
    var headAttempts = 0
    var syncs = 0
    var isUnsynced = false
    /// The latest state of the vault that is in the log, or is known from elsewhere to have been.
    var vault: VaultMark?
    /// Entries up to this one were looked at for it; nil for all.
    var looked: UInt64?
    /// Whether the vault is the one the log knows.
    var followsVault = false
  }

  /// What only the writer's own thread touches.
  private struct Pen {
    var position: LogPosition
    var headCount: UInt64
    /// What the head on the disk says of the vault.
    var headVault: VaultMark?
    var sealer: EntrySealer
    var needsCut = false
    var buffer: [UInt8] = []
  }

  let keys: AuditKeys?
  private let folder: LogFolder
  private let state: Locked<State>
  private let opened: OpenedLog
  private let marks: VaultMarks?

  init(_ opened: OpenedLog, in folder: LogFolder, keys: AuditKeys?, marks: VaultMarks?) {
    (self.opened, self.folder, self.keys, self.marks) = (opened, folder, keys, marks)
    state = Locked(
      State(
        store: opened.store, position: opened.position, vault: opened.headVault, looked: opened.hasUnread ? opened.looked : nil))
  }

  /// The latest state of the vault that the log knows of.
  var vault: VaultMark? { state.withLock { $0.vault } }

  func followVault(_ isOn: Bool) { state.withLock { $0.followsVault = isOn } }

  var followsVault: Bool { state.withLock { $0.followsVault } }

  /// Takes in what entries that were there at opening, and not looked at before, say of the vault.
  func learn(_ vault: VaultMark?) { state.withLock { ($0.vault, $0.looked) = (VaultMark.later($0.vault, vault), nil) } }

  /// The file, and the place behind its last durable entry.
  var view: (store: LogStore, position: LogPosition) { state.withLock { ($0.store, $0.position) } }
  /// How often entries were synced to the disk.
  var syncs: Int { state.withLock { $0.syncs } }

  /// Starts the thread, which keeps the writer alive until `stop`.
  func start() throws(AuditLogError) {
    var thread = pthread_t()
    let status = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<LogWriter>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
    guard status == 0 else {
      Unmanaged.passUnretained(self).release()
      throw .io(.thread, code: status)
    }
    pthread_detach(thread)
  }

  func append(_ entry: AuditEntry, synced: Bool = true, _ answer: @escaping Answer) {
    let refusal: AuditLogError? = state.change { state in
      if state.isClosing { return .closed }
      let room = entry.kind == .requestDecided ? AuditLog.maximumWaiting : AuditLog.maximumWaiting + AuditLog.reserved
      if state.waiting.count >= room { return .overloaded }
      state.waiting.append(Waiting(entry: entry, isSynced: synced, answer: answer))
      return nil
    }
    if let refusal { answer(.failure(refusal)) }
  }

  /// Has the content of the entries before `first` dropped, and waits until it is.
  func drop(before first: UInt64) throws(AuditLogError) {
    let result = Locked<Result<Void, AuditLogError>?>(nil)
    let isTaken = state.change { state in
      guard !state.isClosing, state.dropping == nil else { return false }
      state.dropping = Dropping(first: first) { error in result.change { $0 = error.map { .failure($0) } ?? .success(()) } }
      return true
    }
    guard isTaken else { throw .closed }
    guard let result = result.wait(until: { $0 }) else { throw .closed }
    try result.get()
  }

  /// Has the head written and waits until it stands at the last entry there is now, or behind it.
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
  func stop() { state.change { $0.isClosing = true } }

  /// Returns when the thread has written the last entry and the head.
  func waitUntilStopped() { _ = state.wait { $0.hasStopped ? true : nil } }

  // MARK: the thread

  private func run() {
    var pen = Pen(
      position: opened.position, headCount: opened.hasHead ? opened.position.count : .max, headVault: opened.headVault,
      sealer: EntrySealer(opened.store.header, keys?.signer))
    loop: while true {
      switch nextStep(within: isUnsynced ? Self.longestUnsynced : nil) {
      case .batch(let batch):
        let result = write(batch, with: &pen)
        for (index, waiting) in batch.enumerated() { waiting.answer(result.map { $0 + UInt64(index) }) }
        let wantsHead = (try? result.get()) != nil && batch.contains { $0.entry.kind.wantsHead }
        if wantsHead || isHeadDue(pen.position.count &- pen.headCount) { writeHead(&pen) }
      case .drop(let dropping): dropping.answer(drop(dropping, with: &pen))
      case .writeHead: writeHead(&pen)
      case .rest: syncNow()
      case .end: break loop
      }
    }
    if pen.needsCut { try? truncate(to: pen.position) }
    if isUnsynced { syncNow() }
    // Without a change of the log, too: the vault may have changed, or older entries may have been looked at.
    if pen.position.count != pen.headCount || newVault != nil || hasLearnt || vault != pen.headVault { writeHead(&pen) }
    view.store.file.unlock()
    state.change { $0.hasStopped = true }
  }

  /// Whether entries that were there at opening were not looked at yet.
  var hasUnread: Bool { state.withLock { $0.looked != nil } }

  /// Whether entries that were there at opening were looked at since.
  private var hasLearnt: Bool { opened.looked < opened.position.count && !hasUnread }

  /// The state of the vault now, where the log has a lower one. It is on the disk already: a log never knows more than its vault.
  private var newVault: VaultMark? {
    guard state.withLock({ $0.followsVault }), let now = marks?.now() else { return nil }
    return now.revision > vault?.revision ?? 0 ? now : nil
  }

  private var isUnsynced: Bool { state.withLock { $0.isUnsynced } }

  /// - Parameter milliseconds: how long to wait; nil without end.
  private func nextStep(within milliseconds: Int?) -> Step {
    let step = state.wait(milliseconds: milliseconds) { state -> Step? in
      if state.waiting.isEmpty {
        if let dropping = state.dropping {
          state.dropping = nil
          return .drop(dropping)
        }
        if state.isHeadWanted {
          state.isHeadWanted = false
          return .writeHead
        }
        return state.isClosing ? .end : nil
      }
      let batch = Array(state.waiting.prefix(AuditLog.maximumBatch))
      state.waiting.removeFirst(batch.count)
      return .batch(batch)
    }
    return step ?? .rest
  }

  /// Syncs what was written without. A failure is tried again with the next batch.
  private func syncNow() {
    guard (try? view.store.file.sync()) != nil else { return }
    state.withLock {
      $0.isUnsynced = false
      $0.syncs += 1
    }
  }

  private func truncate(to position: LogPosition) throws(AuditLogError) {
    let store = view.store
    try store.file.truncate(to: store.offset(of: position.end))
  }

  /// - Returns: the first entry's sequence number. On failure the file and the pen's position are as they were before.
  private func write(_ batch: [Waiting], with pen: inout Pen) -> Result<UInt64, AuditLogError> {
    pen.buffer.removeAll(keepingCapacity: true)
    var next = pen.position
    let isSynced = batch.contains(where: \.isSynced)
    let mark = newVault
    let store = view.store
    do {
      for (index, waiting) in batch.enumerated() {
        var entry = waiting.entry
        if index == 0 { entry.vault = mark }
        try pen.sealer.append(entry, at: &next, to: &pen.buffer)
      }
      if pen.needsCut { try truncate(to: pen.position) }
      pen.needsCut = true
      try store.file.write(pen.buffer, at: store.offset(of: pen.position.end))
      if isSynced { try store.file.sync() }
      pen.needsCut = false
    } catch {
      pen.sealer.abandonEpoch()
      // Half a record, or one whose sync failed, must not stay: the next one belongs in its place.
      if pen.needsCut, (try? truncate(to: pen.position)) != nil { pen.needsCut = false }
      return .failure(error)
    }
    let first = pen.position.count + 1
    pen.position = next
    state.withLock {
      $0.position = next
      $0.vault = VaultMark.later($0.vault, mark)
      $0.isUnsynced = !isSynced
      $0.syncs += isSynced ? 1 : 0
    }
    return .success(first)
  }

  /// The head costs two syncs of its own: while entries wait it is put off, within reason.
  private func isHeadDue(_ behind: UInt64) -> Bool {
    behind >= AuditLog.mostEntriesPerHead || behind >= AuditLog.entriesPerHead && state.withLock { $0.waiting.isEmpty }
  }

  /// A head that cannot be written (disk full) is tried again later; the log itself is whole without it. Without the signing key
  /// there is none: the next who has it writes it.
  private func writeHead(_ pen: inout Pen) {
    defer { state.change { $0.headAttempts += 1 } }
    guard let signer = keys?.signer else { return }
    if isUnsynced { syncNow() }
    let (vault, looked) = (VaultMark.later(vault, newVault), state.withLock { $0.looked })
    guard !isUnsynced, let bytes = LogHead.bytes(pen.position, vault, looked: looked, of: view.store.header, by: signer),
      (try? folder.writeHead(bytes)) != nil
    else { return }
    (pen.headCount, pen.headVault) = (pen.position.count, vault)
    let position = pen.position
    state.change {
      $0.head = position
      $0.vault = VaultMark.later($0.vault, vault)
    }
  }

  private func drop(_ dropping: Dropping, with pen: inout Pen) -> AuditLogError? {
    if isUnsynced { syncNow() }
    do {
      if pen.needsCut { try truncate(to: pen.position) }
      pen.needsCut = false
      let store = try view.store.dropped(before: dropping.first, upTo: pen.position, in: folder)
      state.change { $0.store = store }
      return nil
    } catch { return error }
  }
}
