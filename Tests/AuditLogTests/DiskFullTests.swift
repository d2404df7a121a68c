import Encodings
import Foundation
import Platform
import TestSupport
import Testing

@testable import AuditLog

@Suite(.serialized) struct DiskFullTests {
  /// A file system of 64 KiB, or as said, in a temporary folder; nil when this process may not mount.
  final class SmallDisk {
    let folder = TemporaryFolder()
    init?(_ size: String = "64k") { guard mount("tmpfs", folder.path, "tmpfs", 0, "size=\(size)") == 0 else { return nil } }
    deinit { umount2(folder.path, 2) }  // 2: MNT_DETACH

    /// A file of so many bytes, which takes the room of others.
    func fill(_ bytes: Int) throws { try folder.write([UInt8](repeating: 1, count: bytes), to: ballast) }

    /// Frees that room at once. A removed file would keep it for as long as a process that was started meanwhile holds it open.
    func makeRoom() { #expect(truncate(ballast, 0) == 0) }

    private var ballast: String { folder.path + "/ballast" }
  }

  @Test("A full disk loses no entry, and writing continues when there is space")
  func aFullDiskLosesNothingAndHealsWhenThereIsSpace() async throws {
    guard let disk = SmallDisk() else { return await aFileSizeLimitLosesNothing() }
    try disk.fill(36 << 10)
    let log = try AuditLog.open(folder: disk.folder.path, keys: testKeys, now: 0)
    try Self.check(log, in: disk.folder, fault: ENOSPC) { disk.makeRoom() }
  }

  /// The same through a limit on the length of a file, in a process of its own.
  @Test("A limit on the file's size loses no entry") func aFileSizeLimitLosesNothing() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
      signal(SIGXFSZ, SIG_IGN)
      var old = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &old)
      var small = rlimit(rlim_cur: 20_000, rlim_max: old.rlim_max)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &small)
      try Self.check(log, in: folder, fault: EFBIG) { _ = setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &old) }
    }
  }

  private static func check(_ log: AuditLog, in folder: TemporaryFolder, fault: Int32, makeSpace: () throws -> Void) throws {
    var last: UInt64 = 0
    let fault = AuditLogError.io(.write, code: fault)
    do { while true { last = try log.appendAndWait(entry(Int(last) + 1)) } } catch { #expect(error == fault) }
    #expect(last > 20)
    // Several that wait for one write that cannot be made: each is told.
    let results = Locked<[Result<UInt64, AuditLogError>]>([])
    for number in 0..<50 { log.append(entry(number)) { result in results.change { $0.append(result) } } }
    let all = results.wait(milliseconds: 20_000) { $0.count == 50 ? $0 : nil }
    #expect(all?.allSatisfy { $0 == .failure(fault) } == true)
    let full = try AuditLog.verify(folder: folder.path, keys: testKeys)
    #expect(full.entries == last && full.fault == nil && full.unfinishedBytes == 0)
    // In a round, too.
    let inRound = Locked<[Result<UInt64, AuditLogError>]>([])
    #expect(comesTrue { log.beginRound(ifSyncedIn: .max) })
    for number in 0..<50 { log.append(entry(number)) { result in inRound.withLock { $0.append(result) } } }
    log.writeRound()
    log.endRound()
    #expect(inRound.withLock { $0.count == 50 && $0.allSatisfy { $0 == .failure(fault) } })
    try makeSpace()
    #expect(try log.appendAndWait(entry(1)) == last + 1)
    log.close()
    let after = try AuditLog.verify(folder: folder.path, keys: testKeys)
    #expect(after.entries == last + 1 && after.fault == nil)
  }

  // MARK: dropping old content, which writes the log anew

  /// A log of two epochs, of 4 small entries and of so many.
  private static func twoEpochs(in folder: TemporaryFolder, _ count: Int) throws -> AuditLog {
    for (day, count) in [4, count].enumerated() {
      let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
      let time = Int64(day * 1000 + 1)
      for number in 1...count { log.append(AuditEntry(time: time, kind: .requestDropped, requestID: id(number))) { _ in } }
      log.close()
    }
    return try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
  }

  private static func isLeft(in folder: TemporaryFolder) -> Bool { access(folder.log + ".new", F_OK) == 0 }

  @Test("Old content is not dropped when the disk has too little space for the copy")
  func droppingLeavesRoomForTheOthers() throws {
    guard let disk = SmallDisk("16m") else { return }
    let log = try Self.twoEpochs(in: disk.folder, 200)
    try disk.fill(8 << 20)
    let (before, count) = (try disk.folder.bytes(disk.folder.log), log.count)
    do {
      _ = try log.dropContent(olderThan: 1000, now: 5)
      Issue.record("it took the room of the others")
    } catch AuditLogError.noRoom(let needed, let free) {
      #expect(needed > AuditLog.freeForOthers && needed < AuditLog.freeForOthers + UInt64(before.count))
      #expect(free < AuditLog.freeForOthers)
    }
    #expect(!Self.isLeft(in: disk.folder) && log.count == count && log.redacted == 0)
    #expect(try disk.folder.bytes(disk.folder.log) == before)
    disk.makeRoom()
    #expect(try log.dropContent(olderThan: 1000, now: 5) == (redacted: 4, dropped: 4))
    log.close()
    #expect(try AuditLog.verify(folder: disk.folder.path, keys: testKeys).fault == nil)
  }

  @Test("A copy that cannot be written is removed, and the log continues")
  func aFailedCopyIsRemoved() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      let log = try Self.twoEpochs(in: folder, 400)
      signal(SIGXFSZ, SIG_IGN)
      var old = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &old)
      var small = rlimit(rlim_cur: 20_000, rlim_max: old.rlim_max)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &small)
      let count = log.count
      #expect(throws: AuditLogError.io(.write, code: EFBIG)) { try log.dropContent(olderThan: 1000, now: 5) }
      #expect(!Self.isLeft(in: folder) && log.count == count && log.redacted == 0)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &old)
      try log.appendAndWait(entry(1))
      #expect(try log.dropContent(olderThan: 1000, now: 5) == (redacted: 4, dropped: 4))
      log.close()
      #expect(try AuditLog.verify(folder: folder.path, keys: testKeys).fault == nil)
    }
  }

  @Test("A copy left by a crash is removed when the log opens")
  func aCopyThatACrashLeftIsRemoved() throws {
    let folder = try closedLog(3)
    try folder.write([1, 2, 3], to: folder.log + ".new")
    try AuditLog.open(folder: folder.path, keys: testKeys, now: 0).close()
    #expect(!Self.isLeft(in: folder))
  }

  @Test("Entries written while the log is copied are in the new log")
  func whatIsWrittenMeanwhileIsKept() throws {
    let folder = TemporaryFolder()
    let log = try Self.twoEpochs(in: folder, 400)
    let opened = try OpenedLog(reading: LogFolder(path: folder.path))
    var copy = try LogCopy(of: opened.store, from: 5, upTo: opened.position, in: LogFolder(path: folder.path))
    try log.note(entry(1))
    try log.appendAndWait(AuditEntry(time: 5, kind: .entriesRedacted, amount: 4))
    try copy.copy(upTo: log.view.position)
    log.close()
    try copy.takePlace()
    #expect(copy.isInPlace)
    let found = try AuditLog.verify(folder: folder.path, keys: testKeys)
    #expect(found.fault == nil && found.entries == 406 && found.redacted == 4)
  }

  @Test("Entries appended while old content is dropped are not lost")
  func appendingGoesOnWhileContentIsDropped() throws {
    let folder = TemporaryFolder()
    let log = try Self.twoEpochs(in: folder, 3000)
    let (isDone, written) = (Locked(false), Locked(0))
    let thread = SystemThread.start {
      while !isDone.withLock({ $0 }) {
        guard (try? log.note(entry(1))) != nil, (try? log.appendAndWait(entry(2))) != nil else { continue }
        written.withLock { $0 += 2 }
      }
    }
    let writing = try #require(thread)
    #expect(try log.dropContent(olderThan: 1000, now: 5) == (redacted: 4, dropped: 4))
    isDone.change { $0 = true }
    writing.join()
    log.close()
    let found = try AuditLog.verify(folder: folder.path, keys: testKeys)
    #expect(found.fault == nil && found.entries == 3005 + UInt64(written.withLock { $0 }))
  }
}
