import Curve
import DaemonSupport
import Nostr
import Platform
import Sockets
import TestSupport
import Testing

@testable import KeyRotation
@testable import Signer

@Suite("One-time requests to relays") struct RelaySessionTests {
  @Test("A relay in the local network is used if the owner named it, and not because a published list does")
  func listedRelaysInside() throws {
    let loop = try EventLoop()
    loop.start()
    defer { loop.stop(within: 200) }
    let asked = Locked(0)
    let listener = try loop.listen(
      .init(.tcp(host: "127.0.0.1", port: 0)),
      service: Service(upgrade: { _ in
        asked.change { $0 += 1 }
        return .refuse(HTTPResponse(status: 403))
      }))
    let relay = try WebSocketURL(parsing: "ws://127.0.0.1:\(listener.port)")
    let author = try KeyPair.random().publicKey
    let listed = try RelaySession(named: [])
    let found = listed.fetch([0], by: author, from: [relay])
    #expect(found.faults[relay.text]?.contains("inside your network") == true)
    #expect(found.faults[relay.text]?.contains("--relay \(relay.text)") == true, "and says what to do")
    #expect(listed.known([author], at: [relay]).faults[relay.text]?.contains("inside your network") == true)
    listed.end()
    #expect(asked.withLock { $0 } == 0)
    let named = try RelaySession(named: [relay])
    #expect(named.fetch([0], by: author, from: [relay]).faults[relay.text]?.contains("403") == true)
    named.end()
    #expect(asked.withLock { $0 } == 1)
  }

  @Test("A rotation keeps the record of which relays the owner named") func namedRelays() throws {
    let (old, new) = (try KeyPair.random().publicKey, try KeyPair.random().publicKey)
    var rotation = Rotation(
      old: old, new: new, reason: .rotated, startedAt: 1, relays: ["ws://10.0.0.1", "wss://a.example"],
      named: ["wss://a.example"],
      parts: [])
    #expect(Rotation(record: rotation.record) == rotation)
    rotation.add([try WebSocketURL(parsing: "ws://10.0.0.1"), try WebSocketURL(parsing: "wss://b.example")])
    #expect(rotation.relays == ["ws://10.0.0.1", "wss://a.example", "wss://b.example"])
    #expect(rotation.named == ["wss://a.example", "ws://10.0.0.1", "wss://b.example"])
    for number in 0..<50 { rotation.add([try WebSocketURL(parsing: "wss://c\(number).example")]) }
    #expect(rotation.relays.count == RotationDraft.mostRelays && rotation.named.count == RotationDraft.mostRelays)
  }
}
