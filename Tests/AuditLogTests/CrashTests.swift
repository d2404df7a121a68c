import Encodings
import Foundation
import Testing

@testable import AuditLog

@Suite struct CrashTests {
  /// What a crash leaves: records behind the head's position, the last of them cut at any byte.
  @Test("An unfinished last record is cut off and reported") func anUnfinishedLastRecordIsCutAndSaidSo() throws {
    let folder = TemporaryFolder()
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    let oldHead = try folder.bytes(folder.head)
    for number in 1...3 { try log.appendAndWait(entry(number)) }
    log.close()
    let bytes = try folder.bytes(folder.log)
    let at = offsets(of: bytes)
    for end in at[2] + 1..<at[3] {
      try folder.write(oldHead, to: folder.head)
      try folder.write(Array(bytes[..<end]), to: folder.log)
      let before = try AuditLog.verify(folder: folder.path, keys: testKeys)
      #expect(before.fault == nil && before.entries == 2 && before.unfinishedBytes == UInt64(end - at[2]))
      let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 99)
      let last = try #require(try log.tail(1).first)
      #expect(last.sequence == 3 && last.entry == AuditEntry(time: 99, kind: .recovered, amount: Int64(end - at[2])))
      log.close()
      let after = try AuditLog.verify(folder: folder.path, keys: testKeys)
      #expect(after.fault == nil && after.entries == 3 && after.unfinishedBytes == 0)
    }
  }

  @Test("Zeros behind the last record are treated as an unfinished write")
  func zerosBehindTheLastRecordAreAnUnfinishedWrite() throws {
    let folder = try closedLog(2)
    try folder.write(folder.bytes(folder.log) + [UInt8](repeating: 0, count: 4096), to: folder.log)
    #expect(try AuditLog.verify(folder: folder.path, keys: testKeys).unfinishedBytes == 4096)
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    #expect(log.count == 3)
    log.close()
    #expect(try AuditLog.verify(folder: folder.path, keys: testKeys).fault == nil)
  }

  @Test("Bytes behind the last record that are not a record are reported as damage")
  func bytesBehindTheLastRecordThatAreNoRecordAreAFault() throws {
    let folder = try closedLog(2)
    let bytes = try folder.bytes(folder.log) + [UInt8](repeating: 0xab, count: 40)
    try folder.write(bytes, to: folder.log)
    #expect(throws: AuditLogError.fault(.entry(sequence: 3, offset: UInt64(bytes.count - 40), .notNext))) {
      try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    }
    #expect(try folder.bytes(folder.log) == bytes)
  }

  /// A log that was begun, in the moment before its head is there.
  private static let begun: [UInt8] = {
    let header = LogHeader(
      logID: [UInt8](repeating: 7, count: 16), sealingKey: testKeys.sealingKey, signingKey: testKeys.signer.publicKey)
    return header.bytes + LogLayout.untouched.bytes(of: header)
  }()

  @Test("A log whose creation was cut short by a crash is created again", arguments: 0..<152)
  func aCrashWhileTheLogIsMadeLeavesNothingInTheWay(length: Int) throws {
    let folder = TemporaryFolder()
    try folder.write(Array(Self.begun.prefix(length)), to: folder.log)
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    try log.appendAndWait(entry(1))
    log.close()
    #expect(try AuditLog.verify(folder: folder.path, keys: testKeys).fault == nil)
  }

  @Test("A crash before the first head is written is repaired") func aCrashBeforeTheFirstHeadIsRepaired() throws {
    let folder = TemporaryFolder()
    try folder.write(Self.begun, to: folder.log)
    try AuditLog.open(folder: folder.path, keys: testKeys, now: 0).close()
    let found = try AuditLog.verify(folder: folder.path, keys: testKeys)
    #expect(found.fault == nil && found.entries == 0 && found.root == MerkleTree().root)
  }
}
