internal import AuditLog
internal import Curve
internal import Identities
internal import JSON
internal import Nostr
internal import OwnerAPI
internal import Platform
internal import RemoteSigning
internal import SecretMemory
internal import Signer
internal import Sockets
internal import Vault

extension Operations {
  /// The longest life of a link, in seconds: a year.
  private static let longestLifetime: Int64 = 31_536_000
  /// Where the embedded relay is when no daemon runs to say so.
  static let usualRelay = "ws://127.0.0.1:24133/relay"

  func makeLink(_ given: Parameters) throws -> JSONValue {
    let identity = try usedIdentity(named: given.optionalText("identity"))
    let trust = try Self.trust(given) ?? core.engine.policySettings.defaultTrust
    let lifetime = try given.optionalInteger("expires") ?? OpenLink.defaultLifetime
    guard lifetime >= 1, lifetime <= Self.longestLifetime else {
      throw OperationError.usage("A link lives from 1 second to \(Self.longestLifetime) seconds (a year).")
    }
    let link = try newLink(identity, trust, relays: try relays(given), lifetime: lifetime)
    return describe(link, identity)
  }

  /// Calls `ready` with a fresh link once its relays hear it: an app may send its request the moment it has the link, and a relay
  /// keeps none for later.
  func whenHeard(_ link: JSONValue, _ ready: @escaping @Sendable (JSONValue) -> Void) {
    let relays = (link["relays"]?.array ?? []).compactMap { $0.string.flatMap { RelayURL($0) } }
    guard let running, case .object(let members) = link else { return ready(link) }
    running.whenListening(on: relays) { deaf in
      ready(.object(members + [.init("unreached", .array(deaf.map { .string($0.text) }))]))
    }
  }

  /// Makes, stores and opens a link.
  func newLink(
    _ identity: Identity, _ trust: TrustLevel, relays: [RelayURL], lifetime: Int64 = OpenLink.defaultLifetime
  ) throws -> OpenLink {
    let signer = try KeyPair.random()
    let now = Clock.seconds
    let link = OpenLink(
      remoteSigner: signer.publicKey, secret: OpenLink.secret(from: SystemRandom.bytes(OpenLink.secretLength)),
      identity: identity.publicKey, trust: trust, relays: relays, madeAt: now, expiresAt: now + lifetime)
    try core.outbox.recording(
      .event(.linkMade, identity: identity.publicKey, rule: AuditRule(clipping: "\(trust.rawValue) trust"))
    ) {
      guard core.store.save(link, signer: signer) else { throw OperationError.notStored }
    }
    core.engine.open(link, signer: signer, now: now)
    core.signerEvents.tell(.clientsChanged)
    return link
  }

  func acceptLink(_ given: Parameters) throws -> JSONValue {
    guard let running else { throw OperationError.needsDaemon }
    if core.isUnsure { throw OperationError.unlockFirst }
    let uri: NostrConnectURI
    do { uri = try NostrConnectURI(parsing: try given.text("uri")) } catch let fault as NostrConnectURIError {
      throw OperationError.usage(fault.sentence, hint: "Copy the whole link from the app, in quotes.")
    } catch { throw OperationError.usage("“uri” is missing.") }
    let identity = try usedIdentity(named: given.optionalText("identity"))
    let trust = try Self.trust(given) ?? core.engine.policySettings.defaultTrust
    let inside = try inside(of: uri, given, running)
    // An app that shows its link again keeps the key it knows: its session goes on.
    let known = core.engine.signer(of: uri.client, for: identity.publicKey)
    let signer = if let known { known } else { try KeyPair.random() }
    let now = Clock.seconds
    let offer = try core.changingPairings {
      let offer = core.engine.offer(
        uri, identity: identity.publicKey, trust: trust, remoteSigner: signer.publicKey, inside: inside.allowed, now: now)
      guard core.save(offer, signer: signer) else { throw OperationError.notStored }
      core.engine.add(offer.pairing, signer: signer, now: now)
      core.confirm(offer)
      return offer
    }
    core.signerEvents.tell(.clientsChanged)
    running.greet(uri, signer: signer)
    return .object([
      .init("client", .string(uri.client.hex)), .init("name", .string(offer.pairing.name)),
      .init("identity", .string(identity.name)), .init("trust", .string(trust.rawValue)),
      .init("relays", .array(offer.pairing.relays.map { .string($0.text) })),
      .init("permissions", .array(uri.permissions.map { .string($0.description) })),
      .init("local_relays", .array(inside.seen.map { .string($0.text) })),
    ])
  }

  /// Which relays of an app's link may lie on this machine or inside the owner's network.
  ///
  /// At the command line, on the signer's machine, the owner gave the link himself: what is plainly written as such an address is what
  /// he wants. A name that leads there is not, and neither is anything from a browser, unless he says so (`local_relays`).
  /// - Returns: those, and of them the ones that are written as such an address, without our own.
  private func inside(
    of uri: NostrConnectURI, _ given: Parameters, _ running: any Running
  ) throws -> (allowed: [RelayURL], seen: [RelayURL]) {
    let isAllowed = try given.flag("local_relays")
    let seen = uri.relays.filter { relay in
      !running.linkRelays.contains(relay) && (try? WebSocketURL(parsing: relay.text))?.isInsideAsWritten == true
    }
    guard isAllowed || given.channel == .command || seen.isEmpty else { throw OperationError.relaysInside(seen) }
    return (isAllowed ? uri.relays : seen, seen)
  }

  func describe(_ link: OpenLink, _ identity: Identity) -> JSONValue {
    .object([
      .init("bunker", .string(link.uri.text)), .init("pubkey", .string(link.remoteSigner.hex)),
      .init("identity", .string(identity.name)), .init("npub", .string(identity.publicKey.npub)),
      .init("relays", .array(link.relays.map { .string($0.text) })), .init("trust", .string(link.trust.rawValue)),
      .init("expires", .integer(link.expiresAt)),
    ])
  }

  static func trust(_ given: Parameters) throws -> TrustLevel? {
    guard let text = try given.optionalText("trust") else { return nil }
    guard let trust = TrustLevel(rawValue: text) else { throw OperationError.usage("Trust is full, medium or low.") }
    return trust
  }

  private func relays(_ given: Parameters) throws -> [RelayURL] {
    let texts = try given.texts("relays")
    guard texts.count <= BunkerURI.maximumRelays else {
      throw OperationError.usage("A link names at most \(BunkerURI.maximumRelays) relays.")
    }
    var relays: [RelayURL] = []
    for (index, text) in texts.enumerated() {
      guard let relay = RelayURL(text) else { throw OperationError.usage("Relay \(index + 1) is no ws:// or wss:// address.") }
      relays.append(relay)
    }
    if !relays.isEmpty { return relays }
    return running?.linkRelays ?? RelayURL(Self.usualRelay).map { [$0] } ?? []
  }
}

extension OperationError {
  /// - Parameter relays: as the app's link names them.
  static func relaysInside(_ relays: [RelayURL]) -> OperationError {
    OperationError(
      .denied,
      "The app's link names a relay on the signer's machine or inside its network: \(relays.map(\.text).joined(separator: ", ")).",
      hint: "Was that your wish, say so and pair again; at the command line: holdfast pair --local-relay")
  }
}

extension NostrConnectURIError {
  /// For people.
  var sentence: String {
    switch self {
    case .wrongScheme: "This is no nostrconnect:// link."
    case .clientKeyNotHex32: "The link does not begin with an app's public key of 64 hex digits."
    case .tooLong(let limit): "The link is longer than \(limit) bytes."
    case .tooManyParameters(let limit): "The link has more than \(limit) parameters."
    case .noRelay: "The link names no relay."
    case .tooManyRelays(let limit): "The link names more than \(limit) relays."
    case .relayNotWebSocket: "The link names no usable ws:// or wss:// relay."
    case .noSecret: "The link has no secret; without one the app could not tell who answers."
    case .secretTooLong(let limit): "The link's secret is longer than \(limit) bytes."
    }
  }
}
