import Platform
import TestSupport
import Testing

@testable import AuditLog

@Suite struct GatheringTests {
  @Test("Entries share one sync while more of them are likely to come") func entriesShareOneSync() throws {
    let folder = TemporaryFolder()
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    let (coming, written) = (Locked(100), Locked(0))
    log.gather { coming.withLock { $0 } }
    let before = log.syncs
    for number in 1...20 { log.append(entry(number)) { _ in written.change { $0 += 1 } } }
    coming.withLock { $0 = 0 }
    log.stopGathering()
    #expect(written.wait(milliseconds: 10_000) { $0 == 20 ? true : nil } == true)
    // The thread may wake between two of them, once the 2 ms are over on a busy machine.
    #expect(log.syncs - before <= 3, "\(log.syncs - before) syncs for 20 entries")
    log.close()
    #expect(try AuditLog.verify(folder: folder.path, keys: testKeys).entries == 20)
  }

  @Test("Entries are written when as many of them wait as may still come") func halfOfThemIsEnough() throws {
    let folder = TemporaryFolder()
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    log.gather { 4 }
    let written = Locked(0)
    let before = log.syncs
    for number in 1...4 { log.append(entry(number)) { _ in written.change { $0 += 1 } } }
    #expect(written.wait(milliseconds: 10_000) { $0 == 4 ? true : nil } == true)
    #expect(log.syncs - before <= 3, "\(log.syncs - before) syncs for 4 entries")
    log.close()
  }

  @Test("An entry does not wait for others forever") func anEntryIsWrittenAlthoughMoreAreLikely() throws {
    let folder = TemporaryFolder()
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    log.gather { 100 }
    let isWritten = Locked(false)
    log.append(entry(1)) { _ in isWritten.change { $0 = true } }
    #expect(isWritten.wait(milliseconds: 10_000) { $0 ? true : nil } == true)
    #expect(try log.appendAndWait(entry(2)) == 2)
    log.close()
  }

  @Test("Closing the log does not wait for entries that are likely to come") func closingEndsTheWaiting() throws {
    let folder = TemporaryFolder()
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    log.gather { 100 }
    for number in 1...5 { log.append(entry(number)) { _ in } }
    log.close()
    #expect(try AuditLog.verify(folder: folder.path, keys: testKeys).entries == 5)
  }
}

extension GatheringTests {
  @Test("A change of the owner does not wait for requests") func onlyRequestsWait() throws {
    let folder = TemporaryFolder()
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    let asked = Locked(0)
    log.gather {
      asked.withLock { $0 += 1 }
      return 100
    }
    for number in 1...5 { try log.appendAndWait(entry(number, kind: .grantChanged)) }
    #expect(asked.withLock { $0 } == 0)
    log.close()
  }
}
