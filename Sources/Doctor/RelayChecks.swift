import Curve
import Encodings
import Nostr
import Platform
import Relays
import Sockets

/// Whether a relay carries requests: a throw-away key writes to itself.
struct RelayChecks {
  /// How long each answer may take, in milliseconds.
  private static let patience = 6_000
  /// How old an event is tried, in seconds: the clock of an app may be that far behind.
  private static let oldAge: Int64 = 120

  let loop: EventLoop

  /// - Parameter isOwners: whether the owner named it, so that it may lie inside his network.
  func look(at text: String, isEmbedded: Bool, isOwners: Bool) -> Finding {
    let shown = RelayClient.shown(text)
    let check = isEmbedded ? "embedded-relay" : "relay"
    guard let url = try? WebSocketURL(parsing: text) else {
      return .bad(check, "\(shown) is no relay's address.", advice: "It begins with ws:// or wss://.")
    }
    guard let key = try? KeyPair.random() else {
      return .bad(check, "\(shown) was not tried: no key could be made.", advice: "Free some memory.")
    }
    let wire = RelayClient()
    defer { wire.close() }
    if let reason = wire.open(loop, url, milliseconds: Self.patience, reachesInside: isEmbedded || isOwners) {
      let advice =
        isEmbedded
        ? "Is the port blocked on this machine? Stop the signer and start it again."
        : "Check the address and the network; apps with this relay in their link cannot reach the signer by it."
      return .bad(check, "\(shown) cannot be reached: \(reason).", advice: advice)
    }
    return carries(wire, url, key, check, shown)
  }

  private func carries(_ wire: RelayClient, _ url: WebSocketURL, _ key: KeyPair, _ check: String, _ shown: String) -> Finding {
    let filter = Filter(kinds: [EventKind.remoteSigning], limit: 0, tags: ["p": [key.publicKey.hex]])
    var wantsLogin = false
    var refusal = wire.subscribe("hf-live", filter, milliseconds: Self.patience)
    if let text = refusal, RelayClient.wantsLogin(text) {
      wantsLogin = true
      wire.logIn(to: url, milliseconds: Self.patience) { try? $0(key.publicKey).signed(by: key) }
      refusal = wire.subscribe("hf-again", filter, milliseconds: Self.patience)
    }
    if let refusal {
      return .bad(
        check, "\(shown) refuses to listen for requests: \(RelayClient.shown(refusal)).",
        advice: "Use another relay: this one serves only some keys, and each pairing has a key of its own.")
    }
    let now = Clock.seconds
    guard let event = Self.event(by: key, at: now) else {
      return .bad(check, "No event could be made.", advice: "Free some memory.")
    }
    let begin = Clock.monotonicMilliseconds
    let answer = wire.publish(event, milliseconds: Self.patience)
    if let answer, !answer.isTaken {
      return .bad(
        check, "\(shown) does not carry requests (kind 24133): \(RelayClient.shown(answer.text)).",
        advice: "Use another relay for remote signing.")
    }
    guard Self.came(event.id, wire) else {
      return .bad(
        check, "\(shown) took a request and did not pass it on.",
        advice: "Use another relay: apps would wait in vain.")
    }
    let taken = Clock.monotonicMilliseconds - begin
    return .good(
      check,
      "\(shown) carries requests in \(taken) ms, \(keeps(event, wire) ? "keeps them for a while" : "does not keep them")"
        + (takesOld(wire, key, now) ? "" : ", and takes none two minutes old") + (wantsLogin ? "; it wants a login" : "") + ".")
  }

  private static func came(_ id: Bytes32, _ wire: RelayClient) -> Bool {
    wire.wait(milliseconds: patience) { message in if case .event(_, let event) = message, event.id == id { true } else { nil } }
      ?? false
  }

  private func keeps(_ event: Event, _ wire: RelayClient) -> Bool {
    guard wire.subscribe("hf-kept", Filter(ids: [event.id]), milliseconds: Self.patience) == nil else { return false }
    return wire.wait(milliseconds: 0) { message in
      if case .event("hf-kept", let found) = message, found.id == event.id { true } else { nil }
    } ?? false
  }

  private func takesOld(_ wire: RelayClient, _ key: KeyPair, _ now: Int64) -> Bool {
    guard let event = Self.event(by: key, at: now - Self.oldAge) else { return false }
    return wire.publish(event, milliseconds: Self.patience)?.isTaken ?? true
  }

  private static func event(by key: KeyPair, at time: Int64) -> Event? {
    try? UnsignedEvent(
      pubkey: key.publicKey, createdAt: time, kind: EventKind.remoteSigning, tags: [["p", key.publicKey.hex]], content: "doctor"
    ).signed(by: key)
  }
}
