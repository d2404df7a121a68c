import Encodings
import Foundation
import Platform
import Testing

@testable import AuditLog

@Suite struct RetentionTests {
  /// Three epochs of 4, 3 and 2 entries, a day apart.
  private func threeEpochs() throws -> TemporaryFolder {
    let folder = TemporaryFolder()
    for (day, count) in [4, 3, 2].enumerated() {
      let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
      for number in 1...count { try log.appendAndWait(aged(day, number)) }
      log.close()
    }
    return folder
  }

  private func aged(_ day: Int, _ number: Int) -> AuditEntry {
    AuditEntry(time: Int64(day) * 86_400_000 + Int64(number), kind: .requestDecided, requestID: id(day * 100 + number))
  }

  @Test(
    "Writing a new file does not change another file that is linked under its name",
    arguments: ["audit.log.new", "audit.head.new"])
  func linkedFilesStay(name: String) throws {
    let folder = try threeEpochs()
    let other = folder.path + "/other"
    try "a file of the owner's".write(toFile: other, atomically: false, encoding: .utf8)
    try FileManager.default.linkItem(atPath: other, toPath: folder.path + "/" + name)
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    #expect(try log.dropContent(olderThan: 86_400_002, now: 77).redacted == 4)
    log.close()
    #expect(try String(contentsOfFile: other, encoding: .utf8) == "a file of the owner's")
    #expect(try AuditLog.verify(folder: folder.path, keys: testKeys).fault == nil)
  }

  @Test("Entries dated years ahead by a wrong clock do not stop old content from being dropped")
  func aClockThatWasAhead() throws {
    let (folder, day, ahead) = (TemporaryFolder(), Int64(86_400_000), Int64(9_000_000_000_000))
    for times in [[1, ahead, 3], [ahead + 1, ahead + 2], [2 * day, ahead + 3], [5 * day]] {
      let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
      for time in times { try log.appendAndWait(AuditEntry(time: time, kind: .requestDecided)) }
      log.close()
    }
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    #expect(try log.dropContent(olderThan: 0, now: 6 * day).redacted == 0)
    #expect(try log.dropContent(olderThan: day, now: 6 * day).redacted == 3, "what is dated ahead may be younger")
    #expect(try log.dropContent(olderThan: 3 * day, now: 6 * day).redacted == 6)
    log.close()
    #expect(try AuditLog.verify(folder: folder.path, keys: testKeys).fault == nil)
  }

  @Test("A folder with the name of the new head file does not stop the head from being written") func aFolderInTheWay() throws {
    let folder = try threeEpochs()
    try FileManager.default.createDirectory(atPath: folder.head + ".new/x", withIntermediateDirectories: true)
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    try log.appendAndWait(aged(5, 1))
    #expect(log.anchor()?.count == 10 && !log.isHeadFailing)
    log.close()
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(files.filter { $0.hasPrefix("audit.head") }.sorted() == ["audit.head", "audit.head.new"])
    #expect(try AuditLog.verify(folder: folder.path, keys: testKeys).fault == nil)
  }

  @Test("Failed attempts to write the head leave no files behind") func noHeadsLeft() throws {
    let folder = try threeEpochs()
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    try FileManager.default.createDirectory(atPath: folder.head + ".new/x", withIntermediateDirectories: true)
    try FileManager.default.removeItem(atPath: folder.head)
    try FileManager.default.createDirectory(atPath: folder.head + "/x", withIntermediateDirectories: true)
    for number in 5..<8 {
      try log.appendAndWait(aged(number, 1))
      #expect(log.anchor() == nil && log.isHeadFailing)
    }
    log.close()
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(files.filter { $0.hasPrefix("audit.head") }.sorted() == ["audit.head", "audit.head.new"])
  }

  @Test("A pipe in place of the log is refused at once") func aPipeIsNoLog() throws {
    let folder = try threeEpochs()
    try FileManager.default.removeItem(atPath: folder.log)
    #expect(mkfifo(folder.log, 0o600) == 0)
    #expect(throws: AuditLogError.io(.open, code: EINVAL)) { _ = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0) }
  }

  @Test("Old content is dropped and the head is written during a steady flow of entries") func aFloodHoldsNothingUp() throws {
    let folder = try threeEpochs()
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    let isOver = Locked(false)
    @Sendable func flood(_ number: Int) {
      log.append(AuditEntry(time: 5, kind: .requestDecided, requestID: id(number))) { _ in
        if !isOver.withLock({ $0 }) { flood(number + 1) }
      }
    }
    for number in 1...8 { flood(number * 1_000_000) }
    let result = Locked<UInt64?>(nil)
    Thread.detachNewThread {
      let done = try? log.dropContent(olderThan: 86_400_002, now: 77)
      _ = log.anchor()
      result.change { $0 = done?.redacted ?? 0 }
    }
    #expect(result.wait(milliseconds: 20_000) { $0 } == 4)
    isOver.change { $0 = true }
    log.close()
    #expect(try AuditLog.verify(folder: folder.path, keys: testKeys).fault == nil)
  }

  @Test("Proofs stay valid after old content was dropped") func contentGoesAndProofsStay() throws {
    let folder = try threeEpochs()
    let before = try folder.bytes(folder.log)
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    let roots = try (1...9).map { try log.consistency(from: UInt64($0)).proof.oldRoot }
    let leaves = try (1...9).map { try log.proof(of: UInt64($0)).proof.leafHash }
    // In the middle of the second epoch: it goes by whole ones.
    #expect(try log.dropContent(olderThan: 86_400_002, now: 77) == (redacted: 4, dropped: 4))
    #expect(try log.dropContent(olderThan: 86_400_002, now: 77) == (redacted: 4, dropped: 0))
    #expect(log.count == 10 && log.redacted == 4)
    let kept = try log.tail(99)
    #expect(kept.map(\.sequence) == Array(5...10))
    #expect(kept.last?.entry == AuditEntry(time: 77, kind: .entriesRedacted, amount: 4))
    #expect(try log.read(from: 1, limit: 99) == kept)
    for sequence in 1...9 as ClosedRange<UInt64> {
      let proof = try log.proof(of: sequence).proof
      #expect(proof.leafHash == leaves[Int(sequence) - 1] && (proof.leaf == nil) == (sequence <= 4))
      #expect(try log.consistency(from: sequence).proof.oldRoot == roots[Int(sequence) - 1])
    }
    log.close()
    let after = try folder.bytes(folder.log)
    let at = offsets(of: before)
    for number in 0..<4 {
      let sealed = Data(before[(at[number] + 20)..<(at[number + 1] - 40)])
      #expect(Data(after).range(of: sealed) == nil, "the sealed bytes of entry \(number + 1) are gone")
    }
    let found = try AuditLog.verify(folder: folder.path, keys: testKeys)
    #expect(found.fault == nil && found.entries == 10 && found.redacted == 4)
    // Again, and with all that was before dropped; the log goes on.
    let again = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    #expect(try again.dropContent(olderThan: .max, now: 99) == (redacted: 9, dropped: 5))
    try again.appendAndWait(entry(1))
    again.close()
    #expect(try AuditLog.verify(folder: folder.path, keys: testKeys).fault == nil)
    #expect(try AuditReader(folder: folder.path, key: testKey).tail(99).map(\.sequence) == [10, 11, 12])
  }

  /// The vault's note and the head are older than the dropped content. Both still fit.
  @Test("An earlier anchor and head stay valid after content was dropped")
  func anEarlierAnchorAndHeadAreFoundAmongTheHashes() throws {
    let folder = try threeEpochs()
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    let anchor = try #require(log.anchor())
    let head = try folder.bytes(folder.head)
    _ = try log.dropContent(olderThan: .max, now: 1)
    log.close()
    let last = try AuditLog.open(folder: folder.path, keys: testKeys, anchor: anchor, now: 0)
    _ = try last.dropContent(olderThan: .max, now: 2)
    last.close()
    try folder.write(head, to: folder.head)
    #expect(try AuditLog.verify(folder: folder.path, keys: testKeys, anchor: anchor).fault == nil)
    try AuditLog.open(folder: folder.path, keys: testKeys, anchor: anchor, now: 0).close()
  }

  @Test("A changed byte in a log with dropped content is always detected")
  func everyFlippedByteOfAnEntryWithoutContentIsFound() throws {
    let folder = try threeEpochs()
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    _ = try log.dropContent(olderThan: 86_400_002, now: 1)
    log.close()
    let original = try folder.bytes(folder.log)
    for index in 128..<original.count {
      var bytes = original
      bytes[index] ^= 4
      try folder.write(bytes, to: folder.log)
      let fault = try #require(try AuditLog.verify(folder: folder.path).fault, "byte \(index)")
      guard index >= 152, index < 152 + 4 * 36 else { continue }
      let sequence = UInt64((index - 152) / 36 + 1)
      #expect(fault == .entry(sequence: sequence, offset: 152 + (sequence - 1) * 36, .altered))
    }
  }

  /// Somebody else makes the content of entries go, as the owner could.
  @Test("Content that somebody else dropped is detected") func contentThatSomebodyElseDroppedIsFound() throws {
    let folder = try threeEpochs()
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    log.close()
    let opened = try OpenedLog(reading: LogFolder(path: folder.path))
    try LogCopy(of: opened.store, from: 5, upTo: opened.position, in: LogFolder(path: folder.path)).takePlace()
    #expect(try AuditLog.verify(folder: folder.path).fault == nil, "the hashes are right")
    #expect(try AuditLog.verify(folder: folder.path, keys: testKeys).fault == .droppedUnrecorded(to: 4))
  }

  /// What a crash on the way leaves is the old log, or the new one, and a file that the next attempt overwrites.
  @Test("A crash while content is dropped leaves a sound log") func aCrashWhileContentIsDroppedLeavesOneLogOrTheOther() throws {
    let folder = try threeEpochs()
    try folder.write([1, 2, 3], to: folder.log + ".new")
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    // Recorded, and then nothing: the content is still there, and the log is sound.
    try log.appendAndWait(AuditEntry(time: 1, kind: .entriesRedacted, amount: 4))
    log.close()
    #expect(try AuditLog.verify(folder: folder.path, keys: testKeys).fault == nil)
    let again = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    #expect(try again.dropContent(olderThan: 86_400_002, now: 2).redacted == 4)
    again.close()
    #expect(try AuditLog.verify(folder: folder.path, keys: testKeys).fault == nil)
    #expect(!FileManager.default.fileExists(atPath: folder.log + ".new"))
  }

  @Test("The log stays locked for others after its file was replaced")
  func nobodyElseOpensTheLogAfterItsFileWasReplaced() throws {
    let folder = try threeEpochs()
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    _ = try log.dropContent(olderThan: 86_400_002, now: 1)
    #expect(throws: AuditLogError.inUse) { try AuditLog.open(folder: folder.path, keys: testKeys, now: 0) }
    try log.appendAndWait(entry(1))
    log.close()
  }
}
