import Curve
import OwnerAPI
import Platform
import RemoteSigning
import Signer
import Sockets

/// Relays for new links: `relay/list` and `relay/try`.
extension Operations {
  static let relayHandlers: [OperationHandler] = [
    .init(RelayList.self) { operations, _, _ in operations.listRelays() },
    .init(RelayTry.self) { operations, request, call in try operations.tryRelay(request, call) },
  ]

  /// Public relays that pass on messages of kind 24133 for everybody.
  private static let suggestedRelays = [
    "wss://relay.nsec.app", "wss://nos.lol", "wss://relay.damus.io", "wss://relay.primal.net",
  ]

  private func listRelays() -> RelayList.Response {
    let relays = running?.linkRelays ?? usualRelays
    var response = RelayList.Response()
    response.relays = relays.map(\.text)
    response.isThisMachineOnly = relays.areThisMachineOnly
    response.suggested = Self.suggestedRelays.filter { !response.relays.contains($0) }
    response.used = usedRelays
    return response
  }

  /// Who names each relay, sorted by its address. Relays are compared as the connections are: as WebSocket addresses.
  private var usedRelays: [RelayUse] {
    var found: [String: RelayUse] = [:]
    func note(_ relays: [RelayURL], _ list: WritableKeyPath<RelayUse, [String]>, _ key: PublicKey) {
      for url in Set(relays.compactMap({ try? WebSocketURL(parsing: $0.text) })) {
        found[url.text, default: RelayUse(url)][keyPath: list].append(key.hex)
      }
    }
    for pairing in home.engine.pairings { note(pairing.relays, \.apps, pairing.remoteSigner) }
    for link in usableLinks { note(link.relays, \.links, link.remoteSigner) }
    return found.values.sorted { $0.url < $1.url }
  }

  private func tryRelay(_ request: RelayTry.Request, _ call: OperationCall) throws -> RelayTry.Response {
    guard let relay = try? WebSocketURL(parsing: request.url), RelayURL(request.url) != nil else {
      throw OperationError.usage("This is not a ws:// or wss:// address.")
    }
    return try RelayTrial(relay, reachesInside: call.channel == .command).result()
  }
}

extension RelayUse {
  fileprivate init(_ url: WebSocketURL) {
    self.init()
    self.url = url.text
  }
}
