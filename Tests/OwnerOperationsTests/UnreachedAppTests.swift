import Curve
import OwnerAPI
import RemoteSigning
import Testing

@testable import OwnerOperations

@Suite struct UnreachedAppTests {
  private func pairing(_ name: String, _ relays: [String]) throws -> Pairing {
    Pairing(
      remoteSigner: try KeyPair.random().publicKey, client: try KeyPair.random().publicKey,
      identity: try KeyPair.random().publicKey, pairedAt: 1, name: name, grant: Grant(trust: .low),
      relays: relays.compactMap { RelayURL($0) })
  }

  @Test("An app is unreached only if every relay of its own is away") func everyRelayIsAway() throws {
    let away = try #require(RelayURL("wss://away.example"))
    let lost = try pairing("lost", ["wss://away.example"])
    let others = [try pairing("half", ["wss://away.example", "wss://here.example"]), try pairing("a program", [])]
    let found = UnreachedApp.all(of: [others[0], lost, others[1]]) { $0 == away }
    #expect(found.map(\.name) == ["lost"] && found.first?.relays == ["wss://away.example"])
    #expect(found.first?.pubkey == lost.client.hex)
  }

  @Test("No more than 20 unreached apps are named") func isBounded() throws {
    let all = try (0..<30).map { try pairing("app \($0)", ["wss://away.example"]) }
    #expect(UnreachedApp.all(of: all) { _ in true }.count == 20)
  }
}
