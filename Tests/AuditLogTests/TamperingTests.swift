import Encodings
import Testing

@testable import AuditLog

@Suite struct TamperingTests {
  @Test("An unchanged log is valid") func anUntouchedLogVerifies() throws {
    let folder = try closedLog(5)
    let result = try AuditLog.verify(folder: folder.path, keys: testKeys)
    #expect(result.entries == 5 && result.fault == nil && result.unfinishedBytes == 0 && result.isOpened)
    #expect(result.lastTime == entry(5).time)
    let blind = try AuditLog.verify(folder: folder.path)
    #expect(blind.entries == 5 && blind.fault == nil && !blind.isOpened && blind.lastTime == nil && blind.root == result.root)
  }

  /// Every byte, with the keys and without: the entry it stands in is named.
  @Test("A changed byte is always detected, and its entry is named", arguments: [true, false])
  func everyFlippedByteIsFound(withKeys: Bool) throws {
    let folder = try closedLog(4)
    let original = try folder.bytes(folder.log)
    let starts = offsets(of: original)
    for index in original.indices {
      for mask: UInt8 in [0x01, 0x80, 0xff] {
        var bytes = original
        bytes[index] ^= mask
        try folder.write(bytes, to: folder.log)
        let result = try AuditLog.verify(folder: folder.path, keys: withKeys ? testKeys : nil)
        let fault = try #require(result.fault, "byte \(index) ^ \(mask)")
        guard index >= Int(LogLayout.firstRecord) else { continue }
        let number = try #require(starts.lastIndex { $0 <= index })
        guard case .entry(let sequence, let offset, _) = fault else {
          Issue.record("byte \(index): \(fault)")
          continue
        }
        #expect(sequence == UInt64(number + 1) && offset == UInt64(starts[number]), "byte \(index)")
        #expect(result.entries == UInt64(number) && (!withKeys || number == 0 || result.lastTime == entry(number).time))
      }
    }
  }

  @Test("A changed byte in the head is always detected") func everyFlippedByteOfTheHeadIsFound() throws {
    let folder = try closedLog(2)
    let original = try folder.bytes(folder.head)
    for index in original.indices {
      var bytes = original
      bytes[index] ^= 1
      try folder.write(bytes, to: folder.head)
      #expect(try AuditLog.verify(folder: folder.path, keys: testKeys).fault == .damagedHead, "byte \(index)")
      #expect(throws: AuditLogError.fault(.damagedHead)) { try AuditLog.open(folder: folder.path, keys: testKeys, now: 0) }
    }
    let others: [[UInt8]] = [
      original + [0x0a], Array(original.dropLast()), original + original, [], [0x0a, 0x0a], [UInt8](repeating: 0x0a, count: 9000),
    ]
    for bytes in others {
      try folder.write(bytes, to: folder.head)
      #expect(try AuditLog.verify(folder: folder.path, keys: testKeys).fault == .damagedHead)
    }
  }

  @Test("A changed byte is detected even when the head covers no entry") func flipsAreFoundWithoutTheHelpOfTheHead() throws {
    // As after a crash: the head still says that there were none.
    let folder = TemporaryFolder()
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    let oldHead = try folder.bytes(folder.head)
    for number in 1...3 { try log.appendAndWait(entry(number)) }
    log.close()
    try folder.write(oldHead, to: folder.head)
    let original = try folder.bytes(folder.log)
    for index in original.indices {
      var bytes = original
      bytes[index] ^= 0x10
      try folder.write(bytes, to: folder.log)
      #expect(try AuditLog.verify(folder: folder.path).fault != nil, "byte \(index)")
      #expect(throws: AuditLogError.self, "byte \(index)") { try AuditLog.open(folder: folder.path, keys: testKeys, now: 0) }
      #expect(try folder.bytes(folder.log) == bytes, "a refused log was changed")
    }
  }

  enum Change: CaseIterable { case dropFirst, dropMiddle, swap, repeatOne, cutMiddle, insert }

  @Test("Removed, swapped and repeated entries are detected", arguments: Change.allCases, [true, false])
  func droppedSwappedAndRepeatedEntriesAreFound(change: Change, withKeys: Bool) throws {
    let folder = try closedLog(6)
    var bytes = try folder.bytes(folder.log)
    let at = offsets(of: bytes)
    let third = Array(bytes[at[2]..<at[3]])
    let bad: UInt64
    switch change {
    case .dropFirst: (bad, _) = (1, bytes.removeSubrange(at[0]..<at[1]))
    case .dropMiddle: (bad, _) = (3, bytes.removeSubrange(at[2]..<at[3]))
    case .swap: (bad, _) = (3, bytes.replaceSubrange(at[2]..<at[4], with: Array(bytes[at[3]..<at[4]]) + third))
    case .repeatOne: (bad, _) = (4, bytes.insert(contentsOf: third, at: at[3]))
    case .cutMiddle: (bad, _) = (3, bytes.removeSubrange(at[2] + 5..<at[2] + 20))
    case .insert: (bad, _) = (3, bytes.insert(0, at: at[2]))
    }
    try folder.write(bytes, to: folder.log)
    let result = try AuditLog.verify(folder: folder.path, keys: withKeys ? testKeys : nil)
    #expect(result.entries == bad - 1)
    #expect(result.fault == .entry(sequence: bad, offset: UInt64(at[Int(bad) - 1]), .notNext))
  }

  @Test("A log that is shorter than its head says is detected") func aCutBeforeTheHeadIsFound() throws {
    let folder = try closedLog(6)
    let bytes = try folder.bytes(folder.log)
    let at = offsets(of: bytes)
    try folder.write(Array(bytes[..<at[4]]), to: folder.log)
    #expect(try AuditLog.verify(folder: folder.path, keys: testKeys).fault == .rolledBack(recorded: 6, found: 4))
    #expect(throws: AuditLogError.fault(.rolledBack(recorded: 6, found: 4))) {
      try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    }
    try folder.write(Array(bytes[..<(at[4] + 30)]), to: folder.log)
    #expect(try AuditLog.verify(folder: folder.path).fault == .entry(sequence: 5, offset: UInt64(at[4]), .cut))
    #expect(throws: AuditLogError.self) { try AuditLog.open(folder: folder.path, keys: testKeys, now: 0) }
  }

  @Test("A log from another home is detected") func aLogFromElsewhereIsFound() throws {
    let (folder, other) = (try closedLog(3), try closedLog(3))
    try folder.write(other.bytes(other.log), to: folder.log)
    #expect(try AuditLog.verify(folder: folder.path, keys: testKeys).fault == .damagedHead)
  }

  @Test("Missing files are named in the error") func missingFilesAreNamed() throws {
    let folder = try closedLog(2)
    let (log, head) = (try folder.bytes(folder.log), try folder.bytes(folder.head))
    try folder.remove(folder.head)
    #expect(try AuditLog.verify(folder: folder.path, keys: testKeys).fault == .missingHead)
    #expect(throws: AuditLogError.fault(.missingHead)) { try AuditLog.open(folder: folder.path, keys: testKeys, now: 0) }
    #expect(try folder.bytes(folder.log) == log)
    try folder.write(head, to: folder.head)
    try folder.remove(folder.log)
    #expect(try AuditLog.verify(folder: folder.path, keys: testKeys).fault == .missing)
    #expect(throws: AuditLogError.fault(.missing)) { try AuditLog.open(folder: folder.path, keys: testKeys, now: 0) }
    #expect(throws: AuditLogError.fault(.missing)) { try AuditReader(folder: folder.path, key: testKey) }
  }

  @Test("A log of a newer version is refused and not changed") func aNewerVersionIsRefusedUntouched() throws {
    let folder = try closedLog(1)
    var bytes = try folder.bytes(folder.log)
    bytes[11] = 3
    try folder.write(bytes, to: folder.log)
    #expect(throws: AuditLogError.fault(.newerVersion(found: 3))) {
      try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    }
    #expect(try AuditLog.verify(folder: folder.path, keys: testKeys).fault == .newerVersion(found: 3))
    #expect(try folder.bytes(folder.log) == bytes)
  }
}
