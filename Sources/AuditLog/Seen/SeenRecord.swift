import Ciphers
import Encodings
import Platform

/// Keeps `audit.seen` as the log grows, and reads it at a start.
final class SeenRecord: Sendable {
  /// How many events are collected in memory before a part is written.
  static let eventsPerPart = 1024
  /// When a file covers so many milliseconds, a new one is begun. The file before it is then no longer needed.
  static let fileSpan: Int64 = 620_000
  /// A new file is not begun before the present one has so many bytes.
  static let leastFileLength: UInt64 = 256 << 10

  private enum Phase {
    /// Events are not collected, because the log was not read since it was opened.
    case off
    /// Events are collected. They are written when the log has been read.
    case collecting
    case on
  }

  private struct State {
    var phase = Phase.off
    /// Nil until the log was read, and after a failure.
    var file: SeenFile?
    var waiting: [SeenMark] = []
    /// What waits ends here.
    var tip: SeenFile.Tip?
    /// Of the entries so far, in milliseconds: a clock may have been set back since.
    var latest = Int64.min
  }

  private let state = Locked(State())
  private let folder: LogFolder
  private let log: Bytes32
  private let key: Bytes32
  private let marks: SipHash

  /// The key of the events' marks, for SipHash: 16 bytes.
  let marksKey: [UInt8]

  /// - Returns: nil without the log's signing key.
  init?(_ folder: LogFolder, log: Bytes32, signer: LogSigner?) {
    guard let signer else { return nil }
    marksKey = Array(signer.derived("holdfast seen mark").array.prefix(SipHash.keyLength))
    guard let marks = SipHash(key: marksKey) else { return nil }
    (self.folder, self.log, self.marks, key) = (folder, log, marks, signer.derived("holdfast seen code"))
  }

  func mark(_ id: Bytes32) -> UInt64 { marks.hash(of: id) }

  // MARK: as the log grows

  /// Collects the request events of entries that are on the disk.
  /// - Parameter position: behind the last of them.
  func note(_ entries: some Sequence<AuditEntry>, upTo position: LogPosition) {
    state.withLock { state in
      guard state.phase != .off else { return }
      for entry in entries {
        state.latest = max(state.latest, entry.time)
        if let id = entry.requestID, let createdAt = entry.requestCreatedAt { state.waiting.append((mark(id), createdAt)) }
      }
      state.tip = SeenFile.Tip(position)
      if state.phase == .on, state.waiting.count >= Self.eventsPerPart { writeOn(&state, now: state.latest) }
    }
  }

  /// Writes the collected events, if possible.
  func close() { state.withLock { if $0.phase == .on, $0.file != nil { try? write(&$0) } } }

  private func writeOn(_ state: inout State, now: Int64) {
    do {
      if state.file == nil { state.file = try SeenFile(making: folder.seen, log: log, coversFrom: now + Self.fileSpan, key: key) }
      try write(&state)
      try turn(&state, now: now)
    } catch { giveUp(&state) }
  }

  // A file that could not be written (disk full) is begun anew, for what comes from a while later on: a clock may be set back.
  private func giveUp(_ state: inout State) {
    (state.file, state.waiting) = (nil, [])
    unlink(folder.seen)
  }

  private func write(_ state: inout State) throws(AuditLogError) {
    guard let tip = state.tip else { return }
    var rest = state.waiting[...]
    while rest.count > SeenFile.mostEvents {
      try state.file?.append(rest.prefix(SeenFile.mostEvents), upTo: nil)
      rest = rest.dropFirst(SeenFile.mostEvents)
    }
    try state.file?.append(rest, upTo: tip)
    state.waiting.removeAll(keepingCapacity: state.waiting.count <= Self.eventsPerPart * 2)
  }

  private func turn(_ state: inout State, now: Int64) throws(AuditLogError) {
    guard let file = state.file, let tip = state.tip, file.end >= Self.leastFileLength,
      now.subtractingReportingOverflow(file.coversFrom).partialValue >= Self.fileSpan
    else { return }
    guard rename(folder.seen, folder.oldSeen) == 0 else { throw .io(.rename, code: errno) }
    state.file = try SeenFile(making: folder.seen, log: log, coversFrom: now, previous: file.code, key: key)
    try state.file?.append([], upTo: tip)
  }

  // MARK: at a start

  /// Hands over what the files hold, and goes on behind them.
  /// - Parameter since: milliseconds; events recorded then or later are wanted.
  /// - Returns: the number of entries that are covered; nil when the files do not reach back so far, or are not of this log.
  func read(since: Int64, in store: LogStore, _ body: ([SeenMark]) -> Void) -> UInt64? {
    guard let (file, tip) = files(since: since, in: store, body) else { return nil }
    state.withLock { $0.file = file }
    return tip.count
  }

  private func files(since: Int64, in store: LogStore, _ body: ([SeenMark]) -> Void) -> (file: SeenFile, tip: SeenFile.Tip)? {
    var old = SeenFile(opening: folder.oldSeen, log: log, key: key)
    old?.read(body)
    guard var file = SeenFile(opening: folder.seen, log: log, key: key) else { return nil }
    let isChained = old.map { $0.code == file.previous } ?? false
    file.read(body)
    let coversFrom = isChained ? min(file.coversFrom, old?.coversFrom ?? .max) : file.coversFrom
    guard coversFrom <= since, let tip = file.tip, store.ends(tip) else { return nil }
    return (file, tip)
  }

  /// Hands over what the files hold if that is all there is, and notes further request events from now on. Call it before anything is
  /// appended.
  /// - Parameter position: the log's end.
  /// - Returns: false when the files do not reach back so far or not up to the log's end. Nothing is handed over then.
  func readClosed(since: Int64, in store: LogStore, upTo position: LogPosition, _ body: ([SeenMark]) -> Void) -> Bool {
    var parts: [[SeenMark]] = []
    guard let (file, tip) = files(since: since, in: store, { parts.append($0) }), tip == SeenFile.Tip(position) else {
      return false
    }
    state.withLock { ($0.file, $0.tip, $0.phase) = (file, tip, .on) }
    for part in parts { body(part) }
    return true
  }

  /// Starts to note request events, and writes none meanwhile. Call it before the log is read for the events that the files do not have.
  func begin() { state.withLock { $0.phase = .collecting } }

  /// Writes down what was read from the log behind the files, and what came meanwhile.
  /// - Parameters:
  ///   - since: milliseconds; when there are no files, a new one covers the time from there.
  ///   - position: how far the log was read.
  func add(_ marks: [SeenMark], since: Int64, upTo position: LogPosition) {
    state.withLock { state in
      state.phase = .on
      state.waiting += marks
      if position.count > state.tip?.count ?? 0 { state.tip = SeenFile.Tip(position) }
      do {
        if state.file == nil { state.file = try SeenFile(making: folder.seen, log: log, coversFrom: since, key: key) }
        try write(&state)
      } catch { giveUp(&state) }
    }
  }
}

extension LogFolder {
  var seen: String { path + "/audit.seen" }
  var oldSeen: String { seen + ".old" }
}

extension LogStore {
  /// Whether the entry that a file of seen events goes up to stands where it says.
  fileprivate func ends(_ tip: SeenFile.Tip) -> Bool {
    guard tip.count > layout.redacted, tip.end >= layout.start + UInt64(RecordFormat.minimumLength), tip.end < 1 << 60,
      let bytes = try? read(RecordFormat.endLength, at: tip.end - UInt64(RecordFormat.endLength))
    else { return false }
    return Bytes32(bytes.prefix(32)) == tip.last
  }
}
