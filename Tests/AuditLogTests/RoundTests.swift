import Platform
import TestSupport
import Testing

@testable import AuditLog

/// The log's thread lends the writing to a thread that takes requests.
@Suite struct RoundTests {
  /// Begins as soon as the log's thread rests.
  private static func begin(_ log: AuditLog, ifSyncedIn nanoseconds: UInt64 = .max) -> Bool {
    comesTrue { log.beginRound(ifSyncedIn: nanoseconds) }
  }

  /// Appends an entry and keeps its number, and whether the answer came on the caller's thread.
  private final class Answers: Sendable {
    let given = Locked<[(result: Result<UInt64, AuditLogError>, isHere: Bool)]>([])
    private let thread = SystemThread.current

    func append(_ number: Int, to log: AuditLog) {
      log.append(entry(number)) { [self] result in given.change { $0.append((result, thread.isCurrent)) } }
    }

    var numbers: [UInt64] { given.withLock { $0.compactMap { try? $0.result.get() } } }
    var areHere: Bool { given.withLock { $0.allSatisfy(\.isHere) } }
    func waitFor(_ count: Int) { _ = given.wait(milliseconds: 20_000) { $0.count >= count ? true : nil } }
  }

  @Test("The entries of a round share one sync, and are confirmed on the thread that wrote them") func oneSync() throws {
    let folder = TemporaryFolder()
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    try #require(Self.begin(log))
    let (answers, syncs) = (Answers(), log.syncs)
    for number in 1...5 { answers.append(number, to: log) }
    log.writeRound()
    #expect(answers.numbers.isEmpty && log.count == 0)
    log.endRound()
    #expect(answers.numbers == [1, 2, 3, 4, 5] && answers.areHere && log.count == 5)
    #expect(log.syncs == syncs + 1)
    log.close()
    #expect(try AuditLog.verify(folder: folder.path, keys: testKeys).entries == 5)
  }

  @Test("What other threads append in a round is written with it or after it") func others() throws {
    let folder = TemporaryFolder()
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    try #require(Self.begin(log))
    let answers = Answers()
    func appendElsewhere(_ number: Int) { SystemThread.start { answers.append(number, to: log) }?.join() }
    appendElsewhere(1)
    log.writeRound()
    appendElsewhere(2)
    #expect(answers.numbers.isEmpty)
    log.endRound()
    answers.waitFor(2)
    #expect(answers.numbers == [1, 2])
    log.close()
    #expect(try AuditLog.verify(folder: folder.path, keys: testKeys).entries == 2)
  }

  @Test("After a round the log's thread writes again, and the writing can be lent again") func again() throws {
    let folder = TemporaryFolder()
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    for number in stride(from: 1, to: 20, by: 2) {
      try #require(Self.begin(log))
      log.append(entry(number)) { _ in }
      log.writeRound()
      log.endRound()
      #expect(try log.appendAndWait(entry(number + 1)) == UInt64(number + 1))
    }
    log.close()
    #expect(try AuditLog.verify(folder: folder.path, keys: testKeys).entries == 20)
  }

  @Test("The writing is not lent while the log has work, is slow or is closed") func refused() throws {
    let folder = TemporaryFolder()
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    #expect(!log.beginRound(ifSyncedIn: .max - 1), "without a sync so far, the disk counts as slow")
    let (entered, release) = (Locked(false), Locked(false))
    log.append(entry(1)) { _ in
      entered.change { $0 = true }
      _ = release.wait { $0 ? true : nil }
    }
    _ = entered.wait { $0 ? true : nil }
    #expect(!log.beginRound(ifSyncedIn: .max))
    release.change { $0 = true }
    try #require(Self.begin(log))
    #expect(!log.beginRound(ifSyncedIn: .max), "it is lent already")
    log.endRound()
    #expect(!log.beginRound(ifSyncedIn: 1), "no disk is that quick")
    #expect(!log.beginRound(ifSyncedIn: .max, inTheLast: 1), "the last sync is longer ago")
    log.close()
    #expect(!log.beginRound(ifSyncedIn: .max))
  }

  @Test("An entry without a waiting caller is synced soon after a round") func notesAreSynced() throws {
    let folder = TemporaryFolder()
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    try #require(Self.begin(log))
    let isWritten = Locked(false)
    log.appendFollowed(entry(1)) { _ in FollowUp(entry(2)) { written in isWritten.withLock { $0 = written } } }
    log.writeRound()
    log.endRound()
    #expect(isWritten.withLock { $0 } && log.count == 2)
    let syncs = log.syncs
    #expect(comesTrue { log.syncs > syncs })
    log.close()
  }

  @Test("During a round only the round syncs the log to the disk; afterwards the log's own thread does") func onlyTheRoundSyncs()
    throws
  {
    let folder = TemporaryFolder()
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    try log.note(entry(1))
    usleep(30_000)  // by now the log's thread waits for the time to sync it
    try #require(Self.begin(log))
    let (answers, syncs) = (Answers(), log.syncs)
    answers.append(2, to: log)
    log.writeRound()
    try log.note(entry(3))
    usleep(300_000)  // three times as long as the log's thread lets an entry be unsynced
    #expect(log.syncs == syncs)
    log.endRound()
    #expect(answers.numbers == [2])
    #expect(comesTrue { log.syncs >= syncs + 2 })
    log.close()
    #expect(try AuditLog.verify(folder: folder.path, keys: testKeys).entries == 3)
  }

  @Test("Rounds have the head written as often as the log's thread does") func head() throws {
    let folder = TemporaryFolder()
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    let (answers, head) = (Answers(), try? folder.bytes(folder.head))
    for number in 1...Int(AuditLog.entriesPerHead) {
      try #require(Self.begin(log))
      answers.append(number, to: log)
      log.writeRound()
      log.endRound()
    }
    #expect(comesTrue { (try? folder.bytes(folder.head)) != head })
    log.close()
  }

  @Test("Closing the log waits for the end of a round") func closing() throws {
    let folder = TemporaryFolder()
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    try #require(Self.begin(log))
    let (answers, isClosed) = (Answers(), Locked(false))
    answers.append(1, to: log)
    let closing = SystemThread.start {
      log.close()
      isClosed.withLock { $0 = true }
    }
    log.writeRound()
    #expect(!isClosed.withLock { $0 })
    log.endRound()
    closing?.join()
    #expect(answers.numbers == [1])
    #expect(try AuditLog.verify(folder: folder.path, keys: testKeys).entries == 1)
  }

  @Test("A thread in a round that waits for an entry does not wait for itself") func waitingHere() throws {
    let folder = TemporaryFolder()
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    let answers = Answers()
    for isWritten in [false, true] {
      try #require(Self.begin(log))
      answers.append(1, to: log)
      if isWritten { log.writeRound() }
      try log.appendAndWait(entry(2))
      log.writeRound()
      log.endRound()
    }
    answers.waitFor(2)
    #expect(answers.numbers == [1, 3] && log.count == 4)
    log.close()
  }
}
