import Ciphers
import Encodings
import Foundation
import Testing

@testable import AuditLog

/// A log of version 1, in which entries were chained and not sealed.
@Suite struct TakeOverTests {
  /// Written here a second time, as version 1 wrote it.
  private struct OldLog {
    var log: [UInt8]
    var chain: Bytes32
    var count: UInt64 = 0

    init() {
      log = Array("HFAUDIT\0".utf8) + [0, 0, 0, 1, 0, 0, 0, 0] + [UInt8](repeating: 5, count: 16)
      chain = SHA256.digest(of: log)
    }

    mutating func append(_ entry: AuditEntry) {
      var body: [UInt8] = []
      entry.write(to: &body)
      var record: [UInt8] = []
      let length = UInt32(24 + body.count + 36)
      record.append(bigEndian: length)
      count += 1
      record.append(bigEndian: count)
      record += SHA256.digest(of: chain.array + record).array.prefix(4)
      record.append(bigEndian: entry.time)
      record += body
      chain = SHA256.digest(of: chain.array + record)
      log += record + chain.array
      log.append(bigEndian: length)
    }

    var head: [UInt8] {
      var bytes = Array("HFAUDHD\0".utf8) + [0, 0, 0, 1, 0, 0, 0, 0] + [UInt8](repeating: 5, count: 16)
      bytes.append(bigEndian: count)
      bytes.append(bigEndian: UInt64(log.count))
      bytes += chain.array
      return bytes + SHA256.digest(of: bytes).array
    }
  }

  private func old(_ count: Int) -> OldLog {
    var old = OldLog()
    for number in 1...count { old.append(entry(number)) }
    return old
  }

  private func placed(_ old: OldLog, tail: [UInt8] = []) throws -> TemporaryFolder {
    let folder = TemporaryFolder()
    try folder.write(old.log + tail, to: folder.log)
    try folder.write(old.head, to: folder.head)
    return folder
  }

  @Test("The entries of a version 1 log are encrypted and keep their numbers")
  func itsEntriesAreSealedUnderTheSameNumbers() throws {
    let old = old(1100)
    let folder = try placed(old)
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    #expect(try log.appendAndWait(entry(1101)) == 1101)
    let read = try log.read(from: 1, limit: 2000)
    #expect(read.map(\.sequence) == Array(1...1101) && read.map(\.entry) == (1...1101).map { entry($0) })
    log.close()
    #expect(try AuditLog.verify(folder: folder.path, keys: testKeys).fault == nil)
    #expect(try LogStore(LogFile(folder.log, flags: 0)).header.predecessor == old.chain)
  }

  @Test("A forged version 1 log does not replace a known log, and an endless one uses no memory")
  func aPlantedOldLog() throws {
    let known = try closedLog(3)
    let log = try AuditLog.open(folder: known.path, keys: testKeys, now: 0)
    let anchor = try #require(log.anchor())
    log.close()
    let folder = try placed(old(2))
    let (bytes, head) = (try folder.bytes(folder.log), try folder.bytes(folder.head))
    #expect(throws: AuditLogError.fault(.notTheVaultsLog)) {
      _ = try AuditLog.open(folder: folder.path, keys: testKeys, anchor: anchor, now: 0)
    }
    #expect(try folder.bytes(folder.log) == bytes && folder.bytes(folder.head) == head, "nothing is written")
    #expect(truncate(folder.log, 1 << 42) == 0)
    #expect(throws: AuditLogError.fault(.damagedHeader)) { _ = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0) }
  }

  @Test("An unfinished record is reported") func anUnfinishedRecordIsToldOf() throws {
    let folder = try placed(old(2), tail: [0, 0, 0])
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 8)
    #expect(try log.tail(1).map(\.entry) == [AuditEntry(time: 8, kind: .recovered, amount: 3)])
    log.close()
  }

  /// Every byte, and a cut at every place.
  @Test("A damaged version 1 log is refused and not changed") func aDamagedOneIsLeftAsItIs() throws {
    let old = old(2)
    var damaged: [[UInt8]] = old.log.indices.map { index in
      var bytes = old.log
      bytes[index] ^= 1
      return bytes
    }
    damaged += (12..<old.log.count).map { Array(old.log.prefix($0)) }
    for bytes in damaged {
      let folder = TemporaryFolder()
      try folder.write(bytes, to: folder.log)
      try folder.write(old.head, to: folder.head)
      #expect(throws: AuditLogError.self) { try AuditLog.open(folder: folder.path, keys: testKeys, now: 0) }
      #expect(try folder.bytes(folder.log) == bytes && folder.bytes(folder.head) == old.head)
    }
  }

  /// Between the two renames: the new log with the old head.
  @Test("A crash during the change to the new version is repaired") func aCrashOnTheWayIsMadeGood() throws {
    let old = old(5)
    let folder = try placed(old)
    try AuditLog.open(folder: folder.path, keys: testKeys, now: 0).close()
    try folder.write(old.head, to: folder.head)
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    #expect(log.count == 5)
    log.close()
    #expect(try folder.bytes(folder.head) != old.head)
    #expect(try AuditLog.verify(folder: folder.path, keys: testKeys).fault == nil)
    // For a log that took over nothing, an old head is a wrong one.
    let other = try closedLog(1)
    try other.write(old.head, to: other.head)
    #expect(throws: AuditLogError.fault(.damagedHead)) { try AuditLog.open(folder: other.path, keys: testKeys, now: 0) }
  }
}
