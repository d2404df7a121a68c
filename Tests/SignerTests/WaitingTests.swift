import AuditLog
import Curve
import DaemonSupport
import Encodings
import Foundation
import JSON
import Nostr
import OwnerAPI
import Platform
import TestSupport
import Testing
import Vault

@testable import OwnerOperations
@testable import RemoteSigning
@testable import Signer

@Suite struct WaitingTests {
  /// A signer with an app of low trust whose request waits.
  static func waiting() throws -> (Signer, App, request: Event, name: String) {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "low")
    let request = try signer.deliver(app, "sign_event", [note()])
    return (signer, app, request, try name(signer))
  }

  static func name(_ signer: Signer) throws -> String {
    try unwrap(try signer.operations.ask("request/list")["requests"]?[0]?["id"]?.string)
  }

  @Test("A waiting request survives a restart and can be approved once")
  func aWaitingRequestIsThereAfterARestartAndCanBeApproved() throws {
    let (signer, app, request, name) = try Self.waiting()
    #expect(name.count == 8 && signer.relay.sent.count == 1)
    let again = try signer.reopened()
    #expect(try Self.name(again) == name)
    try again.operations.ask("request/approve", ["id": .string(name)])
    let sent = try unwrap(again.relay.sent(1)?.first)
    guard case .result(let text) = try app.read(sent.event) else { throw Missing() }
    try Event(parsing: Array(text.utf8)).verify()
    let intent = try unwrap(sent.log.last { $0.entry.requestID == request.id && $0.entry.kind == .requestDecided }?.entry)
    #expect(
      intent.decision == .allow && intent.rule?.description == "you approved this request (command)")
    #expect(exit(again.operations, "request/approve", ["id": .string(name)]) == .notFound)
    again.close()
  }

  @Test("A denial is reported to the app and recorded") func aRefusalIsToldAndRecorded() throws {
    let (signer, app, _, name) = try Self.waiting()
    let answer = try signer.operations.ask("request/deny", ["id": .string(name)])
    #expect(answer["answered"] == [.string(name)] && answer["missing"] == [] && answer["also"] == [])
    let heading = try unwrap(answer["title"]?.string)
    #expect(heading.contains(", for "), "the answer says what was asked, and by which app: \(heading)")
    #expect(try app.read(try unwrap(signer.relay.sent(2)?.last).event) == .error("user rejected"))
    signer.settle()
    let outcome = try unwrap(try signer.entries(.requestDone).last)
    #expect(outcome.error == .deniedByOwner && outcome.resultID == nil)
    signer.close()
  }

  @Test(
    "Once a request is answered, the vault keeps only a digest and the answer", arguments: ["request/approve", "request/deny"])
  func anAnsweredRequestLeavesTheVaultAtOnce(operation: String) throws {
    let (signer, _, _, name) = try Self.waiting()
    #expect(try signer.core.vault.ids(.pendingRequest).count == 1)
    try signer.operations.ask(operation, ["id": .string(name)])
    _ = signer.relay.sent(2)
    signer.settle()
    #expect(try signer.storedRequests().isEmpty)
    let left = try signer.core.vault.records(.pendingRequest).map { String(decoding: $0.value, as: UTF8.self) }
    #expect(left.count == 1 && !left[0].contains("hello") && left[0].contains(#""question":"#), "a digest and the answer")
    let again = try signer.reopened()
    #expect(again.core.engine.pendingRequests.isEmpty)
    again.close()
  }

  /// As a crash between the intent and the answer leaves it: the event may have been signed, so it is not asked again.
  @Test("A request whose approval was recorded before a crash does not wait again and is not answered again")
  func aRequestWhoseApprovalWasRecordedIsNotRestored() throws {
    let (signer, _, request, name) = try Self.waiting()
    let exchange = try unwrap(signer.core.engine.answerPending(name, approve: true, now: Clock.seconds))
    try signer.core.log.appendAndWait(.decided(exchange, time: Clock.milliseconds))
    #expect(try signer.core.vault.ids(.pendingRequest).count == 1)
    let again = try signer.reopened()
    #expect(again.core.engine.pendingRequests.isEmpty)
    again.settle()
    #expect(try again.storedRequests().isEmpty)
    again.take(request)
    #expect(again.service.counts.dropped[.alreadySeen] == 1 && again.relay.sent.isEmpty)
    again.close()
  }

  @Test("An answered request that could not be deleted from the vault is not asked again, however long the log has grown")
  func answeredLongAgo() throws {
    let (signer, _, _, name) = try Self.waiting()
    let exchange = try unwrap(signer.core.engine.answerPending(name, approve: true, now: Clock.seconds))
    try signer.core.log.appendAndWait(.decided(exchange, time: Clock.milliseconds))
    for number in 0..<10_050 {
      var entry = AuditEntry(time: Clock.milliseconds, kind: .requestDecided, decision: .allow)
      entry.requestID = Bytes32 { $0.storeBytes(of: number, as: Int.self) }
      if number % 1_000 == 0 { try signer.core.log.appendAndWait(entry) } else { signer.core.log.append(entry) { _ in } }
    }
    let again = try signer.reopened()
    #expect(again.core.engine.pendingRequests.isEmpty)
    #expect(try again.storedRequests().isEmpty)
    again.close()
  }

  @Test("A waiting request that the log does not mention is ended, because it may have been answered")
  func nothingKnown() throws {
    let (signer, _, _, _) = try Self.waiting()
    let waiting = try unwrap(signer.core.engine.pendingRequests.first)
    let other = Self.another(like: waiting)
    #expect(signer.core.store.save(other))
    let again = try signer.reopened()
    #expect(again.core.takeOwed().map(\.eventID) == [other.eventID], "its app is told")
    #expect(again.core.engine.pendingRequests.map(\.eventID) == [waiting.eventID])
    #expect(try again.storedRequests() == [waiting.name])
    again.core.outbox.clear(isEnd: true)
    #expect(try again.entries(.requestDropped).map(\.requestID) == [other.eventID])
    again.close()
  }

  /// A request of which the log says nothing.
  private static func another(like waiting: PendingRequest, name: String = "unknown") -> PendingRequest {
    PendingRequest(
      name: name, remoteSigner: waiting.remoteSigner, client: waiting.client, identity: waiting.identity,
      method: waiting.method, parameters: waiting.parameters, kind: waiting.kind, rule: waiting.rule,
      eventID: Bytes32 { $0.storeBytes(of: 7, as: Int.self) }, receivedAt: waiting.receivedAt, replies: waiting.replies)
  }

  @Test("After a locked start, a new request does not overwrite a waiting one with the same short name")
  func keepsItsPlace() throws {
    let (signer, _, _, _) = try Self.waiting()
    let waiting = try unwrap(signer.core.engine.pendingRequests.first)
    signer.close()
    let vault = try Opening.vault(signer.home.home, ShownCredential(passphrase: box(TestHome.passphrase)))
    vault.lock()
    let core = try Opening.open(home: signer.home.home, vault: vault)
    // The engine has not read yet what waits.
    #expect(core.engine.pendingRequests.isEmpty)
    #expect(!core.store(Self.another(like: waiting, name: waiting.name)))
    #expect(core.store(Self.another(like: waiting)))
    #expect(core.store(waiting))
    try core.sessionLock.unlock(PassphraseOpener(box(TestHome.passphrase)))
    core.catchUp()
    #expect(core.engine.pendingRequests.map(\.eventID) == [waiting.eventID])
    core.close()
  }

  /// As the keyring starts it: locked, with the log unread.
  private static func lockedStart(_ home: TestHome) throws -> OpenedHome {
    let vault = try Opening.vault(home.home, ShownCredential(passphrase: box(TestHome.passphrase)))
    vault.lock()
    return try Opening.open(home: home.home, vault: vault)
  }

  @Test("A new request never gets the short name of one that waits in the vault")
  func keepsItsName() throws {
    let (signer, app, _, _) = try Self.waiting()
    let waiting = try unwrap(signer.core.engine.pendingRequests.first)
    let request = try app.request("sign_event", [note("another")], now: signer.now)
    let name = signer.core.engine.state.withLock { $0.seen.key.requestName(of: request.id, attempt: 0) }
    #expect(signer.core.store.save(Self.another(like: waiting, name: name)))
    signer.close()
    let core = try Self.lockedStart(signer.home)
    guard case .decided = core.engine.receive(request, now: signer.now) else { throw Missing() }
    #expect(core.engine.pendingRequests.map(\.eventID) == [request.id])
    #expect(core.engine.pendingRequests.allSatisfy { $0.name != name })
    core.close()
  }

  @Test(
    "A request that the owner answers while the log is read after a locked start does not wait again", arguments: [true, false])
  func answeredMeanwhile(approve: Bool) throws {
    let (signer, app, _, _) = try Self.waiting()
    let home = signer.home
    signer.close()
    let core = try Self.lockedStart(home)
    let request = try app.request("sign_event", [note("another")], now: Clock.seconds)
    guard case .decided(let exchange) = core.engine.receive(request, now: Clock.seconds) else { throw Missing() }
    try core.log.appendAndWait(.decided(exchange, time: Clock.milliseconds))
    let asked = try unwrap(core.engine.pendingRequests.first)
    #expect(core.store(asked))
    try core.sessionLock.unlock(PassphraseOpener(box(TestHome.passphrase)))
    // The answer is not recorded yet, and the request stands in the vault still.
    #expect(core.engine.answerPending(asked.name, approve: approve, now: Clock.seconds) != nil)
    core.catchUp()
    #expect(core.engine.pendingRequests.map(\.eventID).contains(request.id) == false)
    #expect(core.engine.pendingRequests.count == 1, "what waited at the start waits again")
    core.close()
  }

  @Test("A waiting request is not forgotten, however far back it is in the log") func waitsOn() throws {
    let (signer, _, _, _) = try Self.waiting()
    let waiting = try unwrap(signer.core.engine.pendingRequests.first)
    // As if it had been asked before all that is searched.
    let other = Self.another(like: waiting)
    #expect(signer.core.store.save(other))
    signer.core.engine.restore(other)
    signer.fillLog()
    signer.core.saveUse()
    signer.core.vault.close()
    let again = try signer.reopened()
    #expect(Set(again.core.engine.pendingRequests.map(\.eventID)) == [waiting.eventID, other.eventID])
    #expect(again.core.takeOwed().isEmpty)
    again.close()
  }

  @Test("While an answered request is still in the vault, the vault is not marked as holding only waiting requests")
  func notAllWait() throws {
    let (signer, _, _, name) = try Self.waiting()
    let exchange = try unwrap(signer.core.engine.answerPending(name, approve: true, now: Clock.seconds))
    try signer.core.log.appendAndWait(.decided(exchange, time: Clock.milliseconds))
    signer.fillLog()
    signer.core.saveUse()
    #expect(try signer.core.store.waitingKnown() == nil)
    signer.core.changingPairings { signer.core.endPending([name], keeping: exchange.answer.map { [$0] } ?? []) }
    signer.fillLog()
    signer.core.saveUse()
    #expect(try signer.core.store.waitingKnown() != nil)
    signer.close()
  }

  @Test("An answered request that could not be deleted from the vault is deleted as soon as possible")
  func leavesLater() throws {
    let (signer, _, _, name) = try Self.waiting()
    let exchange = try unwrap(signer.core.engine.answerPending(name, approve: false, now: Clock.seconds))
    signer.core.vault.shut()
    signer.core.changingPairings { signer.core.endPending([name], keeping: exchange.answer.map { [$0] } ?? []) }
    try signer.core.sessionLock.unlock(PassphraseOpener(try box(TestHome.passphrase)))
    #expect(try signer.storedRequests() == [name])
    signer.service.dropExpired()
    #expect(try signer.storedRequests().isEmpty)
    #expect(try signer.core.store.answers().map(\.eventID) == [exchange.answer?.eventID])
    signer.close()
  }

  @Test("A waiting request whose pairing is gone is not restored at the next start")
  func aRequestWhosePairingIsGoneIsNotRestored() throws {
    let (signer, app, _, _) = try Self.waiting()
    #expect(signer.core.store.remove([app.signer]))  // and here the power fails
    let copy = TestHome()
    try FileManager.default.copyItem(atPath: signer.home.path, toPath: copy.path)
    signer.close()
    let again = try Signer(copy)
    #expect(again.core.engine.pairings.isEmpty && again.core.engine.pendingRequests.isEmpty)
    #expect(try again.core.vault.ids(.pendingRequest).isEmpty)
    again.close()
  }

  @Test("An app that repeats a waiting request gets an answer to both, and one signature is made")
  func anAppThatAsksAgainIsAnsweredOnBothIdsOnce() throws {
    let (signer, app, _, name) = try Self.waiting()
    try signer.deliver(app, "sign_event", [note()])
    #expect(try signer.operations.ask("request/list")["requests"]?.array?.count == 1)
    let again = try signer.reopened()
    try again.operations.ask("request/approve", ["id": .string(name)])
    let sent = try unwrap(again.relay.sent(2))
    let answers = try sent.map { try app.open($0.event) }
    #expect(answers.count == 2 && answers[0]["result"] == answers[1]["result"] && answers[0]["id"] != answers[1]["id"])
    #expect(again.service.counts.signed == 1)
    again.close()
  }

  /// Two workers carry out what came one after the other, the second one first.
  @Test("A repeated request that is stored out of order still answers both") func theLaterRepetitionIsNotStoredOver() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "low")
    let exchanges = try (0..<2).map { _ in
      let request = try app.request("sign_event", [note()], now: signer.now)
      guard case .decided(let exchange) = signer.core.engine.receive(request, now: signer.now) else { throw Missing() }
      return exchange
    }
    for exchange in exchanges.reversed() {
      signer.service.carryOut(exchange, from: .embedded)
      signer.settle()
    }
    let again = try signer.reopened()
    #expect(again.core.engine.pendingRequests.map(\.replies.count) == [2])
    again.close()
  }

  @Test(
    "A request that the owner answers or revokes before it is stored is not left in the vault",
    arguments: ["request/approve", "client/revoke"])
  func anOwnerFasterThanTheVaultLeavesNothingThere(operation: String) throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "low")
    let request = try app.request("sign_event", [note()], now: signer.now)
    guard case .decided(let exchange) = signer.core.engine.receive(request, now: signer.now) else { throw Missing() }
    #expect(try signer.operations.ask("request/list")["requests"]?.array == [], "not on the disk yet")
    let name = try unwrap(signer.core.engine.pendingRequests.first?.name)
    try signer.operations.ask(operation, operation == "client/revoke" ? ["client": "tester"] : ["id": .string(name)])
    signer.settle()
    signer.service.carryOut(exchange, from: .embedded)
    signer.settle()
    #expect(try signer.storedRequests().isEmpty)
    signer.close()
  }

  @Test("Revoking an app drops its waiting requests") func revokingAnAppDropsWhatWaits() throws {
    let (signer, app, _, name) = try Self.waiting()
    let revoked = try signer.operations.ask("client/revoke", ["client": "tester"])
    #expect(revoked["revoked"]?.string == app.key.publicKey.hex && revoked["name"] == "tester")
    #expect(signer.core.engine.pendingRequests.isEmpty)
    for kind in [RecordKind.pairing, .usage, .pendingRequest] { #expect(try signer.core.vault.ids(kind).isEmpty) }
    #expect(exit(signer.operations, "request/approve", ["id": .string(name)]) == .notFound)
    let ended = App.Seen.error("no longer paired: connect again with a new link")
    signer.settle()
    #expect(try app.read(try unwrap(signer.relay.sent.last).event) == ended, "what waited is told")
    #expect(try signer.ask(app, "ping") == ended && signer.service.counts.dropped[.pairingEnded] == 1)
    #expect(try signer.entries(.unpaired).map { $0.rule?.description } == ["you revoked it"])
    let again = try signer.reopened()
    #expect(again.core.engine.pairings.isEmpty && again.core.engine.pendingRequests.isEmpty)
    again.close()
  }

  @Test("A waiting request that expired is dropped at the next start") func anOldRequestIsDroppedAtTheStart() throws {
    let (signer, _, _, _) = try Self.waiting()
    let home = signer.home
    signer.close()
    let vault = try Vault.open(
      home: home.path, passphrase: try secret(TestHome.passphrase), now: Clock.milliseconds, kinds: .holdfast)
    let log = try Opening.log(home.home, vault, now: 0)
    log.followVault()  // as a start does that found the vault to be the one the log knows
    let core = try OpenedHome(folder: home.home, vault: vault, log: log, now: Clock.seconds + PendingRequest.lifetime + 10)
    #expect(core.engine.pendingRequests.isEmpty)
    #expect(try vault.ids(.pendingRequest).isEmpty)
    core.close()
  }
}
