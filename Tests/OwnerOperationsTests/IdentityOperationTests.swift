import AuditLog
import Curve
import DaemonSupport
import Identities
import JSON
import OwnerAPI
import RemoteSigning
import Testing
import Vault

@testable import Signer

@Suite struct IdentityOperationTests {
  static let nsec = "nsec1ypdu504fk6yl39hns7kjsshjnaz5chc6e3dec7hxaja63m7d04aqpaywte"
  static let secretHex = "205bca3ea9b689f896f387ad2842f29f454c5f1acc5b9c7ae6ecbba8efcd7d7a"
  static let publicHex = "c7208abe98295b203feec883722efd4ada90002b2c54b0ad5b1e81f6a4269c6b"

  @Test(
    "What is wrong with an event is said in words",
    arguments: [
      (#"{"content":"x"}"#, "“kind” is missing"), (#"{"kind":1,"content":"x""#, "cut short"),
      (#"{"kind":70000,"content":"x"}"#, "“kind” must be a number from 0 to 65535"),
      (#"{"kind":1,"kind":1,"content":"x"}"#, "twice"),
      ("[]", "another type"), (#"{"kind":1,"content":"x"} y"#, "after its end"),
    ])
  func anEventsFaultInWords(text: String, words: String) throws {
    let signer = try Signer()
    let error = try unwrap(failure { try signer.operations.ask("sign", ["event": .string(text)]) })
    #expect(error.error.contains(words) && !error.error.contains("("), "\(error.error)")
    signer.close()
  }

  @Test("A key that everybody knows is imported only if the owner accepts that") func aPublishedKeyNeedsAYes() throws {
    let signer = try Signer()
    // NIP-19's own example.
    let nsec = "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5"
    func take(_ parameters: JSONValue) throws -> JSONValue {
      try signer.operations.ask("identity/import", parameters, secrets: ["key": box(nsec)])
    }
    let refused = try unwrap(failure { try take(["name": "old"]) })
    #expect(refused.exit == .failed && refused.error.contains("Everybody knows this key"))
    #expect(try take(["name": "old", "accept_public": true])["name"] == "old")
    signer.close()
  }

  @Test("An imported key is the one that was given, and it cannot be imported twice")
  func anImportedKeyIsTheOneThatWasGiven() throws {
    let signer = try Signer()
    let made = try signer.operations.ask("identity/import", ["name": "old"], secrets: ["key": box(Self.nsec + "\n")])
    #expect(made["pubkey"]?.string == Self.publicHex && made["default"] == false)
    #expect(
      failure { try signer.operations.ask("identity/import", ["name": "again"], secrets: ["key": box(Self.secretHex)]) }?.exit
        == .failed)
    #expect(try signer.entries(.identityImported).map(\.identity?.hex) == [Self.publicHex])
    let signed = try signer.operations.ask("sign", ["identity": "old", "event": ["kind": 1, "content": "x"]])
    #expect(signed["pubkey"]?.string == Self.publicHex)
    signer.close()
  }

  @Test("A damaged key is refused, and the error shows no part of it") func aDamagedKeyIsRefusedWithoutSayingAnyOfIt() throws {
    let signer = try Signer()
    let characters = Array(Self.nsec)
    for position in stride(from: 5, to: characters.count, by: 9) {
      var damaged = characters
      damaged[position] = damaged[position] == "q" ? "p" : "q"
      let refusal = try unwrap(
        failure { try signer.operations.ask("identity/import", ["name": "b"], secrets: ["key": box(String(damaged))]) })
      #expect(refusal.exit == .usage)
      let said = refusal.error + (refusal.hint ?? "")
      #expect(!(0...(damaged.count - 8)).contains { said.contains(String(damaged[$0..<$0 + 8])) })
    }
    let words = "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon zebra wolf"
    let refusal = try unwrap(
      failure { try signer.operations.ask("identity/import", ["name": "b"], secrets: ["key": box(words)]) })
    #expect(refusal.exit == .usage && !refusal.error.contains("zebra") && !refusal.error.contains("abandon"))
    #expect(
      failure {
        try signer.operations.ask(
          "identity/import", ["name": "b"],
          secrets: ["key": box("npub1sg6plzptd64u62a878hep2kev88swjh3tw00gjsfl8f237lmu63q0uf63m")])
      }?.exit == .usage)
    #expect(try signer.operations.ask("identity/list")["identities"]?.array?.count == 1)
    signer.close()
  }

  @Test("Deleting an identity needs a proof and removes its apps, links and requests together")
  func deletingAnIdentityTakesItsAppsLinksAndRequestsAlongInOneTransaction() throws {
    let signer = try Signer()
    try signer.operations.ask("identity/create", ["name": "second"])
    let kept = try signer.pairedApp(name: "kept")
    let gone = try signer.pairedApp(trust: "low", name: "gone", identity: "second")
    _ = try signer.appWithLink(identity: "second")
    try signer.deliver(gone, "sign_event", [note()])
    let vault = signer.core.vault
    let before = try Self.counts(vault)
    #expect(before == [.identity: 2, .pairing: 2, .link: 1, .pairingKey: 3, .pendingRequest: 1])
    let planned = try signer.operations.ask("identity/delete", ["name": "second", "plan": true])
    #expect(planned["apps"] == 1 && planned["still_in"]?.array == [])
    for secrets in [[:], ["passphrase": try box("wrong")]] {
      #expect(failure { try signer.operations.ask("identity/delete", ["name": "second"], secrets: secrets) } != nil)
    }
    #expect(try Self.counts(vault) == before)
    let proof = ["passphrase": try box(TestHome.passphrase)]
    let result = try signer.operations.ask("identity/delete", ["name": "second"], secrets: proof)
    #expect(result["deleted"] == "second" && result["apps_revoked"] == 1)
    #expect(try Self.counts(vault) == [.identity: 1, .pairing: 1, .link: 0, .pairingKey: 3, .pendingRequest: 0])
    #expect(try vault.ids(.endedPairing).count == 2, "the keys of its app and of its link stay, to answer with an error")
    #expect(signer.core.engine.pairings.map(\.name) == ["kept"] && signer.core.engine.openLinks.isEmpty)
    #expect(signer.core.engine.pendingRequests.isEmpty)
    #expect(try signer.ask(gone, "get_public_key") == .error("no longer paired: connect again with a new link"))
    #expect(try signer.ask(kept, "ping") == .result("pong"))
    #expect(try signer.entries(.identityDeleted).count == 1)
    let again = try signer.reopened()
    #expect(again.core.appNames[gone.key.publicKey] == "gone", "the log still names it")
    #expect(again.core.engine.pairings.map(\.name) == ["kept"] && again.core.identities.all.map(\.name) == ["main"])
    again.close()
  }

  /// A link is taken, and before the pairing is stored its identity goes.
  @Test("An app is not paired with an identity that was deleted meanwhile")
  func aPairingForAnIdentityThatWasDeletedMeanwhileIsNotMade() throws {
    let signer = try Signer()
    try signer.operations.ask("identity/create", ["name": "second"])
    let (app, secret) = try signer.appWithLink(identity: "second")
    let request = try app.request("connect", [app.signer.hex, secret], now: signer.now)
    guard case .decided(let exchange) = signer.core.engine.receive(request, now: signer.now) else { throw Missing() }
    try signer.operations.ask("identity/delete", ["name": "second"], secrets: ["passphrase": box(TestHome.passphrase)])
    signer.service.carryOut(exchange, from: .embedded)
    guard case .error = try app.read(try unwrap(signer.relay.sent(1)?.first).event) else { throw Missing() }
    signer.settle()
    #expect(signer.core.engine.pairings.isEmpty && signer.core.engine.endedPairings.map(\.remoteSigner) == [app.signer])
    for kind in [RecordKind.pairing, .link] { #expect(try signer.core.vault.ids(kind).isEmpty) }
    signer.close()
  }

  /// A vault that cannot be written: the identity and everything of it stays, in memory, too.
  @Test("An identity whose deletion cannot be stored stays as it was") func aDeletionThatCannotBeStoredChangesNothing() throws {
    let signer = try Signer()
    let app = try signer.pairedApp()
    signer.core.vault.close()
    #expect(exit(signer.operations, "identity/delete", ["name": "main"]) != nil)
    #expect(signer.core.identities.all.count == 1 && signer.core.engine.pairings.count == 1)
    #expect(try signer.ask(app, "ping") == .result("pong"))
    let again = try signer.reopened()
    #expect(again.core.identities.all.count == 1 && again.core.engine.pairings.count == 1)
    again.close()
  }

  private static func counts(_ vault: Vault) throws -> [RecordKind: Int] {
    let kinds: [RecordKind] = [.identity, .pairing, .link, .pairingKey, .pendingRequest]
    return Dictionary(uniqueKeysWithValues: try kinds.map { ($0, try vault.ids($0).count) })
  }
}
