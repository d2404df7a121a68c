internal import Encodings
import Glibc
internal import Locks

/// The one thread that writes: takes all waiting entries, writes them at once, syncs once, and answers.
final class LogWriter: Sendable {
  typealias Answer = @Sendable (Result<UInt64, AuditLogError>) -> Void

  private struct Waiting: Sendable {
    let entry: AuditEntry
    let answer: Answer
  }

  private struct State {
    var waiting: [Waiting] = []
    var isClosing = false
    var hasStopped = false
    var position: LogPosition
    var syncs = 0
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

  func append(_ entry: AuditEntry, _ answer: @escaping Answer) {
    let refusal: AuditLogError? = state.change { state in
      if state.isClosing { return .closed }
      if state.waiting.count >= AuditLog.maximumWaiting { return .overloaded }
      state.waiting.append(Waiting(entry: entry, answer: answer))
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
    while let batch = nextBatch() {
      let result = write(batch, after: &position, through: &buffer, needsCut: &needsCut)
      for (index, waiting) in batch.enumerated() { waiting.answer(result.map { $0 + UInt64(index) }) }
      if isHeadDue(position.count - headCount), writeHead(position) { headCount = position.count }
    }
    if needsCut { try? file.truncate(to: position.end) }
    if position.count != headCount { _ = writeHead(position) }
    file.unlock()
    state.change { $0.hasStopped = true }
  }

  private func nextBatch() -> [Waiting]? {
    let batch = state.wait { state -> [Waiting]? in
      guard !state.waiting.isEmpty || state.isClosing else { return nil }
      let batch = Array(state.waiting.prefix(AuditLog.maximumBatch))
      state.waiting.removeFirst(batch.count)
      return batch
    }
    return batch.flatMap { $0.isEmpty ? nil : $0 }
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
    do {
      if needsCut { try file.truncate(to: position.end) }
      needsCut = true
      try file.write(buffer, at: position.end)
      try file.sync()
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
      $0.syncs += 1
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
