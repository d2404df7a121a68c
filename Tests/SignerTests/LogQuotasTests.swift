import AuditLog
import Curve
import DaemonSupport
import Foundation
import JSON
import Platform
import RemoteSigning
import Testing
import Vault

@testable import Signer

@Suite("No app can fill the log") struct LogSharesTests {
  @Test("Many pings make two log entries and a third that counts the rest")
  func pingsAreGathered() throws {
    let signer = try Signer()
    defer { signer.close() }
    let (app, other) = (try signer.pairedApp(), try signer.pairedApp(name: "other"))
    let before = signer.core.log.count
    for _ in 0..<300 { #expect(try signer.ask(app, "ping") == .result("pong")) }
    #expect(try signer.ask(other, "ping") == .result("pong"))
    signer.settle()
    let entries = try signer.core.log.read(from: before + 1, limit: 1_000).filter { $0.entry.method == .ping }
    #expect(entries.count == 4, "an intent and an outcome for each app")
    signer.service.recordGathered()
    signer.settle()
    let gathered = try signer.entries(.requestsGathered)
    #expect(gathered.map(\.amount) == [299])
    #expect(gathered.first?.client == app.key.publicKey && gathered.first?.method == .ping)
    // A new minute begins.
    #expect(try signer.ask(app, "ping") == .result("pong"))
    signer.settle()
    #expect(try signer.entries(.requestDecided).filter { $0.method == .ping && $0.client == app.key.publicKey }.count == 2)
  }

  @Test("Unknown requests are counted in one entry, too; requests that need a key are not")
  func onlyWhatUsesNoKeyIsGathered() throws {
    let signer = try Signer()
    defer { signer.close() }
    let app = try signer.pairedApp()
    for _ in 0..<20 { _ = try signer.ask(app, "no_such_method") }
    for _ in 0..<20 { _ = try signer.ask(app, "sign_event", [note()]) }
    signer.settle()
    let decided = try signer.entries(.requestDecided).filter { $0.client == app.key.publicKey }
    #expect(decided.filter { $0.method == .signEvent }.count == 20)
    #expect(decided.filter { $0.method == .other }.count == 1)
  }

  @Test("Counted requests are written to the log at shutdown")
  func theEndRecordsWhatWasGathered() throws {
    let gathered = GatheredRequests()
    let signer = try Signer()
    let app = try signer.pairedApp()
    for _ in 0..<5 { _ = try signer.ask(app, "ping") }
    signer.service.recordGathered()
    gathered.record(in: signer.core.log, time: 0)
    let again = try signer.reopened()
    #expect(try again.entries(.requestsGathered).map(\.amount) == [4])
    again.close()
  }

  @Test("Each app has a daily share of the log, by its trust level")
  func sharesByTrust() throws {
    let shares = LogQuotas { nil }
    let (low, medium, full) = (try KeyPair.random().publicKey, try KeyPair.random().publicKey, try KeyPair.random().publicKey)
    let most = LogQuotas.most(.low) / LogQuotas.bytesPerRequest
    var taken: Int64 = 0
    while shares.take(low, .low, now: 100) { taken += 1 }
    #expect(taken == most)
    #expect(shares.take(medium, .medium, now: 100) && shares.take(full, .full, now: 100))
    #expect(!shares.take(low, .low, now: 100 + LogQuotas.span - 1))
    #expect(shares.take(low, .low, now: 100 + LogQuotas.span))
  }

  @Test("One app can use at most a quarter of the free disk space, and others continue")
  func theDiskIsShared() throws {
    // As on a disk that others empty as fast as an app fills it: three requests are a quarter of what is free then and what it wrote.
    let signer = try Signer(shares: LogQuotas(leastFree: 1) { 10 * LogQuotas.bytesPerRequest })
    defer { signer.close() }
    let app = try signer.pairedApp(trust: "full")
    for _ in 0..<3 { #expect(try Self.isResult(try signer.ask(app, "sign_event", [note()]))) }
    let answer = try signer.ask(app, "sign_event", [note()])
    guard case .error(let text) = answer else { throw Missing() }
    #expect(text.contains("share"))
    let other = try signer.pairedApp(trust: "full", name: "other")
    #expect(try Self.isResult(try signer.ask(other, "sign_event", [note()])))
    signer.settle()
    #expect(signer.service.counts.lastTooMany != nil)
    #expect(try signer.entries(.requestDecided).filter { $0.client == app.key.publicKey && $0.method == .signEvent }.count == 3)
    // It can leave.
    #expect(try signer.ask(app, "logout") == .result("ack"))
  }

  @Test("An app that logs out repeatedly over a relay that accepts no answer does not fill the log")
  func leavingWithoutEnd() throws {
    let signer = try Signer(shares: LogQuotas(leastFree: 1) { 40 * LogQuotas.bytesPerRequest })
    defer { signer.close() }
    let app = try signer.pairedApp(trust: "low")
    signer.relay.take(false)
    for _ in 0..<60 { try signer.deliver(app, "logout") }
    let entries = try signer.entries(.requestDecided).filter { $0.client == app.key.publicKey && $0.method == .logout }
    #expect(entries.count == 13 + LogAllowance.leavingsPerHour, "a third of what is free and what it wrote, and some more")
    signer.relay.take(true)
    #expect(signer.core.engine.pairings.count == 1)
  }

  @Test("A request refused because the app's share is used up does not keep waiting for the owner")
  func nothingWaitsUnseen() throws {
    let signer = try Signer(shares: LogQuotas(leastFree: 1) { LogQuotas.bytesPerRequest })
    defer { signer.close() }
    let app = try signer.pairedApp(trust: "low")
    guard case .error = try signer.ask(app, "sign_event", [note()]) else { throw Missing() }
    signer.settle()
    #expect(signer.core.engine.pendingRequests.isEmpty)
    #expect(signer.core.engine.reconsider(now: signer.now).isEmpty)
  }

  private static func isResult(_ reply: App.Seen) throws -> Bool { if case .result = reply { true } else { false } }
}

@Suite("Old log content is dropped automatically") struct RetentionTests {
  /// The upkeep, by a clock that was steady for an hour.
  private func drop(_ signer: Signer, now: Int64, time: Int64) {
    signer.core.dropOldContent(now: now - LogRetention.steadyFor, time: time - LogRetention.steadyFor * 1_000)
    signer.core.dropOldContent(now: now, time: time)
  }

  @Test("A clock set years ahead drops nothing until it has been so for a while") func aClockThatIsSet() throws {
    let signer = try Signer()
    defer { signer.close() }
    _ = try signer.operations.ask("log/retain", ["keep": "30d", "daily": true])
    let (start, day) = (Clock.milliseconds, LogRetention.pause)
    drop(signer, now: 10_000, time: start)
    let wrong = start + 3_650 * day * 1_000
    try signer.core.log.appendAndWait(AuditEntry(time: wrong, kind: .requestDropped))
    for minute in 0..<59 as Range<Int64> {
      signer.core.dropOldContent(now: 10_000 + day + minute * 60, time: wrong + minute * 60_000)
    }
    #expect(signer.core.log.redacted == 0)
    // It is put right, and a day later what is old goes.
    drop(signer, now: 10_000 + 2 * day, time: start + 2 * day * 1_000)
    #expect(signer.core.log.redacted == 0)
    drop(signer, now: 10_000 + 41 * day, time: start + 41 * day * 1_000)
    #expect(signer.core.log.redacted > 0)
  }

  @Test("Automatic dropping can be set, shown and ended")
  func theSetting() throws {
    let signer = try Signer()
    defer { signer.close() }
    #expect(try signer.operations.ask("log/retain")["daily_days"]?.isNull == true)
    #expect(try signer.operations.ask("log/retain", ["keep": "30d", "daily": true])["daily_days"] == 30)
    #expect(try signer.entries(.settingChanged).count == 1)
    #expect(try signer.operations.ask("log/retain")["daily_days"] == 30)
    // Forty days later the first entries of today may go, once there is a later run of entries.
    let later = Clock.milliseconds + 40 * 86_400_000
    try signer.core.log.appendAndWait(AuditEntry(time: later, kind: .requestDropped))
    drop(signer, now: 1_000, time: later)
    let dropped = signer.core.log.redacted
    #expect(dropped > 0)
    // A day later, and not before.
    let again = later + 40 * 86_400_000
    try signer.core.log.appendAndWait(AuditEntry(time: again, kind: .requestDropped))
    drop(signer, now: 1_000 + LogRetention.pause - 1, time: again)
    #expect(signer.core.log.redacted == dropped)
    drop(signer, now: 1_000 + LogRetention.pause, time: again)
    #expect(signer.core.log.redacted > dropped)
    #expect(try signer.operations.ask("log/retain", ["off": true])["daily_days"]?.isNull == true)
  }

  @Test("Failed dropping is reported and tried again after a day, not every minute")
  func failedDropping() throws {
    let signer = try Signer()
    defer { signer.close() }
    _ = try signer.operations.ask("log/retain", ["keep": "30d", "daily": true])
    let later = Clock.milliseconds + 40 * 86_400_000
    try signer.core.log.appendAndWait(AuditEntry(time: later, kind: .requestDropped))
    // In the way of the copy.
    let inTheWay = signer.home.home.log + "/audit.log.new"
    try FileManager.default.createDirectory(atPath: inTheWay, withIntermediateDirectories: false)
    let count = signer.core.log.count
    drop(signer, now: 1_000, time: later)
    #expect(signer.core.log.redacted == 0 && signer.core.log.count == count, "nothing is recorded that was not done")
    #expect(signer.core.isRetentionFailing)
    try FileManager.default.removeItem(atPath: inTheWay)
    signer.core.dropOldContent(now: 1_000 + LogRetention.pause - 1, time: later)
    #expect(signer.core.log.redacted == 0)
    signer.core.dropOldContent(now: 1_000 + LogRetention.pause, time: later)
    #expect(signer.core.log.redacted > 0 && !signer.core.isRetentionFailing)
  }

  @Test("Content is dropped only if the owner chose so, and never while the session is locked")
  func notUnasked() throws {
    let signer = try Signer()
    defer { signer.close() }
    let later = Clock.milliseconds + 40 * 86_400_000
    try signer.core.log.appendAndWait(AuditEntry(time: later, kind: .requestDropped))
    drop(signer, now: 1_000, time: later)
    #expect(signer.core.log.redacted == 0)
    _ = try signer.operations.ask("log/retain", ["keep": "30d", "daily": true])
    _ = signer.core.sessionLock.lock("the owner")
    drop(signer, now: 1_000, time: later)
    #expect(signer.core.log.redacted == 0)
  }
}
