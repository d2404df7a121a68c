import Curve
import DaemonSupport
import JSON
import Nostr
import OwnerAPI
import Testing

@testable import OwnerOperations
@testable import Signer

/// `request/hand-over`: what a push brought while the signer runs.
@Suite struct HandOverTests {
  static let relay: JSONValue = "ws://127.0.0.1:24133/relay"

  static func text(_ event: Event) -> JSONValue { .string(String(decoding: event.json(), as: UTF8.self)) }

  @Test("A request that a push brought is carried out once, and no forged one") func handedOver() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "full")
    let before = signer.relay.sent.count
    let event = try app.request("sign_event", [note()], now: signer.now)
    for _ in 0..<2 {
      #expect(
        try signer.operations.ask("request/hand-over", ["relay": Self.relay, "event": Self.text(event)]) == ["taken": true])
      signer.settle()
    }
    guard case .result = try app.read(try #require(signer.relay.sent(before + 1)?.last).event) else { throw Missing() }
    let forged = try app.request("ping", now: signer.now)
    let other = try app.request("ping", now: signer.now)
    let text = String(decoding: forged.json(), as: UTF8.self).replacing(forged.signature.hex, with: other.signature.hex)
    #expect(try signer.operations.ask("request/hand-over", ["relay": Self.relay, "event": .string(text)]) == ["taken": true])
    signer.settle()
    #expect(signer.relay.sent.count == before + 1)
    signer.close()
  }

  @Test("A relay that no app or link names is neither asked nor answered") func strangersRelay() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "full")
    let before = signer.relay.sent.count
    let event = try app.request("ping", now: signer.now)
    for relay: JSONValue in ["wss://elsewhere.example", "http://127.0.0.1:24133/relay", "nothing"] {
      #expect(try signer.operations.ask("request/hand-over", ["relay": relay, "event": Self.text(event)]) == ["taken": false])
      #expect(try signer.operations.ask("request/hand-over", ["relay": relay]) == ["taken": false])
    }
    signer.settle()
    #expect(signer.relay.sent.count == before)
    signer.close()
  }

  @Test("A key does not answer at the relay of another app") func anotherAppsRelay() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "full")
    let uri = "nostrconnect://\(try KeyPair.random().publicKey.hex)?relay=wss://theirs.example&secret=abc&name=other"
    _ = try signer.operations.ask("pair/accept", ["uri": .string(uri)])
    let before = signer.relay.sent.count
    let event = try app.request("ping", now: signer.now)
    let theirs: JSONValue = "wss://theirs.example"
    #expect(try signer.operations.ask("request/hand-over", ["relay": theirs, "event": Self.text(event)]) == ["taken": false])
    #expect(try signer.operations.ask("request/hand-over", ["relay": theirs]) == ["taken": true], "it is a relay of the vault")
    signer.settle()
    #expect(signer.relay.sent.count == before)
    signer.close()
  }
}
