import AuditLog
import Ciphers
import Curve
import SecretMemory

extension FuzzTarget {
  /// The audit log's files: as raw bytes; as a log with right seals, hashes and signatures, of bodies of the input's choosing, whole,
  /// cut or with one byte changed; and as a log of version 1 to be taken over.
  static let auditLog = FuzzTarget("auditlog") { (bytes) throws(FuzzFault) in
    guard let place = LogPlace() else { return }
    var feed = ByteFeed(bytes)
    switch feed.index(below: 5) {
    case 0:
      if feed.bool() { place.folder.write(feed.shortBytes(), to: head) }
      place.folder.write(feed.remaining(), to: log)
      try readAll(place, &feed)
    case 1: try readable(place, &feed)
    case 2: try oldLog(place, &feed)
    default:
      do { try builtLog(place, &feed) } catch let fault as FuzzFault { throw fault } catch { return }
    }
  }

  /// Where a log lies, and its keys.
  private struct LogPlace: ~Copyable {
    let folder: ScratchFolder
    let keys: AuditKeys
    let key: SecretBox
    var path: String { folder.path }

    init?() {
      guard let folder = ScratchFolder(), let (keys, key) = LogImage.keys() else { return nil }
      self.folder = folder
      (self.keys, self.key) = (keys, key)
    }

    func fault() -> AuditIntegrityError? { (try? AuditLog.verify(folder: path, keys: keys))?.fault }
  }

  private static let log = "audit.log"
  private static let head = "audit.head"

  /// Reading may refuse, but what it gives is in bounds; opening for appending changes nothing it refuses.
  private static func readAll(_ place: borrowing LogPlace, _ feed: inout ByteFeed) throws(FuzzFault) {
    let (logBefore, headBefore) = (place.folder.read(log), place.folder.read(head))
    _ = try? AuditLog.verify(folder: place.path)
    let isSound = (try? AuditLog.verify(folder: place.path, keys: place.keys)).map { $0.fault == nil } ?? false
    if let reader = try? AuditReader(folder: place.path, key: place.key) {
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
      let opened = try AuditLog.open(folder: place.path, keys: place.keys, now: 1_700_000_000_000)
      let sequence = try? opened.appendAndWait(AuditEntry(time: 1, kind: .daemonStarted))
      try require(sequence == opened.count, "an opened log takes another entry")
      if isSound, let sequence, let (proof, _) = try? opened.proof(of: sequence) {
        try require(proof.size == sequence && proof.leaf != nil, "the last entry has its proof")
      }
      opened.close()
      try require(
        (try? AuditReader(folder: place.path, key: place.key).tail(1).first?.sequence) == sequence, "and it is the last one")
    } catch let fault as FuzzFault { throw fault } catch {
      guard logBefore?.count ?? 0 >= 152 else { return }  // a log that was never begun is begun anew
      try require(
        place.folder.read(log) == logBefore && place.folder.read(head) == headBefore, "nothing is overwritten: \(error)")
    }
  }

  /// Entries made by the log's own code are read as they were written, and a log without the content of some still verifies.
  private static func readable(_ place: borrowing LogPlace, _ feed: inout ByteFeed) throws(FuzzFault) {
    var entries: [AuditEntry] = []
    do {
      let log = try AuditLog.open(folder: place.path, keys: place.keys, now: 0)
      while !feed.isEmpty && entries.count < 8 {
        entries.append(entry(&feed))
        try log.appendAndWait(entries[entries.count - 1])
      }
      let read = try log.tail(16).map(\.entry)
      try require(read == entries, "entries read as they were written")
      if feed.bool() { _ = try log.dropContent(olderThan: feed.int64(), now: 0) }
      log.close()
      try require(place.fault() == nil, "and the log verifies")
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

  private static func builtLog(_ place: borrowing LogPlace, _ feed: inout ByteFeed) throws {
    let (change, offset, value, headEntry) = (feed.index(below: 3), Int(feed.int16().magnitude), feed.byte(), feed.byte())
    var image = try LogImage()
    while !feed.isEmpty && image.count < 16 {
      try image.append(time: feed.int64(), body: feed.bytes(feed.index(below: 260)), isFirst: feed.byte() < 64)
    }
    place.folder.write(try image.head(at: Int(headEntry) % (image.count + 1)), to: head)
    place.folder.write(image.log, to: log)
    let hashes = (try? AuditLog.verify(folder: place.path)).map { $0.fault == nil } ?? false
    try require(hashes, "a log with right hashes and signatures verifies without the keys")
    let bytes = changed(image.log, change, at: offset, to: value)
    place.folder.write(bytes, to: log)
    if change == 2 && bytes != image.log {
      try require((try? AuditLog.verify(folder: place.path))?.fault != nil, "one changed byte is found")
    }
    try readAll(place, &feed)
  }

  private static func changed(_ bytes: [UInt8], _ change: Int, at place: Int, to value: UInt8) -> [UInt8] {
    var bytes = bytes
    switch change {
    case 1: return Array(bytes.prefix(place % bytes.count))
    case 2: bytes[place % bytes.count] = value
    default: break
    }
    return bytes
  }

  /// A log of version 1 is taken over whole, or left as it is.
  private static func oldLog(_ place: borrowing LogPlace, _ feed: inout ByteFeed) throws(FuzzFault) {
    let (change, offset, value, headEntry) = (feed.index(below: 3), Int(feed.int16().magnitude), feed.byte(), feed.byte())
    let said = feed.bool() ? nil : UInt64(bitPattern: feed.int64())
    var image = OldLogImage()
    while !feed.isEmpty && image.count < 16 { image.append(time: feed.int64(), body: feed.bytes(feed.index(below: 220))) }
    let recorded = Int(headEntry) % (image.count + 1)
    let (oldHead, oldLog) = (
      image.head(at: recorded, saying: said ?? UInt64(recorded)), changed(image.log, change, at: offset, to: value)
    )
    place.folder.write(oldHead, to: head)
    place.folder.write(oldLog, to: log)
    do {
      let taken = try AuditLog.open(folder: place.path, keys: place.keys, now: 0)
      let count = taken.count
      taken.close()
      try require(count >= UInt64(recorded) || said != nil, "no entry is lost")
      try require(oldLog.count < 32 || place.fault() == nil, "what was taken over verifies")
    } catch let fault as FuzzFault { throw fault } catch {
      guard oldLog.count >= 152 else { return }
      try require(place.folder.read(log) == oldLog && place.folder.read(head) == oldHead, "nothing is overwritten: \(error)")
    }
  }
}
