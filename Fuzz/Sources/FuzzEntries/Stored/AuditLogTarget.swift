internal import AuditLog
internal import Curve

extension FuzzTarget {
  /// The audit log's files: as raw bytes; and as a log with a right chain, of bodies of the input's choosing, whole, cut or with one byte
  /// changed.
  static let auditLog = FuzzTarget("auditlog") { (bytes) throws(FuzzFault) in
    guard let folder = ScratchFolder() else { return }
    var feed = ByteFeed(bytes)
    switch feed.index(below: 4) {
    case 0:
      if feed.bool() { folder.write(feed.bytes(112), to: head) }
      folder.write(feed.remaining(), to: log)
      try readAll(folder, &feed)
    case 1: try readable(folder, &feed)
    default: try builtLog(folder, &feed)
    }
  }

  private static let log = "audit.log"
  private static let head = "audit.head"

  /// Reading may refuse, but what it gives is in bounds; opening for appending changes nothing it refuses.
  private static func readAll(_ folder: borrowing ScratchFolder, _ feed: inout ByteFeed) throws(FuzzFault) {
    let (logBefore, headBefore) = (folder.read(log), folder.read(head))
    _ = try? AuditLog.verify(folder: folder.path)
    if let reader = try? AuditReader(folder: folder.path) {
      let limit = feed.index(below: 8)
      let filter = AuditFilter(kinds: feed.bool() ? [.requestDone] : nil, since: feed.bool() ? feed.int64() : nil)
      if let tail = try? reader.tail(limit, matching: filter) {
        try require(tail.count <= limit && tail.allSatisfy { filter.matches($0.entry) }, "limit and filter hold")
      }
      _ = try? reader.read(from: UInt64(feed.byte()), limit: limit, matching: filter)
      _ = try? reader.recentEvents(since: feed.int64(), limit: limit)
    }
    guard feed.byte() < 64 else { return }
    do {
      let opened = try AuditLog.open(folder: folder.path, now: 1_700_000_000_000)
      let sequence = try? opened.appendAndWait(AuditEntry(time: 1, kind: .daemonStarted))
      try require(sequence == opened.count, "an opened log takes another entry")
      opened.close()
      try require((try? AuditReader(folder: folder.path).tail(1).first?.sequence) == sequence, "and it is the last one")
    } catch let fault as FuzzFault { throw fault } catch {
      guard logBefore?.count ?? 0 >= 32 else { return }  // a log that was never begun is begun anew
      try require(folder.read(log) == logBefore && folder.read(head) == headBefore, "nothing is overwritten: \(error)")
    }
  }

  /// Entries made by the log's own code are read as they were written.
  private static func readable(_ folder: borrowing ScratchFolder, _ feed: inout ByteFeed) throws(FuzzFault) {
    var entries: [AuditEntry] = []
    do {
      let log = try AuditLog.open(folder: folder.path, now: 0)
      while !feed.isEmpty && entries.count < 8 {
        entries.append(entry(&feed))
        try log.appendAndWait(entries[entries.count - 1])
      }
      log.close()
      let read = try AuditReader(folder: folder.path).tail(16).map(\.entry)
      try require(read == entries, "entries read as they were written")
      let fault = try AuditLog.verify(folder: folder.path).fault
      try require(fault == nil, "and the log verifies")
    } catch let fault as FuzzFault { throw fault } catch { throw FuzzFault("an own log opens and takes entries: \(error)") }
  }

  private static func entry(_ feed: inout ByteFeed) -> AuditEntry {
    var entry = AuditEntry(
      time: feed.int64(), kind: AuditEntry.Kind.allCases[feed.index(below: AuditEntry.Kind.allCases.count)])
    if feed.bool() { entry.client = Keys.bob.publicKey }
    if feed.bool() { entry.requestID = Keys.alice.publicKey.bytes }
    if feed.bool() { entry.requestCreatedAt = feed.int64() }
    if feed.bool() { entry.eventKind = UInt16(truncatingIfNeeded: feed.int16()) }
    if feed.bool() { entry.rule = AuditRule(clipping: String(decoding: feed.shortBytes(), as: UTF8.self)) }
    if feed.bool() { entry.error = AuditErrorCode(rawValue: UInt16(truncatingIfNeeded: feed.int16())) }
    if feed.bool() { entry.amount = feed.int64() }
    return entry
  }

  private static func builtLog(_ folder: borrowing ScratchFolder, _ feed: inout ByteFeed) throws(FuzzFault) {
    let (change, place, value, headEntry) = (feed.index(below: 3), Int(feed.int16().magnitude), feed.byte(), feed.byte())
    let said = feed.bool() ? nil : UInt64(bitPattern: feed.int64())
    var image = LogImage()
    while !feed.isEmpty && image.count < 16 { image.append(time: feed.int64(), body: feed.bytes(feed.index(below: 220))) }
    let recorded = Int(headEntry) % (image.count + 1)
    folder.write(image.head(at: recorded, saying: said ?? UInt64(recorded)), to: head)
    folder.write(image.log, to: log)
    let isReadable = (try? AuditLog.verify(folder: folder.path).fault == nil) ?? false
    var bytes = image.log
    switch change {
    case 1: bytes = Array(bytes.prefix(place % bytes.count))
    case 2: bytes[place % bytes.count] = value
    default: break
    }
    folder.write(bytes, to: log)
    if isReadable && change == 2 && bytes != image.log {
      let verification = try? AuditLog.verify(folder: folder.path)
      try require(verification.map { $0.fault != nil } ?? false, "one changed byte is found")
    }
    try readAll(folder, &feed)
  }
}
