import AuditLog
import Curve
import DaemonSupport
import Identities
import JSON
import Nostr
import Platform
import RemoteSigning
import Testing
import Vault

@testable import Signer

@Suite struct RequestPathTests {
  @Test("A decision is in the log before the answer leaves, and the outcome follows it")
  func theIntentIsOnTheDiskBeforeTheAnswerLeavesAndTheOutcomeFollows() throws {
    let signer = try Signer()
    let app = try signer.pairedApp()
    let request = try signer.deliver(app, "sign_event", [note()])
    let sent = try unwrap(signer.relay.sent(2)?.last)
    let intents = sent.log.map(\.entry).filter { $0.kind == .requestDecided && $0.requestID == request.id }
    #expect(intents.count == 1)
    let intent = try unwrap(intents.first)
    #expect(intent.decision == .allow && intent.rule?.description == "medium trust" && intent.method == .signEvent)
    #expect(intent.eventKind == 1 && intent.requestCreatedAt == request.createdAt && intent.client == app.key.publicKey)
    #expect(intent.identity == (try signer.identity.publicKey))
    signer.settle()
    let outcome = try unwrap(try signer.entries(.requestDone).last)
    guard case .result(let text) = try app.read(sent.event) else { throw Missing() }
    let event = try Event(parsing: Array(text.utf8))
    try event.verify()
    #expect(event.pubkey == (try signer.identity.publicKey) && event.content == "hello")
    #expect(outcome.requestID == request.id && outcome.resultID == event.id && outcome.error == nil)
    signer.close()
    #expect(try AuditLog.verify(folder: signer.home.home.log).fault == nil)
  }

  @Test("An answer goes to the relay that its request came from") func anAnswerGoesWhereItsRequestCameFrom() throws {
    let signer = try Signer()
    let app = try signer.pairedApp()
    try signer.deliver(app, "ping")
    let sent = try unwrap(signer.relay.sent(2)?.last)
    #expect(sent.origin != nil && sent.origin?.relay == nil && sent.relays.map(\.text) == ["ws://127.0.0.1:24133/relay"])
    signer.close()
  }

  @Test("Pairing uses up the link and stores the pairing in one step")
  func pairingSpendsTheLinkAndStoresTheGrantInOneStep() throws {
    let signer = try Signer()
    let (app, secret) = try signer.appWithLink()
    let vault = signer.core.vault
    #expect(try vault.ids(.link).count == 1 && vault.ids(.pairing).isEmpty)
    let stop = Locked(false)
    let torn = Locked(0)
    let watcher = try unwrap(
      SystemThread.start {
        while !stop.withLock({ $0 }) {
          // Links first: of the two, exactly one is there at any time.
          let (links, pairings) = ((try? vault.ids(.link).count) ?? -1, (try? vault.ids(.pairing).count) ?? -1)
          if links == 0 && pairings == 0 { torn.withLock { $0 += 1 } }
        }
      })
    #expect(try signer.ask(app, "connect", [app.signer.hex, secret]) == .result("ack"))
    stop.withLock { $0 = true }
    join(watcher)
    #expect(torn.withLock { $0 } == 0)
    #expect(try vault.ids(.link).isEmpty && vault.ids(.pairing).count == 1 && vault.ids(.pairingKey).count == 1)
    signer.settle()
    #expect(try signer.entries(.paired).count == 1)
    signer.close()
  }

  @Test("Requests from strangers, copies, old requests and wrong kinds are counted and sign nothing")
  func aStrangersRequestIsNothingAndIsCounted() throws {
    let signer = try Signer()
    let app = try signer.pairedApp()
    let stranger = try App(signer: app.signer)
    try signer.deliver(stranger, "sign_event", [note()])
    try signer.deliver(stranger, "ping")
    signer.take(try app.request("ping", now: signer.now - 3600))
    let event = try app.request("ping", now: signer.now)
    for _ in 0..<3 { signer.take(event) }
    signer.take(
      Event(
        id: event.id, pubkey: event.pubkey, createdAt: event.createdAt, kind: 1, tags: event.tags, content: event.content,
        signature: event.signature))
    let counts = signer.service.counts
    #expect(counts.dropped[.linkSpent] == 2 && counts.dropped[.alreadySeen] == 2 && counts.dropped[.wrongKind] == 1)
    #expect(counts.dropped[.stale] == 1, "its app was told, and the log says nothing of it")
    #expect(counts.answered == 2 && counts.signed == 0 && counts.failed == 0 && counts.unrecorded == 0)
    try signer.deliver(app, "sign_event", [note()])
    try signer.deliver(app, "sign_event", ["{}"])
    #expect(signer.service.counts.signed == 1 && signer.service.counts.failed == 1 && signer.service.counts.answered == 4)
    signer.close()
  }

  @Test("Eight threads answer each of 200 repeated requests exactly once")
  func eightThreadsAnswerEachRequestExactlyOnce() throws {
    let signer = try Signer(threads: 8)
    let app = try signer.pairedApp(trust: "full")
    let before = signer.relay.sent.count
    let now = signer.now
    let requests = try (0..<200).map { try app.request("sign_event", [note("number \($0)")], id: "r\($0)", now: now) }
    // Each comes twice, as from two relays.
    inParallel(8) { thread in
      for index in stride(from: thread % 4, to: requests.count, by: 4) {
        signer.workers.submitAlways { signer.service.take(requests[index], from: .embedded, isVerified: false) }
      }
    }
    let sent = try unwrap(signer.relay.sent(before + requests.count))
    signer.settle()
    #expect(signer.relay.sent.count == before + requests.count)
    var answers: [String: String] = [:]
    for answer in sent[before...] {
      let opened = try app.open(answer.event)
      let id = try unwrap(opened["id"]?.string)
      #expect(answers[id] == nil)
      let event = try JSONValue(parsing: Array(try unwrap(opened["result"]?.string).utf8))
      answers[id] = event["content"]?.string
    }
    #expect(answers.count == requests.count && (0..<requests.count).allSatisfy { answers["r\($0)"] == "number \($0)" })
    #expect(signer.service.counts.signed == requests.count)
    #expect(signer.service.counts.dropped[.alreadySeen] == requests.count)
    signer.close()
    #expect(try AuditLog.verify(folder: signer.home.home.log).fault == nil)
  }

  @Test("A logout ends the pairing only once a relay has accepted the answer")
  func logoutForgetsOnlyWhenARelayTookTheAnswer() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "low")
    try signer.deliver(app, "sign_event", [note()])
    signer.relay.take(false)
    #expect(try signer.ask(app, "logout") == .result("ack"))
    signer.settle()
    #expect(signer.core.engine.pairings.count == 1 && signer.core.engine.pendingRequests.count == 1)
    #expect(try signer.core.vault.ids(.pairing).count == 1 && signer.entries(.unpaired).isEmpty)
    signer.relay.take(true)
    #expect(try signer.ask(app, "logout") == .result("ack"))
    signer.settle()
    #expect(signer.core.engine.pairings.isEmpty && signer.core.engine.pendingRequests.isEmpty)
    for kind in [RecordKind.pairing, .usage, .link, .pendingRequest] { #expect(try signer.core.vault.ids(kind).isEmpty) }
    #expect(try signer.entries(.unpaired).map { $0.rule?.description } == ["the app logged out"])
    signer.close()
  }
}
