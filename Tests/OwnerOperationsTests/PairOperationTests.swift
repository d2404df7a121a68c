import AuditLog
import Curve
import DaemonSupport
import JSON
import Nostr
import OwnerAPI
import Platform
import RemoteSigning
import TestSupport
import Testing
import Vault

@testable import OwnerOperations
@testable import Signer

@Suite struct PairOperationTests {
  @Test("A link survives a restart and pairs one app only") func aLinkIsThereAfterARestartAndGoodOnce() throws {
    let signer = try Signer()
    let (app, secret) = try signer.appWithLink(trust: "full")
    let again = try signer.reopened()
    #expect(try again.ask(app, "connect", [app.signer.hex, secret]) == .result("ack"))
    #expect(again.core.engine.pairings.first?.grant.trust == .full)
    let second = try App(signer: app.signer)
    let used = App.Seen.error("this link was used by another app: ask for a new one")
    #expect(try again.ask(second, "connect", [app.signer.hex, secret]) == used)
    #expect(again.service.counts.dropped[.linkSpent] == 1)
    let third = try again.reopened()
    #expect(try third.ask(second, "connect", [app.signer.hex, secret]) == used)
    #expect(third.core.engine.pairings.count == 1)
    #expect(try third.ask(app, "ping") == .result("pong"))
    third.close()
  }

  @Test("A new link names its relays, trust, identity and expiry, and its making is recorded")
  func theLinkSaysWhatItIsFor() throws {
    let signer = try Signer()
    let before = Clock.seconds
    let made = try signer.operations.ask(
      "pair/new", ["expires": 600, "trust": "low", "relays": ["wss://a.example", "ws://b.example/x"]])
    let link = try BunkerURI(parsing: try unwrap(made["bunker"]?.string))
    #expect(link.remoteSigner.hex == made["pubkey"]?.string && link.secret?.utf8.count == OpenLink.secretLength)
    #expect(
      made["relays"] == ["wss://a.example", "ws://b.example/x"]
        && link.relays.map(\.text) == ["wss://a.example", "ws://b.example/x"])
    #expect(made["trust"] == "low" && made["identity"] == "main")
    let expires = try unwrap(made["expires"]?.integer)
    #expect(expires >= before + 600 && expires <= Clock.seconds + 600)
    #expect(try signer.entries(.linkMade).map(\.rule?.description) == ["low trust"])
    signer.close()
  }

  @Test("The list of relays names the apps and unused links of each, and a cancelled link no more")
  func relaysAndTheirUsers() throws {
    let signer = try Signer()
    let app = try signer.pairedApp()
    let link = try signer.operations.ask("pair/new", ["relays": ["wss://a.example", "wss://b.example"]])
    func used() throws -> [String: JSONValue] {
      let list = try unwrap(try signer.operations.ask("relay/list")["used"]?.array)
      return Dictionary(uniqueKeysWithValues: list.compactMap { one in one["url"]?.string.map { ($0, one) } })
    }
    let present = try used()
    #expect(present.values.contains { $0["apps"]?.array?.contains(.string(app.signer.hex)) == true })
    let key = try unwrap(link["pubkey"])
    #expect(present["wss://a.example"]?["links"] == [key] && present["wss://b.example"]?["links"] == [key])
    try signer.operations.ask("pair/cancel", ["link": key])
    #expect(try used()["wss://a.example"] == nil)
    signer.close()
  }

  @Test("A link that no app used is listed without its secret, and pairs nobody after it was cancelled")
  func aCancelledLinkPairsNobody() throws {
    let signer = try Signer()
    let (app, secret) = try signer.appWithLink(trust: "full")
    try signer.operations.ask("pair/new", ["trust": "low"])
    let listed = try signer.operations.ask("pair/list")
    #expect(listed["links"]?.array?.count == 2)
    #expect(!String(decoding: listed.serialized(), as: UTF8.self).contains(secret))
    let cancelled = try signer.operations.ask("pair/cancel", ["link": .string(String(app.signer.hex.prefix(8)))])
    #expect(cancelled["pubkey"]?.string == app.signer.hex && cancelled["trust"] == "full")
    #expect(try signer.entries(.settingChanged).count == 1)
    let again = try signer.reopened()
    guard case .error = try again.ask(app, "connect", [app.signer.hex, secret]) else { throw Missing() }
    #expect(again.core.engine.pairings.isEmpty)
    #expect(try again.operations.ask("pair/list")["links"]?.array?.count == 1)
    again.close()
  }

  @Test("A used or expired link is not listed and cannot be cancelled") func onlyUnusedLinksAreCancelled() throws {
    let signer = try Signer()
    let app = try signer.pairedApp()
    #expect(try signer.operations.ask("pair/list")["links"]?.array?.isEmpty == true)
    #expect(exit(signer.operations, "pair/cancel", ["link": .string(app.signer.hex)]) == .notFound)
    #expect(signer.core.engine.pairings.count == 1)
    signer.close()
  }

  @Test("An expired link pairs nobody") func anExpiredLinkPairsNobody() throws {
    let signer = try Signer()
    let made = try signer.operations.ask("pair/new", ["expires": 60])
    let link = try BunkerURI(parsing: try unwrap(made["bunker"]?.string))
    let app = try App(signer: link.remoteSigner)
    signer.stopClock(at: Clock.seconds + 61)
    guard case .error(let text) = try signer.ask(app, "connect", [app.signer.hex, unwrap(link.secret)]) else { throw Missing() }
    #expect(text.contains("expired"))
    #expect(signer.core.engine.pairings.isEmpty)
    signer.close()
  }

  /// Its key answers that it is no longer good, for as long as those of pairings that ended.
  @Test("A link is dropped a day after it expired, and other links stay") func aLinkThatEndedLongAgoIsDropped() throws {
    let signer = try Signer()
    try signer.operations.ask("pair/new", ["expires": 60])
    try signer.operations.ask("pair/new", ["expires": 31_536_000])
    let app = try signer.pairedApp()
    let heard = Locked(0)
    signer.core.signerEvents.subscribe { _ in heard.withLock { $0 += 1 } }
    signer.core.dropOldLinks(now: signer.now + 80_000)
    #expect(signer.core.engine.openLinks.count == 2 && heard.withLock { $0 } == 0)
    signer.core.dropOldLinks(now: signer.now + 60 + 86_400 + 2)
    #expect(signer.core.engine.openLinks.count == 1 && heard.withLock { $0 } == 1)
    #expect(try signer.core.vault.ids(.link).count == 1 && signer.core.vault.ids(.endedPairing).count == 1)
    #expect(try signer.ask(app, "ping") == .result("pong"))
    let again = try signer.reopened()
    #expect(again.core.engine.remoteSigners.count == 3)
    again.close()
  }

  @Test("Expired links are dropped at the start") func atTheStartOldLinksAreDropped() throws {
    let signer = try Signer()
    try signer.operations.ask("pair/new", ["expires": 60])
    let home = signer.home
    signer.close()
    let vault = try Vault.open(
      home: home.path, passphrase: try secret(TestHome.passphrase), now: Clock.milliseconds, kinds: .holdfast)
    let log = try Opening.log(home.home, vault, now: 0)
    let core = try OpenedHome(folder: home.home, vault: vault, log: log, now: Clock.seconds + 60 + 86_400 + 2)
    #expect(try core.engine.openLinks.isEmpty && vault.ids(.link).isEmpty)
    core.dropOldEndings(now: Clock.seconds + 90_000 + EndedPairing.answeredFor)
    #expect(try core.engine.remoteSigners.isEmpty && vault.ids(.pairingKey).isEmpty)
    core.close()
  }

  @Test("An app's link that was accepted is a pairing after a restart") func anAcceptedLinkIsAPairingAfterARestart() throws {
    let signer = try Signer()
    let key = try KeyPair.random()
    let uri =
      "nostrconnect://\(key.publicKey.hex)?relay=wss%3A%2F%2Fa.example&secret=abc&name=phone&perms=sign_event:1,nip44_encrypt"
    let made = try signer.operations.ask("pair/accept", ["uri": .string(uri), "trust": "low"])
    #expect(made["client"]?.string == key.publicKey.hex && made["name"] == "phone" && made["trust"] == "low")
    #expect(made["permissions"] == ["sign_event:1", "nip44_encrypt"])
    let again = try signer.reopened()
    let pairing = try unwrap(again.core.engine.pairings.first)
    #expect(pairing.client == key.publicKey && pairing.grant.trust == .low && pairing.relays.map(\.text) == ["wss://a.example"])
    let app = try App(signer: pairing.remoteSigner, key: key)
    #expect(try again.ask(app, "ping") == .result("pong"))
    #expect(try again.entries(.paired).count == 1)
    again.close()
  }

  /// A relay inside the owner's network is used where he said so: by giving a link that shows it at the command line, or in words.
  @Test("Relays inside the owner's network are used only if the owner allows them")
  func relaysInsideTheNetworkAreForTheOwnerToAllow() throws {
    let signer = try Signer()
    func link(_ relays: String) throws -> JSONValue {
      .object([.init("uri", .string("nostrconnect://\(try KeyPair.random().publicKey.hex)?\(relays)&secret=abc&name=phone"))])
    }
    func console(_ given: JSONValue) -> OperationError? {
      failure { _ = try signer.operations.perform(ControlRequest("pair/accept", given), via: .console) }
    }
    var inside: Set<String> { Set(signer.core.engine.relaysInside.map(\.text)) }
    // From a browser: not without a word. Our own relay and those outside need none.
    let own = "relay=ws://127.0.0.1:24133/relay&relay=wss://a.example"
    #expect(try console(link("relay=ws://192.168.1.1:9"))?.exit == .denied)
    #expect(signer.core.engine.pairings.isEmpty)
    #expect(try console(link(own)) == nil && inside.isEmpty)
    guard case .object(let members) = try link("relay=ws://192.168.1.1:9&relay=wss://b.example") else { throw Missing() }
    #expect(console(.object(members + [.init("local_relays", true)])) == nil)
    #expect(inside == ["ws://192.168.1.1:9", "wss://b.example"])
    // At the command line: what the link shows, and says so; a name only in words.
    let made = try signer.operations.ask("pair/accept", try link("relay=ws://127.0.0.1:7777&relay=wss://c.example"))
    #expect(made["local_relays"] == ["ws://127.0.0.1:7777"])
    #expect(inside == ["ws://192.168.1.1:9", "wss://b.example", "ws://127.0.0.1:7777"])
    // It is kept, and the owner's own links may name what he likes.
    let again = try signer.reopened()
    try again.operations.ask("pair/new", ["relays": ["ws://10.0.0.1"]])
    #expect(again.core.engine.relaysInside.count == 4)
    again.close()
  }

  @Test("Accepting the same link again keeps the pairing and the owner's rules")
  func acceptingALinkAgainGoesOnWithTheSamePairing() throws {
    let signer = try Signer()
    let key = try KeyPair.random()
    let uri = JSONValue.string("nostrconnect://\(key.publicKey.hex)?relay=ws://a.example&secret=abc&name=phone")
    try signer.operations.ask("pair/accept", ["uri": uri])
    let first = try unwrap(signer.core.engine.pairings.first)
    try signer.operations.ask("client/deny", ["client": "phone", "permission": "sign_event:1"])
    try signer.operations.ask("pair/accept", ["uri": uri, "trust": "full"])
    let again = try signer.reopened()
    #expect(again.core.engine.pairings.map(\.remoteSigner) == [first.remoteSigner])
    #expect(try again.core.vault.ids(.pairingKey).count == 1)
    let app = try App(signer: first.remoteSigner, key: key)
    #expect(try again.ask(app, "sign_event", [note()]) == .error("not permitted"))
    again.close()
  }

  @Test("Pairing an app again replaces the earlier pairing and keeps the owner's rules")
  func pairingAgainReplacesTheEarlierPairingAndKeepsTheOwnersRules() throws {
    let signer = try Signer()
    let first = try signer.pairedApp()
    try signer.operations.ask("client/deny", ["client": "tester", "permission": "sign_event:1"])
    let second = try signer.pairedApp(trust: "full", key: first.key)
    #expect(signer.core.engine.pairings.count == 1 && first.signer != second.signer)
    #expect(try signer.ask(second, "sign_event", [note()]) == .error("not permitted"))
    let again = try signer.reopened()
    #expect(again.core.engine.pairings.map(\.remoteSigner) == [second.signer])
    #expect(try again.core.vault.ids(.pairingKey).count == 2 && again.core.engine.endedPairings.count == 1)
    #expect(try again.ask(second, "sign_event", [note()]) == .error("not permitted"))
    again.close()
  }

  @Test("A link that an app brings is described, and nothing is stored")
  func aLinkIsDescribedBeforeAnythingIsStored() throws {
    let signer = try Signer()
    let key = try KeyPair.random().publicKey.hex
    let link =
      "nostrconnect://\(key)?relay=wss://new.example&relay=ws://127.0.0.1:9&secret=x&name=Rusty&url=https://rusty.example"
      + "&perms=sign_event:1,sign_event:62,get_public_key"
    let shown = try signer.operations.ask("pair/preview", ["uri": .string(link)])
    #expect(shown["name"] == "Rusty" && shown["url"] == "https://rusty.example" && shown["client"]?.string == key)
    #expect(shown["identity"] == "main" && shown["trust"] == "medium" && shown["paired_as"] == .null)
    #expect(shown["relays"]?[0] == ["url": "wss://new.example", "known": false, "inside": false])
    #expect(shown["relays"]?[1]?["inside"] == true)
    #expect(
      shown["permissions"] == [
        ["permission": "sign_event:1", "full": "allow", "medium": "allow", "low": "ask", "allowable": true],
        ["permission": "sign_event:62", "full": "ask", "medium": "ask", "low": "ask", "allowable": false],
      ])
    #expect(signer.core.engine.pairings.isEmpty && signer.core.engine.openLinks.isEmpty)
    signer.close()
  }

  @Test("The link of an app that the owner revoked says when, also after a restart; that of one that left says nothing")
  func aRevokedAppIsKnownAgain() throws {
    let signer = try Signer()
    let (revoked, left) = (try signer.pairedApp(), try signer.pairedApp())
    func ask(_ operation: String, _ app: App, _ signer: Signer) throws -> JSONValue {
      let link = "nostrconnect://\(app.key.publicKey.hex)?relay=ws://a.example&secret=x"
      return try signer.operations.ask(operation, ["uri": .string(link)])
    }
    #expect(try ask("pair/preview", revoked, signer)["revoked_at"] == .null)
    _ = try signer.operations.ask("client/revoke", ["client": .string(revoked.key.publicKey.hex)])
    _ = try signer.ask(left, "logout")
    #expect(try ask("pair/preview", left, signer)["revoked_at"] == .null)
    let again = try signer.reopened()
    let time = try unwrap(try ask("pair/preview", revoked, again)["revoked_at"]?.integer)
    #expect(abs(time - Clock.seconds) < 60)
    #expect(try ask("pair/accept", revoked, again)["revoked_at"]?.integer == time)
    #expect(try ask("pair/preview", revoked, again)["revoked_at"] == .null, "it is paired again")
    let signerKey = try unwrap(again.core.engine.pairings.first { $0.client == revoked.key.publicKey }).remoteSigner
    _ = try again.ask(try App(signer: signerKey, key: revoked.key), "logout")
    #expect(try ask("pair/preview", revoked, again)["revoked_at"]?.integer == time, "leaving does not make it forgotten")
    again.close()
  }

  @Test("Rules chosen for an app's link apply from its first request, and a wrong one pairs nothing")
  func rulesAreChosenWithTheLink() throws {
    let signer = try Signer()
    let key = try KeyPair.random().publicKey.hex
    func accept(_ rules: [String]) throws -> JSONValue {
      try signer.operations.ask(
        "pair/accept",
        [
          "uri": .string("nostrconnect://\(key)?relay=ws://a.example&secret=x&name=Rusty"), "trust": "low",
          "rules": .array(rules.map { .string($0) }),
        ])
    }
    for wrong in [
      ["trust=full"], ["allow=sign_event:62"], ["allow=sign_event:22242"], ["nonsense"], Array(repeating: "deny=ping", count: 65),
    ] {
      #expect(throws: OperationError.self) { try accept(wrong) }
      #expect(signer.core.engine.pairings.isEmpty, "\(wrong)")
    }
    _ = try accept(["allow=sign_event:1", "deny=nip44_decrypt"])
    let grant = try unwrap(signer.core.engine.pairings.first).grant
    #expect(grant.trust == .low && grant.rules.map(\.permission.description).sorted() == ["nip44_decrypt", "sign_event:1"])
    signer.close()
  }
}
