import Curve
import Encodings
import Testing

@testable import AuditLog

@Suite struct ReadingTests {
  @Test("The newest entries are returned in order and can be filtered") func theTailIsNewestLastAndFiltered() throws {
    let folder = try closedLog(40)
    defer { withExtendedLifetime(folder) {} }
    let reader = try AuditReader(folder: folder.path, key: testKey)
    #expect(try reader.tail(3).map(\.sequence) == [38, 39, 40])
    #expect(try reader.tail(100).count == 40)
    #expect(try reader.tail(0).isEmpty)
    #expect(try reader.tail(9, lookingAt: 2).map(\.sequence) == [39, 40])
    #expect(try reader.tail(1, matching: AuditFilter(since: entry(38).time), lookingAt: 1).map(\.sequence) == [40])
    let client = PublicKey(Bytes32 { $0.fill(1) })
    #expect(try reader.tail(2, matching: AuditFilter(client: client)).map(\.sequence) == [37, 40])
    #expect(try reader.tail(2, matching: AuditFilter(kinds: [.paired])).isEmpty)
    #expect(try reader.tail(9, matching: AuditFilter(since: entry(39).time)).map(\.sequence) == [39, 40])
  }

  @Test("Reading goes forward from a given entry") func readingGoesForwardFromASequence() throws {
    let folder = try closedLog(40)
    defer { withExtendedLifetime(folder) {} }
    let reader = try AuditReader(folder: folder.path, key: testKey)
    #expect(try reader.read(from: 10, limit: 3).map(\.sequence) == [10, 11, 12])
    #expect(try reader.read(from: 41, limit: 3).isEmpty)
  }

  @Test("Reading the log in parts gives the same entries, even while content is dropped and entries are added")
  func partsAreTheWhole() throws {
    let folder = TemporaryFolder()
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    for number in 1...2999 { log.append(entry(number)) { _ in } }
    try log.appendAndWait(entry(3000))
    let whole = try log.read(from: 1, limit: .max)
    var (parts, next): ([AuditRecord], UInt64) = ([], 1)
    while next <= 3000 {
      let part = try log.read(from: next, limit: 70)
      parts += part
      next = try #require(part.last).sequence + 1
    }
    #expect(parts == whole)
    #expect(try log.read(from: 100, limit: 5) == Array(whole[99..<104]), "back again")
    var behind: [AuditRecord] = []
    try log.reader.each(behind: 2990) { behind.append($0) }
    #expect(behind.reversed() == Array(whole[2990...]))
    let events = Set(whole[2980..<2995].compactMap(\.entry.requestID))
    #expect(try log.reader.lastDecisions(on: events, after: 2990).count == 5)
    _ = try log.dropContent(olderThan: entry(2000).time, now: 0)
    #expect(log.redacted > 0)
    #expect(try log.read(from: 1, limit: 1).first?.sequence == log.redacted + 1)
    #expect(try log.read(from: 2995, limit: .max).map(\.sequence) == Array(2995...3001), "the entry of the dropping is the last")
    log.close()
  }

  @Test("When a signer stops, log readers are told at once, and entries are still written") func readingEnds() throws {
    let folder = TemporaryFolder()
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    for number in 1...20 { try log.appendAndWait(entry(number)) }
    let reader = try log.reader
    log.endReading()
    #expect(throws: AuditLogError.closed) { try reader.tail(3) }
    #expect(throws: AuditLogError.closed) { try log.read(from: 1, limit: 3) }
    #expect(throws: AuditLogError.closed) { try log.proof(of: 3) }
    #expect(throws: AuditLogError.closed) { try log.consistency(from: 3) }
    try log.appendAndWait(entry(21))
    log.close()
    #expect(try AuditLog.verify(folder: folder.path, keys: testKeys).entries == 21)
  }

  @Test("A log check reports its progress and can be cancelled") func checkIsToldToEnd() throws {
    let folder = try closedLog(9_000)
    defer { withExtendedLifetime(folder) {} }
    var told: [UInt64] = []
    let found = try AuditLog.verify(folder: folder.path, keys: testKeys) { entries in
      told.append(entries)
      return true
    }
    #expect(found.entries == 9_000 && told == [4_096, 8_192])
    #expect(throws: AuditLogError.closed) { try AuditLog.verify(folder: folder.path) { $0 < 5_000 } }
  }

  @Test("Reading starts at the nearest bookmark before the entry, and only a few bookmarks are kept") func bookmarks() {
    var bookmarks = Bookmarks()
    #expect(bookmarks.best(for: 9, redacted: 0) == nil)
    for number in 1...20 { bookmarks.keep(Bookmark(sequence: UInt64(number * 10), position: UInt64(number))) }
    #expect(bookmarks.best(for: 175, redacted: 0)?.sequence == 170)
    #expect(bookmarks.best(for: 125, redacted: 0) == nil, "forgotten")
    #expect(bookmarks.best(for: 175, redacted: 170) == nil && bookmarks.best(for: 500, redacted: 170)?.sequence == 200)
  }

  @Test("Recent events are returned with the newest first") func recentEventsComeNewestFirst() throws {
    let folder = try closedLog(20)
    defer { withExtendedLifetime(folder) {} }
    let reader = try AuditReader(folder: folder.path, key: testKey)
    let recent = try reader.recentEvents(since: entry(18).time)
    #expect(
      recent == [20, 19, 18].map { RecentEvent(id: id($0), createdAt: 1_700_000_000 + Int64($0), recordedAt: entry($0).time) })
    #expect(try reader.recentEvents(since: 0, limit: 5).count == 5)
  }

  @Test("Recent events are found even after the clock was set back") func aClockSetBackHidesNoRecentEvent() throws {
    let folder = TemporaryFolder()
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    for time: Int64 in [500, 900, 300, 400, 950] {
      log.append(AuditEntry(time: time, kind: .requestDecided, requestID: id(Int(time)))) { _ in }
    }
    log.close()
    #expect(try AuditReader(folder: folder.path, key: testKey).recentEvents(since: 450).map(\.recordedAt) == [950, 900, 500])
  }

  /// Crosses many buffers, both ways, and several heads.
  @Test("A long log gives the same entries in both directions") func longLogsReadTheSameForwardAndBackward() throws {
    let folder = TemporaryFolder()
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    for number in 1...3000 { log.append(entry(number)) { _ in } }
    try log.appendAndWait(entry(3001))
    #expect(try log.tail(.max) == log.read(from: 1, limit: .max))
    #expect(try log.recentEvents(since: 0).count == 3001)
    // While the log is open, another reader sees what is durable.
    #expect(try AuditReader(folder: folder.path, key: testKey).count == 3001)
    log.close()
    #expect(try AuditLog.verify(folder: folder.path, keys: testKeys).entries == 3001)
  }
}
