import AuditLog
import Curve
import DaemonSupport
import Encodings
import Foundation
import JSON
import Nostr
import OwnerAPI
import Platform
import RemoteSigning
import Sockets
import TestSupport
import Testing
import Vault

@testable import Signer

@Suite struct IncidentWatchTests {
  @Test(
    "Twenty thousand signals of one kind make few log entries, and all of them are counted", arguments: IncidentSignal.allCases)
  func aFloodOfSignalsMakesFewEntries(signal: IncidentSignal) {
    var watch = IncidentWatch()
    var (minor, critical, counted) = (0, 0, 0)
    for number in 0..<20_000 {
      // The same thing again and again, two hundred a second.
      guard let found = watch.note(signal, id: Bytes32(), at: Int64(number / 200)) else { continue }
      if found.severity == .minor { minor += 1 } else { critical += 1 }
      counted += found.count
    }
    #expect(minor <= 1)
    let late = watch.due(at: 10_000)
    #expect(counted + late.reduce(0) { $0 + $1.count } == 20_000)
    #expect(watch.due(at: 10_000).isEmpty)
    if signal.critical == nil { #expect(critical == 0) }
  }

  /// What anybody on the network can bring about never shuts the owner out.
  @Test(
    "Signals that strangers can cause are never critical",
    arguments: [
      IncidentSignal.replay, .replayHere, .forgery, .spentLink, .flood, .usedSignInLink, .signInFailed, .passkeyCounter,
    ])
  func aStrangerCannotShutTheSigner(signal: IncidentSignal) {
    var watch = IncidentWatch()
    for number in 0..<50_000 {
      let found = watch.note(signal, at: Int64(number))
      #expect(found?.severity != .critical)
    }
  }

  @Test(
    "A signal becomes critical exactly at its threshold",
    arguments: [(IncidentSignal.logTampered, 1, 0), (.otherUser, 1, 0), (.wrongPassphrase, 10, 300)])
  func isCriticalFromItsThresholdOn(signal: IncidentSignal, count: Int, secondsBetween: Int64) {
    var watch = IncidentWatch()
    var random = SystemRandomNumberGenerator()
    for number in 1...count {
      let id = Bytes32 { bytes in for index in bytes.indices { bytes[index] = random.next() } }
      let found = watch.note(signal, id: id, at: Int64(number) * secondsBetween)
      #expect((found?.severity == .critical) == (number == count), "\(number)")
    }
  }

  @Test("One or two wrong passphrases and the right one at the same place within ten minutes are no incident")
  func typingErrorsAreForgiven() {
    var watch = IncidentWatch()
    for wrong in 1...2 {
      for _ in 0..<wrong { #expect(watch.note(.wrongPassphrase, at: 0) == nil) }
      watch.forgive(.wrongPassphrase, 599)
      #expect(watch.due(at: 10_000).isEmpty)
    }
  }

  @Test("A right passphrase forgives no wrong one from another place") func otherPlacesAreNotForgiven() {
    let page = AttemptOrigin(.signInPage, operation: "unlock")
    let (one, other) = (
      AttemptOrigin(.browser(session: "aa"), operation: "slot/list"),
      AttemptOrigin(.browser(session: "bb"), operation: "slot/list")
    )
    var watch = IncidentWatch()
    for (wrong, right) in [(page, one), (one, other), (page, nil), (nil, page)] as [(AttemptOrigin?, AttemptOrigin?)] {
      #expect(watch.note(.wrongPassphrase, from: wrong, at: 0) == nil)
      watch.forgive(.wrongPassphrase, at: right?.place, 1)
      #expect(watch.due(at: 600).map(\.count) == [1] && watch.due(at: 10_000).isEmpty)
      watch = IncidentWatch()
    }
    for wrong in [one, page] { #expect(watch.note(.wrongPassphrase, from: wrong, at: 0) == nil) }
    watch.forgive(.wrongPassphrase, at: one.place, 1)
    #expect(watch.due(at: 600).map(\.count) == [2], "one of them was made elsewhere")
  }

  @Test("An incident names where all its wrong passphrases came from, and none if they came from several places")
  func anIncidentNamesItsOrigin() {
    let page = AttemptOrigin(.signInPage, operation: "unlock")
    let terminal = AttemptOrigin(.terminal, operation: "identity/export")
    var watch = IncidentWatch()
    for _ in 0..<2 { #expect(watch.note(.wrongPassphrase, from: page, at: 0) == nil) }
    #expect(watch.note(.wrongPassphrase, from: page, at: 1)?.origin == page)
    watch = IncidentWatch()
    for origin in [page, terminal] { #expect(watch.note(.wrongPassphrase, from: origin, at: 0) == nil) }
    let mixed = watch.note(.wrongPassphrase, from: page, at: 1)
    #expect(mixed?.count == 3 && mixed?.origin == nil)
    #expect(page.words == "from the sign-in page" && terminal.words == "from a terminal, for identity/export")
  }

  @Test("More wrong passphrases, or no right one within ten minutes, are an incident with all of them counted")
  func whatIsNoTypingErrorIsTold() {
    var watch = IncidentWatch()
    for _ in 0..<2 { #expect(watch.note(.wrongPassphrase, at: 0) == nil) }
    #expect(watch.note(.wrongPassphrase, at: 1)?.count == 3, "the third is told at once")
    watch = IncidentWatch()
    #expect(watch.note(.wrongPassphrase, at: 0) == nil && watch.due(at: 599).isEmpty)
    watch.forgive(.wrongPassphrase, 600)
    #expect(watch.due(at: 600).map(\.count) == [1], "the right one came too late")
  }

  @Test("Forgiven typing errors still count towards a lockdown") func forgivenOnesCountTowardsALockdown() {
    var watch = IncidentWatch()
    for number in 1...10 {
      let found = watch.note(.wrongPassphrase, at: Int64(number) * 100)
      #expect((found?.severity == .critical) == (number == 10), "\(number)")
      watch.forgive(.wrongPassphrase, Int64(number) * 100 + 1)
    }
  }

  @Test("Slow wrong attempts and repeated reports of one attempt do not become critical")
  func slowAttemptsAndRepetitionsDoNotAddUp() {
    var watch = IncidentWatch()
    for number in 0..<1000 { #expect(watch.note(.wrongPassphrase, at: Int64(number) * 400)?.severity != .critical) }
    watch = IncidentWatch()
    for number in 0..<1000 {
      #expect(watch.note(.wrongPassphrase, id: Bytes32(), at: Int64(number / 100))?.severity != .critical)
    }
  }
}

@Suite struct IncidentTests {
  @Test("Ten wrong passphrases lock everything down, and further ones do not fill the log")
  func tenWrongPassphrasesShutEverything() throws {
    let signer = try Signer()
    for _ in 0..<10 { signer.core.sessionLock.report(.wrongPassphrase) }
    #expect(signer.core.sessionLock.isLocked && signer.core.sessionLock.isSuspended)
    #expect(try signer.entries(.incidentCritical).map { $0.rule?.description } == ["wrong passphrase"])
    // More of it is counted, and does not fill the log.
    for _ in 0..<1000 { signer.core.sessionLock.report(.wrongPassphrase) }
    #expect(try signer.entries(.incidentCritical).count == 1)
    #expect(try signer.entries(.incidentMinor).count <= 2)
    signer.close()
  }

  @Test("Wrong passphrases make one incident, and attempts that come too soon make no further one")
  func aWrongPassphraseIsCountedAndAThrottledOneIsNot() throws {
    let signer = try Signer()
    signer.core.meters.listen(to: signer.core.signerEvents, known: [], now: { signer.now })
    for _ in 0..<6 { _ = try? SessionLockTests.unlock(signer, "wrong") }
    #expect(try signer.entries(.incidentMinor).map(\.amount) == [3])
    #expect(signer.core.meters.counts.incidents[.minor] == 1)
    signer.close()
  }

  @Test("A passphrase that is mistyped once and then right is no incident, and the attempt stays in the log")
  func aTypingErrorIsNoIncident() throws {
    let signer = try Signer()
    _ = try? SessionLockTests.unlock(signer, "wrong")
    _ = try SessionLockTests.unlock(signer)
    #expect(signer.core.sessionLock.findings(dueAt: Clock.boot + 601).isEmpty, "also once it would have been told")
    #expect(try signer.entries(.incidentMinor).isEmpty && signer.entries(.vaultOpenFailed).count == 1)
    signer.close()
  }

  @Test("A changed byte in the log that a check finds locks everything down", arguments: ["audit.log"])
  func aRecordThatWasChangedShutsEverything(file: String) throws {
    let signer = try Signer()
    _ = try signer.pairedApp()
    signer.settle()
    #expect(try signer.operations.ask("log/verify")["ok"] == true)
    let path = signer.home.home.log + "/" + file
    let handle = try unwrap(FileHandle(forUpdatingAtPath: path))
    try handle.seek(toOffset: 80)
    let byte = try unwrap(try handle.read(upToCount: 1)?.first)
    try handle.seek(toOffset: 80)
    try handle.write(contentsOf: [byte ^ 1])
    try handle.close()
    #expect(try signer.operations.ask("log/verify")["ok"] == false)
    #expect(signer.core.sessionLock.isLocked && signer.core.sessionLock.isSuspended)
    signer.close()
  }

  @Test("Altering the last log entries while the signer runs suspends everything") func aChangedTailShutsEverything() throws {
    let signer = try Signer()
    signer.settle()
    try Self.flip(-60, of: signer)
    signer.core.sessionLock.checkLog(signer.home.home.log)
    #expect(signer.core.sessionLock.isLocked && signer.core.sessionLock.isSuspended)
    signer.close()
  }

  @Test("Everything stays suspended while a record is altered") func aChangedRecordIsNotResumed() throws {
    let signer = try Signer()
    try signer.operations.ask("panic")
    signer.settle()
    try Self.flip(80, of: signer)
    #expect(failure { try PanicTests.resume(signer) }?.error.contains("stays locked down") == true)
    #expect(signer.core.sessionLock.isSuspended && signer.core.engine.isLocked)
    signer.close()
  }

  /// Turns a bit of the log.
  /// - Parameter place: of the byte; from the end where it is negative.
  private static func flip(_ place: Int, of signer: Signer) throws {
    let handle = try unwrap(FileHandle(forUpdatingAtPath: signer.home.home.log + "/audit.log"))
    let offset = UInt64(place < 0 ? Int(try handle.seekToEnd()) + place : place)
    try handle.seek(toOffset: offset)
    let byte = try unwrap(try handle.read(upToCount: 1)?.first)
    try handle.seek(toOffset: offset)
    try handle.write(contentsOf: [byte ^ 1])
    try handle.close()
  }

  @Test("After a start that found the log damaged, everything stays locked down once the log is repaired")
  func aDamagedRecordAtTheStartSuspends() throws {
    let signer = try Signer()
    let home = signer.home
    signer.close()
    let log = try DamagedLog(of: home)
    #expect(failure { try home.core() }?.exit == .failed)
    try log.mend()
    let core = try home.core()
    #expect(core.sessionLock.isSuspended)
    core.close()
  }

  @Test("An answered request sent again much later is recorded as an incident, and a prompt copy is not")
  func anAnsweredRequestSentAgainLongAfterIsNoticedAndACopyIsNot() throws {
    let signer = try Signer()
    let app = try signer.pairedApp()
    signer.stopClock(at: Clock.seconds)
    signer.core.meters.listen(to: signer.core.signerEvents, known: [], now: { signer.now })
    let request = try app.request("ping", now: signer.now)
    for _ in 0..<5 { signer.take(request) }
    #expect(signer.core.meters.counts.incidents[.minor] == nil)
    signer.stopClock(at: signer.now + 90)
    let relay = SigningService.Origin.relay(try WebSocketURL(parsing: "wss://keeps.example"), arrived: 0)
    for _ in 0..<5 { signer.service.take(request, from: relay, isVerified: false) }
    signer.settle()
    #expect(try signer.entries(.incidentMinor).isEmpty, "a relay that keeps requests brings them again at each subscription")
    for _ in 0..<5 { signer.take(request) }
    let found = try signer.entries(.incidentMinor).map { $0.rule?.description }
    #expect(found == ["an answered request sent again on this machine"], "\(found) \(signer.service.counts.dropped)")
    #expect(!signer.core.sessionLock.isLocked)
    signer.close()
  }

  /// A page in the owner's browser reaches the embedded relay, and a relay that carried an app's requests has kept them.
  @Test("A web page that sends 150 answered requests again locks nothing")
  func aPageThatSendsHundredsOfAnsweredRequestsAgainShutsNothing() throws {
    let signer = try Signer()
    let app = try signer.pairedApp()
    signer.stopClock(at: Clock.seconds)
    let requests = try (0..<150).map { _ in try app.request("ping", now: signer.now) }
    for (number, request) in requests.enumerated() {
      signer.stopClock(at: signer.now + (number % 10 == 9 ? 1 : 0))
      signer.take(request)
    }
    signer.stopClock(at: signer.now + 90)
    for (number, request) in requests.enumerated() {
      signer.stopClock(at: signer.now + (number % 10 == 9 ? 1 : 0))
      signer.take(request)
    }
    #expect(!signer.core.sessionLock.isLocked && !signer.core.sessionLock.isSuspended)
    signer.close()
  }

  @Test("Sending a waiting request again is not suspicious") func whatStillWaitsMayBeSentAgain() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "low")
    signer.stopClock(at: Clock.seconds)
    signer.core.meters.listen(to: signer.core.signerEvents, known: [], now: { signer.now })
    let request = try app.request("sign_event", [note()], now: signer.now)
    signer.take(request)
    signer.stopClock(at: signer.now + 90)
    signer.take(request)
    #expect(signer.core.meters.counts.incidents[.minor] == nil)
    signer.close()
  }

  @Test("A stranger cannot cause a suspension with forgeries, floods or used links")
  func aStrangerWhoForgesFloodsAndTriesSpentLinksShutsNothing() throws {
    let signer = try Signer()
    let app = try signer.pairedApp()
    let stranger = try App(signer: app.signer)
    for _ in 0..<300 {
      let event = try app.request("ping", now: signer.now)
      let forged = Event(
        id: event.id, pubkey: event.pubkey, createdAt: event.createdAt, kind: event.kind, tags: event.tags,
        content: event.content + "A", signature: event.signature)
      signer.workers.submitAlways { [service = signer.service] in service.take(forged, from: .embedded, isVerified: false) }
      let other = try stranger.request("connect", [app.signer.hex, "spent"], now: signer.now)
      signer.workers.submitAlways { [service = signer.service] in service.take(other, from: .embedded, isVerified: false) }
    }
    signer.settle()
    #expect(!signer.core.sessionLock.isLocked && !signer.core.sessionLock.isSuspended)
    #expect(try signer.entries(.incidentMinor).count <= 3)
    #expect(try signer.ask(app, "ping") == .result("pong"))
    signer.close()
  }
}
