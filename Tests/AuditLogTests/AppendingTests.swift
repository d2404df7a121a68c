import Encodings
import Foundation
import Platform
import Testing

@testable import AuditLog

@Suite struct AppendingTests {
  @Test("Entries are numbered and can be read after the log is reopened")
  func entriesAreNumberedAndComeBackAfterReopening() throws {
    let folder = try closedLog(3)
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    #expect(log.count == 3)
    #expect(try log.appendAndWait(entry(4)) == 4)
    let read = try log.read(from: 1, limit: 10)
    #expect(read.map(\.sequence) == [1, 2, 3, 4] && read.map(\.entry) == (1...4).map { entry($0) })
    log.close()
    #expect(try AuditReader(folder: folder.path, key: testKey).count == 4)
  }

  @Test("Only the owner can read the log's files") func filesAreForTheOwnerOnly() throws {
    let folder = try closedLog(1)
    for path in [folder.log, folder.head] {
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
    }
  }

  @Test("A log that is open cannot be opened a second time") func aSecondOwnerIsRefused() throws {
    let folder = TemporaryFolder()
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    #expect(throws: AuditLogError.inUse) { try AuditLog.open(folder: folder.path, keys: testKeys, now: 0) }
    log.close()
    try AuditLog.open(folder: folder.path, keys: testKeys, now: 0).close()
  }

  @Test("A closed log accepts no entries") func aClosedLogRefusesEntries() throws {
    let folder = TemporaryFolder()
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    log.close()
    log.close()
    #expect(throws: AuditLogError.closed) { try log.appendAndWait(entry(1)) }
  }

  @Test("Closing the log writes waiting entries") func closingWritesWhatWaits() throws {
    let folder = TemporaryFolder()
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    for number in 1...500 { log.append(entry(number)) { _ in } }
    log.close()
    let result = try AuditLog.verify(folder: folder.path, keys: testKeys)
    #expect(result.entries == 500 && result.fault == nil)
  }

  @Test("Entries from many threads keep their order and share syncs")
  func appendersOnManyThreadsKeepTheirOrderAndShareSyncs() throws {
    let folder = TemporaryFolder()
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    let (threads, each) = (4, 500)
    let acknowledged = Locked<[Int: [UInt64]]>([:])
    DispatchQueue.concurrentPerform(iterations: threads) { thread in
      for number in 0..<each {
        log.append(AuditEntry(time: Int64(number), kind: .paired, amount: Int64(thread))) { result in
          acknowledged.change { $0[thread, default: []].append((try? result.get()) ?? 0) }
        }
      }
    }
    log.close()
    acknowledged.withLock { all in
      #expect(Set(all.values.joined()) == Set(1...UInt64(threads * each)))
      for sequences in all.values { #expect(sequences == sequences.sorted() && sequences.count == each) }
    }
    let stored = try AuditReader(folder: folder.path, key: testKey).read(from: 1, limit: .max)
    for thread in 0..<threads {
      #expect(stored.filter { $0.entry.amount == Int64(thread) }.map(\.entry.time) == (0..<Int64(each)).map { $0 })
    }
    #expect(log.syncs < threads * each / 4, "\(log.syncs) syncs")
  }

  @Test("Entries that wait for the busy writer share one sync, and their number is limited")
  func whatWaitsWhileTheWriterIsBusySharesOneSyncAndIsBounded() throws {
    let folder = TemporaryFolder()
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    let release = Locked(false)
    let entered = Locked(false)
    log.append(entry(0)) { _ in  // holds the writer's thread until it is released
      entered.change { $0 = true }
      _ = release.wait { $0 ? true : nil }
    }
    _ = entered.wait { $0 ? true : nil }
    let results = Locked<[Result<UInt64, AuditLogError>]>([])
    for number in 1...AuditLog.maximumWaiting + 3 { log.append(entry(number)) { result in results.change { $0.append(result) } } }
    #expect(results.withLock { $0 } == [.failure(.overloaded), .failure(.overloaded), .failure(.overloaded)])
    release.change { $0 = true }
    log.close()
    #expect(results.withLock { $0.count } == AuditLog.maximumWaiting + 3)
    #expect(log.syncs == 1 + AuditLog.maximumWaiting / AuditLog.maximumBatch)
    #expect(try AuditLog.verify(folder: folder.path, keys: testKeys).entries == UInt64(AuditLog.maximumWaiting + 1))
  }
}

@Suite struct NoteTests {
  /// The order is kept, a kill finds the entry in the file, and no sync of its own is spent while others come.
  @Test("A note is in the file at once, and many notes share one sync") func aNoteIsInTheFileAtOnceAndSharesALaterSync() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("notes-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let log = try AuditLog.open(folder: folder, keys: testKeys, now: 1)
    let before = log.syncs
    for time in 1...50 as ClosedRange<Int64> { try log.note(AuditEntry(time: time, kind: .requestDone)) }
    let sequence = try log.appendAndWait(AuditEntry(time: 51, kind: .requestDecided))
    #expect(sequence == 51)
    #expect(log.syncs - before <= 2, "fifty notes and one entry cost one sync, or two when the clock was slow")
    // A reader of its own sees what the file holds, as another process would after a kill.
    #expect(try AuditReader(folder: folder, key: testKey).tail(100).map(\.entry.time) == Array(1...51))
    try log.note(AuditEntry(time: 52, kind: .requestDone))
    log.close()
    #expect(try AuditLog.verify(folder: folder, keys: testKeys).entries == 52)
    #expect(try AuditLog.verify(folder: folder, keys: testKeys).fault == nil)
  }
}

extension NoteTests {
  @Test("A single note is synced to disk soon, even when nothing else is written") func aLoneNoteIsSynced() throws {
    let folder = TemporaryFolder()
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 1)
    for time in 1...5 as ClosedRange<Int64> {
      let before = log.syncs
      try log.note(AuditEntry(time: time, kind: .requestDone))
      let isSynced = Locked(false)
      for _ in 0..<10_000 where log.syncs == before { _ = isSynced.wait(milliseconds: 1) { $0 ? true : nil } }
      #expect(log.syncs > before)
      // The writer rests again.
      _ = isSynced.wait(milliseconds: 20) { $0 ? true : nil }
    }
    log.close()
  }
}

@Suite struct PenTests {
  private let folder = TemporaryFolder()

  /// A log's file under a pen of our own, as the writer has it.
  private func withPen(_ body: (inout LogAppender, LogStore) throws -> Void) throws {
    try AuditLog.open(folder: folder.path, keys: testKeys, now: 0).close()
    let opened = try OpenedLog(appending: LogFolder(path: folder.path), keys: testKeys, anchor: nil, newID: [])
    var pen = LogAppender(opened.position, EntrySealer(opened.store.header, testKeys.signer))
    try body(&pen, opened.store)
    opened.store.file.unlock()
  }

  private var times: [Int64] {
    get throws { try AuditReader(folder: folder.path, key: testKey).tail(100).map(\.entry.time) }
  }

  private func entry(_ time: Int64) -> AuditEntry { AuditEntry(time: time, kind: .requestDone) }

  /// An answer need not wait for the disk that is at work for another request.
  @Test("A note is written while earlier entries are still being synced")
  func aNoteIsInTheFileWhileOtherEntriesAreBeingSynced() throws {
    try withPen { pen, store in
      #expect(try pen.begin([entry(1), entry(2)], in: store) == 1)
      try pen.note([entry(3)], in: store)
      #expect(try times == [1, 2, 3])
      #expect(pen.isSyncing)
      let isMoreWritten = pen.endSync()
      #expect(isMoreWritten)
      try pen.note([entry(4)], in: store)
      #expect(!pen.isSyncing)
    }
    #expect(try times == [1, 2, 3, 4])
    #expect(try AuditLog.verify(folder: folder.path, keys: testKeys).fault == nil)
  }

  /// What its asker was told is not recorded must not stand there; an answer that left must.
  @Test("Entries that cannot be synced are removed, and notes behind them stay")
  func entriesThatCouldNotBeSyncedGoAndNotesBehindThemStay() throws {
    try withPen { pen, store in
      try pen.note([entry(1)], in: store)
      _ = try pen.begin([entry(2), entry(3)], in: store)
      try pen.note([entry(4)], in: store)
      pen.takeBack(in: store)
      try pen.note([entry(5)], in: store)
      #expect(try pen.begin([entry(6)], in: store) == 4)
      _ = pen.endSync()
    }
    #expect(try times == [1, 4, 5, 6])
    #expect(try AuditLog.verify(folder: folder.path, keys: testKeys).fault == nil)
  }

  @Test("A note is in the log once its answer was sent, even if the disk failed for a while", arguments: [true, false])
  func notesOutliveADiskThatTakesNothing(isLast: Bool) throws {
    try withPen { pen, store in
      let dead = try LogStore(OpenedLog.file(of: LogFolder(path: folder.path), flags: O_RDONLY, nil))
      _ = try pen.begin([entry(1)], in: store)
      try pen.note([entry(2)], in: store)
      pen.takeBack(in: dead)
      #expect(throws: AuditLogError.self) { try pen.note([entry(3)], in: dead) }
      #expect(throws: AuditLogError.self) { try pen.begin([entry(4)], in: dead) }
      if isLast { return pen.close(in: store) }
      #expect(try pen.begin([entry(5)], in: store) == 2)
      _ = pen.endSync()
    }
    #expect(try times == (isLast ? [2] : [2, 5]))
    #expect(try AuditLog.verify(folder: folder.path, keys: testKeys).fault == nil)
  }
}
