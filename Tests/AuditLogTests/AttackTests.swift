import Platform
import Testing

@testable import AuditLog

/// What an attacker tried against the log.
@Suite struct AttackTests {
  @Test("The owner's file that is linked under the new log's name is not changed", arguments: [0, 1, 90])
  func linkedFile(length: Int) throws {
    let (folder, elsewhere) = (TemporaryFolder(), TemporaryFolder())
    let (other, text) = (elsewhere.path + "/keys", [UInt8](repeating: 0x61, count: length))
    try elsewhere.write(text, to: other)
    #expect(link(other, folder.log) == 0)
    for _ in 0..<2 {
      let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
      try log.appendAndWait(entry(1))
      log.close()
    }
    #expect(try elsewhere.bytes(other) == text)
    #expect(try AuditLog.verify(folder: folder.path, keys: testKeys).fault == nil)
  }

  /// An app can ask faster than a disk writes. What it asks must not push out the outcomes of what was done, nor the owner's
  /// own changes.
  @Test("A flood of requests does not keep other entries out of the log")
  func aFloodOfRequestsKeepsNothingElseOutOfTheLog() throws {
    let folder = TemporaryFolder()
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    let (release, entered) = (Locked(false), Locked(false))
    log.append(entry(0)) { _ in  // holds the writer's thread until it is released
      entered.change { $0 = true }
      _ = release.wait { $0 ? true : nil }
    }
    _ = entered.wait { $0 ? true : nil }
    let refused = Locked(0)
    for number in 1...AuditLog.maximumWaiting + 10 {
      log.append(entry(number)) { if case .failure = $0 { refused.change { $0 += 1 } } }
    }
    #expect(refused.withLock { $0 } == 10)
    let others = Locked<[Result<UInt64, AuditLogError>]>([])
    let kinds: [AuditEntry.Kind] = [.requestDone, .unpaired, .grantChanged, .identityDeleted, .daemonStopped]
    for kind in kinds { log.append(entry(9_000, kind: kind)) { result in others.change { $0.append(result) } } }
    #expect(others.withLock { $0 }.isEmpty, "refused at once")
    release.change { $0 = true }
    log.close()
    #expect(others.withLock { $0.compactMap { try? $0.get() } }.count == kinds.count)
  }
}
