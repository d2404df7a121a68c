import Encodings
import Foundation
import Testing

@testable import AuditLog

/// What a power cut leaves of writes that were not synced: each sector holds its earlier content or zeros, in any combination.
@Suite struct PowerCutTests {
  private static let sector = Int(LogStore.sectorLength)

  /// A log whose entries after the first three were written and not synced, and the head from before those.
  private static func written() throws -> (bytes: [UInt8], head: [UInt8], starts: [Int]) {
    let folder = TemporaryFolder()
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    for number in 1...3 { try log.appendAndWait(entry(number)) }
    log.close()
    let head = try folder.bytes(folder.head)
    let again = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    for number in 4...14 { try again.appendAndWait(entry(number)) }
    again.close()
    let bytes = try folder.bytes(folder.log)
    return (bytes, head, offsets(of: bytes))
  }

  /// - Parameters:
  ///   - synced: where the bytes begin that may be lost.
  ///   - lost: one bit for each sector from there on.
  private static func cut(_ bytes: [UInt8], synced: Int, lost: Int) -> [UInt8] {
    var left = bytes
    let starts = stride(from: synced / sector * sector, to: bytes.count, by: sector)
    for (index, start) in starts.enumerated() where lost >> index & 1 == 1 {
      for place in max(start, synced)..<min(start + sector, bytes.count) { left[place] = 0 }
    }
    return left
  }

  @Test("After a power cut the log opens up to the first lost sector and reports it")
  func anySectorsMayBeLost() throws {
    let (bytes, head, starts) = try Self.written()
    let synced = starts[5]  // five entries are on the disk
    let sectors = (bytes.count - synced / Self.sector * Self.sector + Self.sector - 1) / Self.sector
    for lost in 1..<1 << sectors {
      let folder = TemporaryFolder()
      let left = Self.cut(bytes, synced: synced, lost: lost)
      try folder.write(left, to: folder.log)
      try folder.write(head, to: folder.head)
      let whole = zip(starts, starts.dropFirst()).prefix { left[$0..<$1] == bytes[$0..<$1] }.count
      #expect(whole >= 5)
      let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 99)
      let entries = try log.tail(20)
      #expect(entries.count == whole + 1)
      #expect(entries.last?.entry == AuditEntry(time: 99, kind: .recovered, amount: Int64(bytes.count - starts[whole])))
      log.close()
      #expect(try AuditLog.verify(folder: folder.path, keys: testKeys).fault == nil)
    }
  }

  @Test("A log extended by a huge hole opens quickly, up to the hole") func aHoleWithoutEnd() throws {
    let folder = try closedLog(3)
    #expect(truncate(folder.log, 1 << 42) == 0)
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 99)
    #expect(try log.tail(9).map(\.entry.kind).last == .recovered && log.count == 4)
    log.close()
    #expect(try AuditLog.verify(folder: folder.path, keys: testKeys).fault == nil)
  }

  @Test("A sector lost before the position that the head or the vault knows is an error")
  func aLostSectorThatIsVouchedForIsAFault() throws {
    let (bytes, before, starts) = try Self.written()
    let folder = TemporaryFolder()
    try folder.write(bytes, to: folder.log)
    try folder.write(before, to: folder.head)
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    let anchor = try #require(log.anchor())
    log.close()
    let (whole, head) = (try folder.bytes(folder.log), try folder.bytes(folder.head))
    for start in stride(from: starts[1], to: bytes.count - Self.sector, by: 68) {
      try folder.write(head, to: folder.head)
      try folder.write(Self.cut(whole, synced: start, lost: 1), to: folder.log)
      #expect(try AuditLog.verify(folder: folder.path, keys: testKeys).fault != nil)
      #expect(try AuditLog.verify(folder: folder.path, keys: testKeys, anchor: anchor).fault != nil)
    }
  }

  private static func isAtAnEdge(_ place: Int, _ starts: [Int]) -> Bool {
    let inSector = place % sector
    return inSector < 4 || inSector >= sector - 4 || starts.contains { place >= $0 - 8 && place < $0 + 16 }
  }

  @Test("A flipped bit at the edge of a record or sector is not taken for a lost sector")
  func aTurnedBitIsAFault() throws {
    let (bytes, head, starts) = try Self.written()
    let folder = TemporaryFolder()
    for place in starts[3]..<bytes.count where Self.isAtAnEdge(place, starts) {
      var changed = bytes
      changed[place] ^= 1 << (place % 8)
      try folder.write(changed, to: folder.log)
      try folder.write(head, to: folder.head)
      #expect(try AuditLog.verify(folder: folder.path, keys: testKeys).fault != nil, "byte \(place)")
    }
  }
}
