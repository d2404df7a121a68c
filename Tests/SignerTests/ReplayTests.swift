import AuditLog
import DaemonSupport
import Encodings
import Foundation
import JSON
import Nostr
import OwnerAPI
import Platform
import Testing
import Vault

@testable import OwnerOperations
@testable import RemoteSigning
@testable import Signer

@Suite struct ReplayTests {
  @Test("A request that was answered before a restart is not answered again") func aReplayAfterARestartIsRefused() throws {
    let signer = try Signer()
    let app = try signer.pairedApp()
    let request = try signer.deliver(app, "sign_event", [note()])
    #expect(signer.service.counts.signed == 1)
    let again = try signer.reopened()
    again.take(request)
    #expect(again.service.counts.dropped[.alreadySeen] == 1 && again.service.counts.signed == 0 && again.relay.sent.isEmpty)
    try again.deliver(app, "sign_event", [note()])
    #expect(again.service.counts.signed == 1)
    again.close()
  }

  /// An id is read back, from the file beside the log or from the log, for as long as its event is young enough, not only when it was
  /// recorded a moment ago.
  @Test("A request from minutes before a restart is not accepted again", arguments: [290, 200, 100] as [Int64], [true, false])
  func aReplayOfMinutesBeforeARestartIsRefused(seconds: Int64, hasFile: Bool) throws {
    let signer = try Signer()
    let app = try signer.pairedApp()
    let start = Clock.seconds
    signer.stopClock(at: start - seconds)
    let request = try signer.deliver(app, "sign_event", [note()])
    #expect(signer.service.counts.signed == 1)
    signer.close()
    if !hasFile { try FileManager.default.removeItem(atPath: signer.home.home.log + "/audit.seen") }
    let again = try Signer(signer.home)
    again.stopClock(at: start)
    again.take(request)
    #expect(again.service.counts.signed == 0 && again.service.counts.dropped[.alreadySeen] == 1)
    again.close()
  }

  /// A machine whose clock stands back at its start, and is put right by the network a little later.
  @Test("A request answered before a start with a wrong clock is not answered again once the clock is right")
  func aClockThatIsPutRightDoesNotLetAnOldRequestIn() throws {
    let signer = try Signer()
    let app = try signer.pairedApp()
    let right = Clock.seconds + 3600
    signer.stopClock(at: right)
    let request = try signer.deliver(app, "sign_event", [note()])
    #expect(signer.service.counts.signed == 1)
    let again = try signer.reopened()
    try again.deliver(app, "ping")
    again.stopClock(at: right + 5)
    again.take(request)
    #expect(again.service.counts.signed == 0 && again.service.counts.dropped[.alreadySeen] == 1)
    again.close()
  }

  @Test("A signer whose clock is set while it is locked still hears its apps", arguments: [3_600, -3_600] as [Int64])
  func aClockThatIsSetWhileLocked(seconds: Int64) throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "full")
    let request = try signer.deliver(app, "sign_event", [note()])
    signer.core.sessionLock.lock("a test")
    let before = signer.relay.sent.count
    signer.stopClock(at: Clock.seconds + seconds)
    try signer.deliver(app, "ping")
    #expect(signer.relay.sent.count == before + 1)
    try signer.deliver(app, "sign_event", [note("two")])
    #expect(signer.relay.sent.count == before + 2, "it is told that it may ask again later")
    signer.stopClock(at: request.createdAt)
    signer.take(request)
    try signer.core.sessionLock.unlock(PassphraseOpener(box(TestHome.passphrase)))
    signer.settle()
    #expect(signer.service.counts.signed == 1, "nothing is answered twice")
    signer.close()
  }

  @Test("After clean stops, locked starts know each answered request, and serve all others, whatever their date")
  func lockedStartsKnowWhatWasAnswered() throws {
    var signer = try Signer()
    let (home, app) = (signer.home, try signer.pairedApp(trust: "full"))
    var answered = [try signer.deliver(app, "sign_event", [note("one")])]
    answered.append(try app.request("sign_event", [note("two")], now: Clock.seconds + 120))
    signer.take(answered[1])
    signer.close()
    for _ in 0..<2 {
      signer = try Signer(home, isLocked: true)
      #expect(answered.map { Self.isSeen($0, signer.core) } == answered.map { _ in true })
      #expect(!answered.contains { signer.core.mayBeAnswered($0) })
      let new = try app.request("sign_event", [note("three")], now: Clock.seconds - 2)
      #expect(!Self.isSeen(new, signer.core) && !signer.core.mayBeAnswered(new))
      signer.take(new)
      #expect(Self.isSeen(new, signer.core))
      answered.append(new)
      signer.close()
    }
  }

  private static func isSeen(_ event: Event, _ core: OpenedHome) -> Bool {
    core.engine.state.withLock { $0.seen.contains(event.id, createdAt: event.createdAt) }
  }

  @Test(
    "Without the whole record of answered requests, a locked start serves only those dated after the stop and after each app's last",
    arguments: ["gone", "cut", "changed"])
  func lockedStartAfterAProperEnd(fault: String) throws {
    let signer = try Signer()
    let (ahead, right) = (try signer.pairedApp(trust: "full"), try signer.pairedApp(trust: "full"))
    signer.take(try ahead.request("ping", [], now: Clock.seconds + 120))
    signer.close()
    try Self.spoilSeen(signer.home, fault)
    let core = try Self.lockedStart(signer.home)
    func mayBeAnswered(_ app: App, _ seconds: Int64) throws -> Bool {
      core.mayBeAnswered(try app.request("ping", [], now: Clock.seconds + seconds))
    }
    #expect(try mayBeAnswered(right, -1) && !mayBeAnswered(right, 5))
    #expect(try mayBeAnswered(ahead, 60) && !mayBeAnswered(ahead, 130))
    core.close()
    // Never unlocked in between: the next start knows as much.
    let again = try Self.lockedStart(signer.home)
    #expect(again.mayBeAnswered(try ahead.request("ping", [], now: Clock.seconds + 60)))
    #expect(!again.mayBeAnswered(try right.request("ping", [], now: Clock.seconds + 5)))
    again.close()
  }

  private static func spoilSeen(_ home: TestHome, _ fault: String) throws {
    let path = home.home.log + "/audit.seen"
    guard fault != "gone" else { return try FileManager.default.removeItem(atPath: path) }
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    if fault == "cut" { bytes.removeLast() } else { bytes[bytes.count - 40] ^= 1 }
    try bytes.write(to: URL(fileURLWithPath: path))
  }

  @Test("After a kill, a locked start uses no key for requests that may have been answered before", arguments: [false, true])
  func lockedStartAfterAKill(isAfterAProperEnd: Bool) throws {
    var signer = try Signer()
    let app = try signer.pairedApp(trust: "full")
    if isAfterAProperEnd { signer = try signer.reopened() }
    try signer.deliver(app, "ping")
    let copy = TestHome()
    try FileManager.default.copyItem(atPath: signer.home.path, toPath: copy.path)
    let core = try Self.lockedStart(copy)
    #expect(core.mayBeAnswered(try app.request("ping", [], now: Clock.seconds + 250)) && !core.isCertain)
    core.close()
    signer.close()
  }

  @Test("The times stored at a clean stop count once, for that state of the log only, and never for years")
  func whatAnEndStored() throws {
    let signer = try Signer()
    let app = try signer.pairedApp()
    let (vault, extent) = (signer.core.vault, signer.core.log.extent)
    let end = AnsweredUntil(time: 5_000, apps: [app.signer: 5_100])
    _ = try vault.transaction([end.change(at: extent)])
    #expect(AnsweredUntil.stored(in: vault, at: extent) == end)
    #expect(AnsweredUntil.stored(in: vault, at: (extent.log, extent.count + 1)) == nil)
    #expect(AnsweredUntil.stored(in: vault, at: (Bytes32(), extent.count)) == nil)
    #expect(end.bounded(by: 5_050) == AnsweredUntil(time: 5_000, apps: [app.signer: 5_050]))
    #expect(end.bounded(by: 1_000) == AnsweredUntil(time: 1_000, apps: [app.signer: 1_000]))
    #expect(end.joined(with: AnsweredUntil(time: 5_200)) == AnsweredUntil(time: 5_200))
    #expect(end.joined(with: AnsweredUntil(time: 1, apps: [app.signer: 5_300])).apps == [app.signer: 5_300])
    for damaged in [[], [UInt8](repeating: 0, count: 47), extent.log.array, [UInt8](repeating: 0, count: 87)] {
      _ = try vault.transaction([.put(.setting, AnsweredUntil.setting, damaged)])
      #expect(AnsweredUntil.stored(in: vault, at: extent) == nil)
    }
    signer.close()
    let again = try Signer(signer.home)
    #expect(try again.core.vault.value(.setting, id: AnsweredUntil.setting) == nil, "a start takes it away")
    again.close()
  }

  @Test("A request answered while the clock was ahead is not answered again by the next locked starts")
  func lockedStartAfterAWrongClock() throws {
    let signer = try Signer()
    let (home, ahead) = (signer.home, try signer.pairedApp(trust: "full"))
    let right = try signer.pairedApp(trust: "full")
    signer.stopClock(at: Clock.seconds + 3_600)
    let request = try signer.deliver(ahead, "sign_event", [note()])
    signer.close()
    for start in 0..<4 {
      if start == 2 { try Self.spoilSeen(home, "gone") }
      let isRecorded = start < 2
      let core = try Self.lockedStart(home)
      #expect(isRecorded ? Self.isSeen(request, core) : core.mayBeAnswered(request))
      #expect(!core.mayBeAnswered(try right.request("ping", [], now: Clock.seconds + 5)))
      core.close()
    }
  }

  @Test("After a stop with the clock ahead, requests up to that time use no key in a locked start, for a day at most")
  func endedAhead() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "full")
    signer.close()
    let home = signer.home
    let vault = try Opening.vault(home.home, ShownCredential(passphrase: box(TestHome.passphrase)))
    let extent = try unwrap(try AuditLog.extent(folder: home.home.log))
    let now = Clock.seconds
    _ = try vault.transaction([AnsweredUntil(time: now + 1_000_000).change(at: extent)])
    vault.close()
    for isSecond in [false, true] {
      if !isSecond { try Self.spoilSeen(home, "gone") }
      let core = try Self.lockedStart(home)
      #expect(core.mayBeAnswered(try app.request("ping", [], now: now + 86_000)), "\(isSecond)")
      #expect(!core.mayBeAnswered(try app.request("ping", [], now: now + 90_000)), "\(isSecond)")
      core.close()
    }
  }

  @Test("A clean stop after a kill with the clock set back says nothing about which requests were answered")
  func killedThenBack() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "full")
    _ = try signer.core.log.appendAndWait(AuditEntry(time: (Clock.seconds + 4_000) * 1000, kind: .daemonStarted))
    let copy = TestHome()
    try FileManager.default.copyItem(atPath: signer.home.path, toPath: copy.path)
    signer.close()
    let again = try Signer(copy)
    again.close()
    let core = try Self.lockedStart(copy)
    #expect(core.mayBeAnswered(try app.request("ping", [], now: Clock.seconds + 250)))
    core.close()
  }

  private static func lockedStart(_ home: TestHome) throws -> OpenedHome {
    let vault = try Opening.vault(home.home, ShownCredential(passphrase: box(TestHome.passphrase)))
    vault.lock()
    return try Opening.open(home: home.home, vault: vault)
  }

  @Test("A request that was answered before the process was killed is not answered again")
  func aReplayAfterAKillIsRefused() throws {
    let signer = try Signer()
    let app = try signer.pairedApp()
    let request = try signer.deliver(app, "sign_event", [note()])
    // The folder as a kill leaves it: nothing was closed.
    let copy = TestHome()
    try FileManager.default.copyItem(atPath: signer.home.path, toPath: copy.path)
    let again = try Signer(copy)
    again.take(request)
    #expect(again.service.counts.dropped[.alreadySeen] == 1 && again.relay.sent.isEmpty)
    again.close()
    signer.close()
  }

  /// An hour goes by, its requests push the old ids out, and then the clock is set back.
  @Test(
    "A request answered before the clock was set back is not answered again", arguments: [3600, 100_000_000] as [Int64],
    [false, true])
  func aClockSetBackDoesNotLetAnOldRequestIn(seconds: Int64, isTakenWhereRead: Bool) throws {
    let signer = try Signer()
    let app = try signer.pairedApp()
    if isTakenWhereRead { signer.takeWhereRead() }
    let start = Clock.seconds
    let request = try signer.deliver(app, "sign_event", [note()])
    for minute in 0..<10 {
      signer.stopClock(at: start + seconds + Int64(minute) * 60)
      try signer.deliver(app, "ping")
    }
    let signed = signer.service.counts.signed
    signer.take(request)
    #expect(signer.service.counts.signed == signed)
    signer.stopClock(at: start)
    signer.take(request)
    #expect(signer.service.counts.signed == signed && signer.service.counts.dropped[.alreadySeen] == 1)
    signer.close()
  }

  @Test("A request answered before the clock was set back is not answered again by the reading thread")
  func aClockSetBackIsNoticedWhereRequestsAreRead() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "full")
    signer.takeWhereRead()
    let start = Clock.seconds
    let request = try signer.deliver(app, "sign_event", [note()])
    for minute in 0..<10 {
      signer.stopClock(at: start + 3600 + Int64(minute) * 60)
      try signer.deliver(app, "sign_event", [note()])
    }
    let signed = signer.service.counts.signed
    signer.stopClock(at: start)
    signer.take(request)
    #expect(signer.service.counts.signed == signed && signer.service.counts.dropped[.alreadySeen] == 1)
    signer.close()
  }

  /// A step of a second or two at the edge of the window: the id was just let go, and the event is fresh again.
  @Test("A small step back of the clock does not let an answered request be answered again")
  func aSmallStepBackDoesNotLetAnOldRequestIn() throws {
    let signer = try Signer()
    let app = try signer.pairedApp()
    // A request in the last second of a minute.
    let second = signer.now / 60 * 60 + 59
    signer.stopClock(at: second)
    let request = try app.request("sign_event", [note()], now: second)
    signer.take(request)
    #expect(signer.service.counts.signed == 1)
    signer.stopClock(at: second + 302)
    signer.take(try app.request("ping", now: second + 302))
    signer.stopClock(at: second + 300)
    signer.take(request)
    #expect(signer.service.counts.signed == 1 && signer.service.counts.dropped[.alreadySeen] == 1)
    signer.close()
  }

  /// The clock is set back, and the log cannot say what was answered before: nothing is taken until it can.
  @Test("After the clock is set back, no request is taken until the log can be read")
  func aClockSetBackBesideALogThatCannotBeReadTakesNothing() throws {
    let signer = try Signer()
    let app = try signer.pairedApp()
    let path = signer.home.home.log + "/audit.log"
    let start = Clock.seconds
    signer.stopClock(at: start + 3600)
    try signer.deliver(app, "ping")
    let before = signer.relay.sent.count
    let good = [UInt8](try unwrap(FileManager.default.contents(atPath: path)))
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    func write(_ bytes: ArraySlice<UInt8>) throws {
      try file.seek(toOffset: UInt64(bytes.startIndex))
      try file.write(contentsOf: Data(bytes))
    }
    signer.stopClock(at: start)
    let request = try app.request("ping", now: signer.now)
    try write(ArraySlice(good.map { ~$0 })[(good.count - 200)...])
    signer.service.take(request, from: .embedded, isVerified: false)
    #expect(signer.service.counts.dropped[.overloaded] == 1 && signer.relay.sent.count == before)
    try write(good[(good.count - 200)...])
    signer.take(request)
    #expect(signer.relay.sent.count == before + 1)
    signer.close()
    #expect(try AuditLog.verify(folder: signer.home.home.log).fault == nil)
  }

  /// Without its last entries the log cannot say what was answered already.
  @Test("A home whose log has lost its last entries does not open until they are back")
  func aLogThatCannotBeReadIsNoReasonToForgetWhatWasAnswered() throws {
    let signer = try Signer()
    let app = try signer.pairedApp()
    try signer.deliver(app, "sign_event", [note()])
    let home = signer.home
    signer.close()
    let path = home.home.log + "/audit.log"
    let good = [UInt8](try unwrap(FileManager.default.contents(atPath: path)))
    // The lengths at both ends of a record are what reading from the end goes by.
    var bytes = good
    for index in (good.count - 60)..<(good.count - 40) { bytes[index] ^= 0xff }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let refusal = failure { try home.core() }
    #expect(refusal?.exit == .failed && refusal?.error.contains("The log") == true)
    try Data(good).write(to: URL(fileURLWithPath: path))
    let again = try Signer(home)
    again.close()
  }
}
