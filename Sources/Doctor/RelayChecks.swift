import Curve
import Encodings
import Nostr
import Platform
import Relays
import Sockets

/// Checks whether a relay carries requests: a temporary key sends an event to itself.
struct RelayChecks {
  /// How long each answer may take, in milliseconds.
  private static let patience = 6_000
  /// The age of the event that tries old dates, in seconds: an app's clock may be that far behind.
  private static let oldAge: Int64 = 120

  let loop: EventLoop

  /// - Parameter isOwners: whether the owner named it, so that it may be inside the owner's network.
  func look(at text: String, isEmbedded: Bool, isOwners: Bool) -> Finding {
    let shown = RelayClient.shown(text)
    let check = isEmbedded ? "embedded-relay" : "relay"
    guard let url = try? WebSocketURL(parsing: text) else {
      return .bad(check, "\(shown) is not a relay address.", advice: "A relay address begins with ws:// or wss://.")
    }
    guard let key = try? KeyPair.random() else {
      return .bad(check, "\(shown) was not tried, because no key could be made.", advice: "Free some memory.")
    }
    let connection = RelayClient()
    defer { connection.close() }
    if let reason = connection.open(loop, url, milliseconds: Self.patience, reachesInside: isEmbedded || isOwners) {
      let advice =
        isEmbedded
        ? "Check whether the port is blocked on this machine. Stop the signer and start it again."
        : "Check the address and the network. Apps with this relay in their link cannot reach the signer through it."
      return .bad(check, "\(shown) cannot be reached: \(reason).", advice: advice)
    }
    return carries(connection, url, key, check, shown)
  }

  private func carries(
    _ connection: RelayClient, _ url: WebSocketURL, _ key: KeyPair, _ check: String, _ shown: String
  ) -> Finding {
    let filter = Filter(kinds: [EventKind.remoteSigning], limit: 0, tags: ["p": [key.publicKey.hex]])
    var wantsLogin = false
    var refusal = connection.subscribe("hf-live", filter, milliseconds: Self.patience)
    if let text = refusal, RelayClient.wantsLogin(text) {
      wantsLogin = true
      connection.logIn(to: url, milliseconds: Self.patience) { try? $0(key.publicKey).signed(by: key) }
      refusal = connection.subscribe("hf-again", filter, milliseconds: Self.patience)
    }
    if let refusal {
      return .bad(
        check, "\(shown) refused the signer's subscription: “\(RelayClient.shown(refusal))”.",
        advice: "Use another relay: this one serves only certain keys, but each pairing has its own.")
    }
    let now = Clock.seconds
    guard let event = Self.event(by: key, at: now) else {
      return .bad(check, "No event could be made.", advice: "Free some memory.")
    }
    let begin = Clock.monotonicMilliseconds
    let answer = connection.publish(event, milliseconds: Self.patience)
    if let answer, !answer.isTaken {
      return .bad(
        check, "\(shown) refuses requests (kind 24133): “\(RelayClient.shown(answer.text))”.",
        advice: "Use another relay for remote signing.")
    }
    guard Self.came(event.id, connection) else {
      return .bad(
        check, "\(shown) accepted a request but did not pass it on.",
        advice: "Use another relay. On this one, apps would get no answer.")
    }
    let taken = Clock.monotonicMilliseconds - begin
    return .good(
      check,
      "\(shown) carries requests in \(taken) ms and \(keeps(event, connection) ? "keeps them for a while" : "does not keep them")"
        + (takesOld(connection, key, now) ? "" : ", and refuses requests that are two minutes old")
        + (wantsLogin ? "; it asks for a login" : "") + ".")
  }

  private static func came(_ id: Bytes32, _ connection: RelayClient) -> Bool {
    connection.wait(milliseconds: patience) { message in
      if case .event(_, let event) = message, event.id == id { true } else { nil }
    }
      ?? false
  }

  private func keeps(_ event: Event, _ connection: RelayClient) -> Bool {
    guard connection.subscribe("hf-kept", Filter(ids: [event.id]), milliseconds: Self.patience) == nil else { return false }
    return connection.wait(milliseconds: 0) { message in
      if case .event("hf-kept", let found) = message, found.id == event.id { true } else { nil }
    } ?? false
  }

  private func takesOld(_ connection: RelayClient, _ key: KeyPair, _ now: Int64) -> Bool {
    guard let event = Self.event(by: key, at: now - Self.oldAge) else { return false }
    return connection.publish(event, milliseconds: Self.patience)?.isTaken ?? true
  }

  private static func event(by key: KeyPair, at time: Int64) -> Event? {
    try? UnsignedEvent(
      pubkey: key.publicKey, createdAt: time, kind: EventKind.remoteSigning, tags: [["p", key.publicKey.hex]], content: "doctor"
    ).signed(by: key)
  }
}
