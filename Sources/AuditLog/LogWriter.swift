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

  /// How long an entry that nobody waits for may be in the file without being synced, in milliseconds.
  private static let longestUnsynced = 100

  private struct State {
    var waiting: [Waiting] = []
    var isClosing = false
    var hasStopped = false
    var position: LogPosition
    var syncs = 0
    var isUnsynced = false
  }

  let file: LogFile
  let header: LogHeader
  private let folder: LogFolder
  private let state: Locked<State>

  init(_ opened: OpenedLog, in folder: LogFolder) {
    (file, header, self.folder) = (opened.file, opened.header, folder)
    state = Locked(State(position: opened.position))
  }

  /// Behind the last durable entry.
  var position: LogPosition { state.withLock { $0.position } }
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

  /// Asks the thread to write what waits and to end.
  func stop() { state.change { $0.isClosing = true } }

  /// Returns when the thread has written the last entry and the head.
  func waitUntilStopped() { _ = state.wait { $0.hasStopped ? true : nil } }

  private func run() {
    var position = self.position
    var headCount = position.count
    var needsCut = false
    var buffer: [UInt8] = []
    while let batch = nextBatch(within: isUnsynced ? Self.longestUnsynced : nil) {
      if batch.isEmpty {
        syncNow()
        continue
      }
      let result = write(batch, after: &position, through: &buffer, needsCut: &needsCut)
      for (index, waiting) in batch.enumerated() { waiting.answer(result.map { $0 + UInt64(index) }) }
      if isHeadDue(position.count - headCount), writeHead(position) { headCount = position.count }
    }
    if needsCut { try? file.truncate(to: position.end) }
    if isUnsynced { syncNow() }
    if position.count != headCount { _ = writeHead(position) }
    file.unlock()
    state.change { $0.hasStopped = true }
  }

  private var isUnsynced: Bool { state.withLock { $0.isUnsynced } }

  /// - Parameter milliseconds: how long to wait for entries; nil without end.
  /// - Returns: what waits; nothing after the time; nil when the log is closing and all is written.
  private func nextBatch(within milliseconds: Int?) -> [Waiting]? {
    enum Step { case batch([Waiting]), end }
    let step = state.wait(milliseconds: milliseconds) { state -> Step? in
      guard !state.waiting.isEmpty else { return state.isClosing ? .end : nil }
      let batch = Array(state.waiting.prefix(AuditLog.maximumBatch))
      state.waiting.removeFirst(batch.count)
      return .batch(batch)
    }
    switch step {
    case .batch(let batch)?: return batch
    case .end?: return nil
    case nil: return []
    }
  }

  /// Syncs what was written without. A failure is tried again with the next batch.
  private func syncNow() {
    guard (try? file.sync()) != nil else { return }
    state.withLock {
      $0.isUnsynced = false
      $0.syncs += 1
    }
  }

  /// - Returns: the first entry's sequence number. On failure the file and `position` are as they were before.
  private func write(
    _ batch: [Waiting], after position: inout LogPosition, through buffer: inout [UInt8], needsCut: inout Bool
  ) -> Result<UInt64, AuditLogError> {
    buffer.removeAll(keepingCapacity: true)
    var next = position
    for waiting in batch {
      next.chain = RecordFormat.append(waiting.entry, sequence: next.count + 1, after: next.chain, to: &buffer)
      next.count += 1
    }
    next.end += UInt64(buffer.count)
    let isSynced = batch.contains(where: \.isSynced)
    do {
      if needsCut { try file.truncate(to: position.end) }
      needsCut = true
      try file.write(buffer, at: position.end)
      if isSynced { try file.sync() }
      needsCut = false
    } catch {
      // Half a record, or one whose sync failed, must not stay: the next one belongs in its place.
      if (try? file.truncate(to: position.end)) != nil { needsCut = false }
      return .failure(error)
    }
    let first = position.count + 1
    position = next
    state.withLock {
      $0.position = next
      $0.isUnsynced = !isSynced
      $0.syncs += isSynced ? 1 : 0
    }
    return .success(first)
  }

  /// The head costs two syncs of its own: while entries wait it is put off, within reason.
  private func isHeadDue(_ behind: UInt64) -> Bool {
    behind >= AuditLog.mostEntriesPerHead || behind >= AuditLog.entriesPerHead && state.withLock { $0.waiting.isEmpty }
  }

  /// A head that cannot be written (disk full) is tried again later; the log itself is whole without it.
  private func writeHead(_ position: LogPosition) -> Bool {
    (try? folder.writeHead(LogHead.bytes(position, of: header))) != nil
  }
}
