import Encodings
import Foundation
import Testing

@testable import AuditLog

@Suite struct CrashTests {
  /// What a crash leaves: records behind the head's position, the last of them cut at any byte.
  @Test func anUnfinishedLastRecordIsCutAndSaidSo() throws {
    let folder = TemporaryFolder()
    let log = try AuditLog.open(folder: folder.path, now: 0)
    let oldHead = try folder.bytes(folder.head)
    for number in 1...3 { try log.appendAndWait(entry(number)) }
    log.close()
    let bytes = try folder.bytes(folder.log)
    let at = offsets(of: bytes)
    for end in at[2] + 1..<at[3] {
      try folder.write(oldHead, to: folder.head)
      try folder.write(Array(bytes[..<end]), to: folder.log)
      let before = try AuditLog.verify(folder: folder.path)
      #expect(before.fault == nil && before.entries == 2 && before.unfinishedBytes == UInt64(end - at[2]))
      let log = try AuditLog.open(folder: folder.path, now: 99)
      let last = try #require(try log.tail(1).first)
      #expect(last.sequence == 3 && last.entry == AuditEntry(time: 99, kind: .recovered, amount: Int64(end - at[2])))
      log.close()
      let after = try AuditLog.verify(folder: folder.path)
      #expect(after.fault == nil && after.entries == 3 && after.unfinishedBytes == 0)
    }
  }

  @Test func zerosBehindTheLastRecordAreAnUnfinishedWrite() throws {
    let folder = try closedLog(2)
    try folder.write(folder.bytes(folder.log) + [UInt8](repeating: 0, count: 4096), to: folder.log)
    #expect(try AuditLog.verify(folder: folder.path).unfinishedBytes == 4096)
    let log = try AuditLog.open(folder: folder.path, now: 0)
    #expect(log.count == 3)
    log.close()
    #expect(try AuditLog.verify(folder: folder.path).fault == nil)
  }

  @Test func bytesBehindTheLastRecordThatAreNoRecordAreAFault() throws {
    let folder = try closedLog(2)
    let bytes = try folder.bytes(folder.log) + [UInt8](repeating: 0xab, count: 40)
    try folder.write(bytes, to: folder.log)
    #expect(throws: AuditLogError.fault(.entry(sequence: 3, offset: UInt64(bytes.count - 40), .notNext))) {
      try AuditLog.open(folder: folder.path, now: 0)
    }
    #expect(try folder.bytes(folder.log) == bytes)
  }

  @Test(arguments: 0..<32) func aCrashWhileTheLogIsMadeLeavesNothingInTheWay(length: Int) throws {
    let folder = TemporaryFolder()
    try folder.write([UInt8](LogHeader(logID: [UInt8](repeating: 7, count: 16)).bytes.prefix(length)), to: folder.log)
    let log = try AuditLog.open(folder: folder.path, now: 0)
    try log.appendAndWait(entry(1))
    log.close()
    #expect(try AuditLog.verify(folder: folder.path).fault == nil)
  }

  @Test func aCrashBeforeTheFirstHeadIsRepaired() throws {
    let folder = TemporaryFolder()
    try folder.write(LogHeader(logID: [UInt8](repeating: 7, count: 16)).bytes, to: folder.log)
    try AuditLog.open(folder: folder.path, now: 0).close()
    #expect(
      try AuditLog.verify(folder: folder.path)
        == AuditVerification(
          entries: 0, chain: LogHeader(logID: [UInt8](repeating: 7, count: 16)).start.chain, unfinishedBytes: 0, fault: nil))
  }
}
