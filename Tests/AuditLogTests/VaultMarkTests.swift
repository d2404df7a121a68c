import Encodings
import Testing

@testable import AuditLog

@Suite struct VaultMarkTests {
  private let state = State()

  /// What the vault of these tests says of itself.
  private final class State: @unchecked Sendable {  // set by the test alone, while no entry waits
    var mark: VaultMark?
    func set(_ revision: UInt64) { mark = testMark(revision) }
  }

  private func open(_ folder: TemporaryFolder, isLocked: Bool = false) throws -> AuditLog {
    let state = state
    let log = try AuditLog.open(
      folder: folder.path, keys: keys(isLocked: isLocked), marks: VaultMarks { state.mark }, now: 0)
    log.followVault()
    return log
  }

  @Test("The signed head carries the vault's latest state") func headCarriesTheState() throws {
    let folder = TemporaryFolder()
    state.set(3)
    let log = try open(folder)
    try log.appendAndWait(entry(1))
    state.set(7)
    log.close()
    #expect(try AuditLog.headVault(folder: folder.path) == testMark(7))
  }

  @Test("The newer of two vault states counts, whichever arrived last") func theNewerStateCounts() {
    let (old, new) = (testMark(3), testMark(7))
    #expect(VaultMark.later(old, new) == new && VaultMark.later(new, old) == new)
    #expect(VaultMark.later(nil, old) == old && VaultMark.later(old, nil) == old)
  }

  @Test("A sealed entry contains the vault's state only where it changed") func entriesCarryChanges() throws {
    let folder = TemporaryFolder()
    let log = try open(folder)
    try log.appendAndWait(entry(1))
    state.set(3)
    for number in 2...3 { try log.appendAndWait(entry(number)) }
    state.set(4)
    try log.appendAndWait(entry(4))
    #expect(try log.tail(9).map(\.entry.vault) == [nil, testMark(3), nil, testMark(4)])
    log.close()
  }

  @Test("After a kill, the last entries give the vault's state, even if the head is older") func entriesBehindTheHead() throws {
    let folder = TemporaryFolder()
    state.set(3)
    let first = try open(folder)
    try first.appendAndWait(entry(1))
    first.close()
    let head = try folder.bytes(folder.head)
    let second = try open(folder)
    state.set(9)
    try second.appendAndWait(entry(2))
    second.close()
    try folder.write(head, to: folder.head)  // as if it was never written

    state.set(4)  // an older vault
    let locked = try open(folder, isLocked: true)
    #expect(locked.hasUnread)
    #expect(try locked.knownVault() == testMark(3), "nothing but the head can be read while locked")
    locked.close()
    try folder.write(head, to: folder.head)
    let log = try open(folder)
    #expect(try log.knownVault() == testMark(9))
    try log.appendAndWait(entry(3))
    log.close()
    #expect(try AuditLog.headVault(folder: folder.path) == testMark(9), "an older vault lowers nothing")
  }

  @Test("Entries written without the log's keys do not block a locked start") func unsigned()
    throws
  {
    let folder = try closedLog(2)
    let recording = try AuditLog.open(recordingIn: folder.path, now: 0)
    try recording.appendAndWait(AuditEntry(time: 5, kind: .vaultOpenFailed, error: .wrongPassphrase))
    recording.close()
    for _ in 0..<2 {
      let locked = try open(folder, isLocked: true)
      #expect(!locked.hasUnread)
      try locked.appendAndWait(entry(3))
      locked.close()
    }
  }

  @Test("The head is written right after an entry that an older vault would undo") func headFollowsAtOnce() throws {
    let folder = TemporaryFolder()
    let log = try open(folder)
    state.set(5)
    try log.appendAndWait(entry(1))
    #expect(try AuditLog.headVault(folder: folder.path) == nil)
    try log.appendAndWait(entry(2, kind: .unpaired))
    try log.appendAndWait(entry(3))  // the thread has written the head before it takes another
    #expect(try AuditLog.headVault(folder: folder.path) == testMark(5))
    log.close()
  }

  @Test("The log ignores the state of a vault that has not been verified") func notFollowed() throws {
    let folder = TemporaryFolder()
    state.set(5)
    let first = try open(folder)
    first.close()
    state.set(99)
    let log = try open(folder)
    log.followVault(false)
    try log.appendAndWait(entry(1, kind: .incidentCritical))
    #expect(try log.tail(1).first?.entry.vault == nil)
    log.close()
    #expect(try AuditLog.headVault(folder: folder.path) == testMark(5))
  }

  @Test("Entries written after a given vault state can be found") func entriesAfterAState() throws {
    let folder = TemporaryFolder()
    let log = try open(folder)
    for revision in 1...6 as ClosedRange<UInt64> {
      state.set(revision)
      try log.appendAndWait(entry(Int(revision), kind: revision == 5 ? .unpaired : .requestDecided))
    }
    let (found, since) = try log.reader.entries(after: 3, of: [.unpaired], limit: 100)
    #expect(found.map(\.vault) == [testMark(5)] && since == entry(3).time)
    #expect(try log.reader.entries(after: 5, of: [.unpaired], limit: 100).entries.isEmpty)
    log.close()
  }

  @Test("Someone who can only write the log file cannot forge the vault's state") func strangersEntriesSayNothing() throws {
    var recorded = AuditEntry(time: 1, kind: .vaultOpenFailed)
    #expect(EntryOpener.isWrittenWhileLocked(recorded))
    recorded.vault = testMark(9)
    #expect(!EntryOpener.isWrittenWhileLocked(recorded))
  }

  @Test("A head of an earlier version, which has no vault state, can be read") func olderHeads() throws {
    let folder = try closedLog(3)  // opened without marks
    #expect(try AuditLog.headVault(folder: folder.path) == nil)
    state.set(2)
    let log = try open(folder)
    #expect(try log.knownVault() == nil)
    log.close()
    #expect(try AuditLog.headVault(folder: folder.path) == testMark(2))
    #expect(try AuditLog.verify(folder: folder.path, keys: testKeys).fault == nil)
  }
}

private func testMark(_ revision: UInt64) -> VaultMark {
  VaultMark(revision: revision, generation: 1, digest: [UInt8](repeating: UInt8(revision), count: 16))!  // 16 bytes, not 0
}
