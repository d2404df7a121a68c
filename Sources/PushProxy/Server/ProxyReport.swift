import JSON
import Platform
import Sockets

/// The figures that `/health` and `/metrics` report.
struct ProxyReport {
  let counts: Registrations.Counts
  let store: StoreHealth
  let figures: ProxyFigures
  /// Seconds since the start.
  let uptime: Int64
  /// The relay that apps without one of their own use; nil without one.
  let publicRelay: String?
  let requests: ProxyTally

  /// Seconds without any relay after which the proxy is not well.
  static let longestSilence: Int64 = 60

  /// Why the proxy is not well; nil when it is.
  var trouble: String? {
    if let troubleOfStore { return troubleOfStore }
    guard figures.silentSeconds >= Self.longestSilence else { return nil }
    guard figures.relaysSilent == 0 else {
      return
        "No relay has confirmed what the proxy asks for (EOSE) for \(figures.silentSeconds) seconds, so nobody is woken. The proxy's standard error says why."
    }
    return
      "No relay has been connected for \(figures.silentSeconds) seconds, so nobody is woken. The proxy's standard error says why."
  }

  /// Why the proxy cannot do what signers ask; nil when it can.
  var troubleOfStore: String? {
    guard !store.isReachable else { return nil }
    if let reason = store.reason { return "\(reason), so signers cannot register." }
    return "The registrations cannot be read or changed, so signers cannot register. The proxy's standard error says why."
  }

  /// Whether signers may be sent here. Relays do not matter: what is registered here counts once they are back, and at other proxies.
  var readiness: JSONValue {
    .object([.init("ok", .bool(troubleOfStore == nil)), .init("reason", troubleOfStore.map { .string($0) } ?? .null)])
  }

  /// As Clave's proxy has it, and `reason`, the relays and `webpush` besides.
  var health: JSONValue {
    .object([
      .init("ok", .bool(trouble == nil)), .init("reason", trouble.map { .string($0) } ?? .null),
      .init("total_tokens", .integer(Int64(counts.targets))),
      .init("unique_pubkeys", .integer(Int64(counts.keys))), .init("last_event_received_at", UTCTime.json(figures.lastEventAt)),
      .init("uptime_seconds", .integer(uptime)), .init("public_relay", publicRelay.map { .string($0) } ?? .null),
      .init("relays", .integer(figures.relays)), .init("relays_connected", .integer(figures.relaysConnected)),
      .init("apns", figures.apple.json), .init("webpush", figures.web.json),
    ])
  }

  /// The text format 0.0.4 of Prometheus.
  var metrics: String {
    var text = ""
    func family(_ name: String, _ kind: String, _ help: String, _ samples: (labels: String, value: Int64)...) {
      text += "# HELP holdfast_push_\(name) \(help)\n# TYPE holdfast_push_\(name) \(kind)\n"
      for sample in samples { text += "holdfast_push_\(name)\(sample.labels) \(sample.value)\n" }
    }
    let (apple, seen) = (figures.apple, figures)
    family("build_info", "gauge", "The version of the proxy.", (#"{version="\#(Version.text)"}"#, 1))
    family("uptime_seconds", "gauge", "Seconds since the start.", ("", uptime))
    family("devices", "gauge", "Registered devices, each once for each key.", ("", Int64(counts.targets)))
    family("keys", "gauge", "Signer keys with a device.", ("", Int64(counts.keys)))
    family("clients", "gauge", "Paired clients.", ("", Int64(counts.clients)))
    family("store_up", "gauge", "Whether what is registered can be read and changed.", ("", store.isReachable ? 1 : 0))
    family("proxies", "gauge", "Proxies that share it.", ("", Int64(store.proxies)))
    family(
      "clock_ahead_seconds", "gauge", "By how much this machine's clock is ahead of the database's.", ("", store.ahead))
    family(
      "requests_lost_total", "counter", "Requests of apps that woke nobody, because the database did not note them in time.",
      ("", store.lost))
    family(
      "requests_total", "counter", "Requests of signers, by what became of them.", (#"{result="ok"}"#, requests.done),
      (#"{result="refused"}"#, requests.refused), (#"{result="limited"}"#, requests.limited),
      (#"{result="not_stored"}"#, requests.notStored))
    family(
      "relays", "gauge", "Connections to relays, the proxy's own and those that apps name, by how they are.",
      (#"{state="connected"}"#, seen.relaysConnected),
      (#"{state="waiting"}"#, max(0, seen.relays - seen.relaysConnected)), (#"{state="left_out"}"#, seen.relaysLeftOut))
    family(
      "own_relays", "gauge", "The proxy's own relays, by how they are.", (#"{state="connected"}"#, seen.ownRelaysConnected),
      (#"{state="waiting"}"#, max(0, seen.ownRelays - seen.ownRelaysConnected)))
    family(
      "relays_declined_total", "counter", "Relays of apps that signers named and that are not watched, because there is no room.",
      ("", seen.relaysDeclined))
    family("events_total", "counter", "Events that relays sent.", ("", seen.events))
    family(
      "sent_total", "counter", "Pushes, by service and result.", (#"{service="apns",result="ok"}"#, apple.sends.sendOk),
      (#"{service="apns",result="failed"}"#, apple.sends.sendFail), (#"{service="webpush",result="ok"}"#, seen.web.sendOk),
      (#"{service="webpush",result="failed"}"#, seen.web.sendFail))
    family("apns_retries_total", "counter", "Pushes that were sent to Apple again.", ("", apple.sends.sendRetried))
    family("apns_connects_total", "counter", "Connections to Apple's service.", ("", apple.sessionConnects))
    family(
      "apns_invalidations_total", "counter", "Connections to Apple's service that were given up.",
      ("", apple.sessionInvalidations))
    family("apns_connected", "gauge", "Whether there is a connection to Apple's service.", ("", apple.sessionAlive ? 1 : 0))
    family(
      "pruned_total", "counter", "Devices that were forgotten because Apple's service does not know them, by why.",
      (#"{reason="bad_device_token"}"#, apple.pruneOnBadDeviceToken), (#"{reason="unregistered"}"#, apple.pruneOnUnregistered))
    return text
  }

  static let metricsType = "text/plain; version=0.0.4; charset=utf-8"
}

/// What became of requests.
struct ProxyTally: Sendable {
  var done: Int64 = 0
  var refused: Int64 = 0
  var limited: Int64 = 0
  var notStored: Int64 = 0

  /// - Parameter refusal: nil for a request that was done.
  mutating func note(_ refusal: ProxyRefusal?) {
    switch refusal?.name {
    case nil: done += 1
    case .tooManyRequests?, .novelRelayRate?, .novelDeviceRate?: limited += 1
    case .notStored?: notStored += 1
    default: refused += 1
    }
  }
}
