import Curve
import Encodings
import Foundation
import Platform
import Testing

@testable import AuditLog

/// The file of request events beside the log, which saves a start the reading of the log's last minutes.
@Suite struct SeenTests {
  private let folder = TemporaryFolder()
  private static let now: Int64 = 1_750_000_000_000

  private func open() throws -> AuditLog { try AuditLog.open(folder: folder.path, keys: testKeys, now: Self.now) }

  private static func id(_ number: Int) -> Bytes32 {
    Bytes32 { $0.storeBytes(of: UInt64(number).bigEndian, as: UInt64.self) }
  }

  private static func request(_ number: Int, at time: Int64 = now) -> AuditEntry {
    var entry = AuditEntry(time: time, kind: .requestDecided)
    (entry.requestID, entry.requestCreatedAt) = (id(number), time / 1000)
    return entry
  }

  private func append(_ numbers: Range<Int>, to log: AuditLog, at time: Int64 = now) throws {
    for number in numbers {
      if number % 1000 == 999 || number == numbers.upperBound - 1 {
        try log.appendAndWait(Self.request(number, at: time))
      } else {
        log.append(Self.request(number, at: time)) { _ in }
      }
    }
  }

  /// What a start gets: how many of so many events are known, and whether any comes twice.
  private func known(of count: Int, in log: AuditLog, since: Int64 = now - 600_000) throws -> (known: Int, all: Int) {
    var marks: [UInt64] = []
    try log.recentMarks(since: since) { marks += $0.map(\.mark) }
    let seen = try #require(SeenRecord(LogFolder(path: folder.path), log: log.header.digest, signer: testKeys.signer))
    let set = Set(marks)
    return ((0..<count).count { set.contains(seen.mark(Self.id($0))) }, marks.count)
  }

  private var file: String { LogFolder(path: folder.path).seen }

  @Test("After a clean stop every event is known without reading the log")
  func theFileSavesTheReading() throws {
    var log = try open()
    #expect(try known(of: 0, in: log).all == 0)
    try append(0..<3_000, to: log)
    log.close()
    // Made unreadable, the entries cannot be what the events are known from.
    log = try open()
    let seen = try #require(SeenRecord(LogFolder(path: folder.path), log: log.header.digest, signer: testKeys.signer))
    var count = 0
    let covered = seen.read(since: Self.now - 600_000, in: log.view.store) { count += $0.count }
    #expect(covered == 3_000)
    #expect(count == 3_000)
    let all = try known(of: 3_000, in: log)
    #expect(all.known == 3_000 && all.all == 3_000)
    log.close()
  }

  @Test("When events are saved in several parts and one is missing, the log is read instead") func severalParts() throws {
    let log = try open()
    try append(0..<1, to: log)
    defer { log.close() }
    let count = 2 * SeenFile.mostEvents + 3
    func record() throws -> SeenRecord {
      try #require(SeenRecord(LogFolder(path: folder.path), log: log.header.digest, signer: testKeys.signer))
    }
    let first = try record()
    first.begin()
    first.add((0..<count).map { (UInt64($0), Self.now / 1000) }, since: Self.now - 600_000, upTo: log.view.position)
    var found = 0
    #expect(try record().read(since: Self.now, in: log.view.store) { found += $0.count } == 1)
    #expect(found == count)
    let whole = try Data(contentsOf: URL(fileURLWithPath: file))
    let part = SeenFile.startLength + SeenFile.mostEvents * SeenFile.eventLength + SeenFile.codeLength
    for parts in 0...2 {
      try whole.prefix(SeenFile.headerLength + parts * part).write(to: URL(fileURLWithPath: file))
      #expect(try record().read(since: Self.now, in: log.view.store) { _ in } == nil, "\(parts) parts do not cover anything")
    }
  }

  @Test("After a kill, events missing from the file are read from the log")
  func aKillLosesNoEvent() throws {
    let log = try open()
    _ = try known(of: 0, in: log)
    try append(0..<2_500, to: log)
    let other = TemporaryFolder()
    for name in ["audit.log", "audit.head", "audit.seen"] {
      try FileManager.default.copyItem(atPath: folder.path + "/" + name, toPath: other.path + "/" + name)
    }
    log.close()
    let after = try AuditLog.open(folder: other.path, keys: testKeys, now: Self.now)
    let found = try known(of: 2_500, in: after)
    #expect(found.known == 2_500)
    after.close()
  }

  @Test("Events that arrive while the log is read are saved, too")
  func eventsOfTheStartAreKept() throws {
    var log = try open()
    try append(0..<100, to: log)
    _ = try known(of: 0, in: log)
    try append(100..<200, to: log)
    log.close()
    log = try open()
    #expect(try known(of: 200, in: log).known == 200)
    log.close()
  }

  @Test(
    "No event is forgotten when the file is damaged, removed or replaced",
    arguments: ["cut", "flip", "gone", "empty", "foreign", "older"])
  func aDamagedFileCostsOnlyTime(_ damage: String) throws {
    var log = try open()
    _ = try known(of: 0, in: log)
    try append(0..<1_500, to: log)
    log.close()
    let earlier = try Data(contentsOf: URL(fileURLWithPath: file))
    log = try open()
    _ = try known(of: 0, in: log)
    try append(1_500..<4_000, to: log)
    log.close()
    var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    switch damage {
    case "cut": bytes = bytes.prefix(bytes.count / 2)
    case "flip": bytes[bytes.count / 2] ^= 1
    case "empty": bytes = Data()
    case "foreign": bytes[20] ^= 1
    case "older": bytes = earlier
    default: break
    }
    if damage == "gone" {
      try FileManager.default.removeItem(atPath: file)
    } else {
      try bytes.write(to: URL(fileURLWithPath: file))
    }
    log = try open()
    #expect(try known(of: 4_000, in: log).known == 4_000)
    log.close()
    // And what was made good is whole again.
    log = try open()
    #expect(try known(of: 4_000, in: log).known == 4_000)
    let covered = try #require(SeenRecord(LogFolder(path: folder.path), log: log.header.digest, signer: testKeys.signer))
    #expect(covered.read(since: Self.now - 600_000, in: log.view.store, { _ in }) == log.count)
    log.close()
  }

  @Test("A file that belongs to another history of the log is ignored")
  func aFileOfAnotherBranchIsNotBelieved() throws {
    try open().close()
    let start = try ["audit.log", "audit.head"].map { try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + $0)) }
    var log = try open()
    _ = try known(of: 0, in: log)
    try append(10_000..<14_000, to: log)
    log.close()
    // The log is put back, and goes on otherwise; the file stays.
    for (name, bytes) in zip(["audit.log", "audit.head"], start) {
      try bytes.write(to: URL(fileURLWithPath: folder.path + "/" + name))
    }
    let kept = try Data(contentsOf: URL(fileURLWithPath: file))
    log = try open()
    try append(0..<5_000, to: log)
    log.close()
    try kept.write(to: URL(fileURLWithPath: file))
    log = try open()
    #expect(try known(of: 5_000, in: log).known == 5_000)
    log.close()
  }

  @Test("A new file begins after ten minutes, and only two are kept")
  func oldEventsGo() throws {
    let log = try open()
    _ = try known(of: 0, in: log)
    var (number, time) = (0, Self.now)
    for _ in 0..<6 {
      try append(number..<number + 20_000, to: log, at: time)
      (number, time) = (number + 20_000, time + SeenRecord.fileSpan)
    }
    log.close()
    let length = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int ?? 0
    #expect(length < 45_000 * SeenFile.eventLength, "\(length)")
    #expect(
      Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
        == ["audit.log", "audit.head", "audit.seen", "audit.seen.old"])
    let after = try open()
    var marks: Set<UInt64> = []
    let last = time - SeenRecord.fileSpan
    try after.recentMarks(since: last - 600_000) { marks.formUnion($0.map(\.mark)) }
    let seen = try #require(SeenRecord(LogFolder(path: folder.path), log: after.header.digest, signer: testKeys.signer))
    #expect((number - 20_000..<number).allSatisfy { marks.contains(seen.mark(Self.id($0))) })
    #expect(marks.count < 60_000)
    after.close()
  }

  @Test("When the disk is full, the next start reads the log")
  func aFileThatCannotBeWritten() throws {
    let log = try open()
    _ = try known(of: 0, in: log)
    try append(0..<1_000, to: log)
    // In the way of a new one.
    try FileManager.default.createDirectory(atPath: LogFolder(path: folder.path).oldSeen, withIntermediateDirectories: false)
    try append(1_000..<40_000, to: log, at: Self.now + 2 * SeenRecord.fileSpan)
    log.close()
    let after = try open()
    var marks: Set<UInt64> = []
    try after.recentMarks(since: Self.now + SeenRecord.fileSpan) { marks.formUnion($0.map(\.mark)) }
    let seen = try #require(SeenRecord(LogFolder(path: folder.path), log: after.header.digest, signer: testKeys.signer))
    #expect((1_000..<40_000).allSatisfy { marks.contains(seen.mark(Self.id($0))) })
    after.close()
  }
}

/// Wrong secrets are counted without reading all that apps asked since.
@Suite struct QuietPartTests {
  private let folder = TemporaryFolder()
  private static let codes: Set<AuditRule> = ["passphrase"]

  private static let right = AuditEntry(time: 1, kind: .vaultOpened, rule: "passphrase")
  private static let other = AuditEntry(time: 1, kind: .requestDone)
  private static var wrong: AuditEntry {
    var entry = AuditEntry(time: 1, kind: .vaultOpenFailed)
    (entry.error, entry.code) = (.wrongPassphrase, "passphrase")
    return entry
  }

  /// Opens, counts, appends and closes.
  private func session(_ entries: [AuditEntry], counts: Bool = true) throws -> Int {
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 1)
    defer { log.close() }
    let count = counts ? try log.failedAttempts(after: nil, codes: Self.codes) : 0
    for entry in entries { try log.appendAndWait(entry) }
    return count
  }

  private var quiet: UInt64 {
    get throws { try OpenedLog(reading: LogFolder(path: folder.path)).quiet }
  }

  @Test("Entries after a correct secret are not read again") func whatCameBehindARightSecretIsNotReadAgain() throws {
    _ = try session([Self.right] + Array(repeating: Self.other, count: 20))
    #expect(try quiet == 21)
    #expect(try session([Self.other]) == 0)
    #expect(try quiet == 22)
  }

  @Test("Wrong secrets are counted until a correct one") func wrongSecretsAreCountedUntilARightOne() throws {
    _ = try session([Self.right, Self.other, Self.wrong, Self.other, Self.wrong])
    #expect(try quiet == 2)
    #expect(try session([Self.other]) == 2)
    #expect(try quiet == 2)
    #expect(try session([Self.wrong, Self.right, Self.other]) == 2)
    #expect(try quiet == 9)
    #expect(try session([]) == 0)
  }

  @Test("Entries that were not examined are not skipped later") func nothingIsTakenForQuietThatWasNotLookedAt() throws {
    _ = try session([Self.right, Self.wrong], counts: false)
    #expect(try quiet == 0)
    _ = try session([Self.other], counts: false)
    #expect(try session([]) == 1)
    #expect(try quiet == 0)
  }

  @Test("A wrong secret is counted even when it was recorded without keys")
  func aWrongSecretTriedWhileNobodyHoldsTheLogCounts() throws {
    _ = try session([Self.right, Self.other])
    let recording = try AuditLog.open(recordingIn: folder.path, now: 1)
    try recording.appendAndWait(Self.wrong)
    recording.close()
    #expect(try session([Self.other]) == 1)
    #expect(try session([Self.other]) == 1, "and goes on counting until a right one")
    #expect(try session([Self.right]) == 1)
    #expect(try session([]) == 0)
  }
}
