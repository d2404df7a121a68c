import Encodings
import Foundation
import Platform
import Testing

@testable import AuditLog

@Suite struct KillTests {
  /// Twenty kills: every acknowledged entry is there, and the chain is whole after each reopening.
  @Test("No confirmed entry is lost when the signer is killed") func killedAppendersLoseNothingTheyPromised() throws {
    let folder = TemporaryFolder()
    var kept: UInt64 = 0
    for round in 0..<20 {
      let promised = try killAppender(in: folder, afterPromises: round * 7 % 40, microseconds: UInt32(round * 37 % 900))
      let found = try AuditLog.verify(folder: folder.path, keys: testKeys)
      #expect(found.fault == nil && found.entries >= promised, "round \(round): \(found), promised \(promised)")
      #expect(found.entries >= kept)
      let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
      #expect(log.count == found.entries + (found.unfinishedBytes > 0 ? 1 : 0))
      kept = log.count
      log.close()
      #expect(try AuditLog.verify(folder: folder.path, keys: testKeys).fault == nil)
    }
    #expect(kept > 300)
  }

  /// - Returns: the highest sequence number that was acknowledged.
  private func killAppender(in folder: TemporaryFolder, afterPromises count: Int, microseconds: UInt32) throws -> UInt64 {
    let (child, pipe) = (Process(), Pipe())
    child.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("FaultWriter")
    child.arguments = ["audit", folder.path]
    child.standardOutput = pipe
    try child.run()
    var text = Data()
    while text.count(where: { $0 == 0x0a }) < max(count, 1) {
      let more = pipe.fileHandleForReading.availableData
      try #require(!more.isEmpty, "the child ended on its own")
      text += more
    }
    usleep(microseconds)  // a random moment, not a wait for something
    Platform.kill(child.processIdentifier, SIGKILL)
    text += pipe.fileHandleForReading.readDataToEndOfFile()
    child.waitUntilExit()
    return String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .compactMap { UInt64($0) }.max() ?? 0
  }

  /// Seed 5: whatever bytes stand in the files, opening and checking end with a named fault or with what was written.
  @Test("Random bytes in the log's files never crash the reader") func noBytesTrapTheReader() throws {
    let folder = try closedLog(6)
    let (log, head) = (try folder.bytes(folder.log), try folder.bytes(folder.head))
    var state: UInt64 = 5
    func random(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % max(1, limit)
    }
    for round in 0..<400 {
      var (log, head) = (log, head)
      for _ in 0...random(3) {
        let (start, length) = (random(log.count), random(40))
        let end = min(log.count, start + length)
        switch random(5) {
        case 0: log.removeSubrange(start..<end)
        case 1: log.insert(contentsOf: (0..<length).map { _ in UInt8(random(256)) }, at: start)
        case 2: log.replaceSubrange(start..<end, with: repeatElement(UInt8(random(2) * 255), count: end - start))
        case 3: head = random(4) == 0 ? Array(head.prefix(random(head.count))) : head
        default: head[random(head.count)] = UInt8(random(256))
        }
        if head.isEmpty { head = [0] }
      }
      try folder.write(log, to: folder.log)
      try folder.write(head, to: folder.head)
      let result = try AuditLog.verify(folder: folder.path, keys: testKeys)
      #expect(result.entries <= 6, "round \(round)")
      if let reader = try? AuditReader(folder: folder.path, key: testKey) {
        _ = try? reader.tail(100)
        _ = try? reader.read(from: 0, limit: 100)
      }
    }
  }
}
