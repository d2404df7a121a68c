import AuditLog
import Curve
package import Identities
import JSON
import Nostr
import OwnerAPI
import OwnerWords
import Platform
package import RemoteSigning
import SecretMemory
import Signer
import Sockets
import Vault

/// Links between apps and this signer: `pair/*`.
extension Operations {
  static let pairHandlers: [OperationHandler] = [
    .init(PairNew.self, waiting: { $0.whenHeard($1, $2) }) { operations, request, _ in try operations.makeLink(request) },
    .init(PairAccept.self, waiting: { $0.whenHeard($1, $2) }) { try $0.acceptLink($1, $2) },
  ]

  /// The longest life of a link, in seconds: a year.
  private static let longestLifetime: Int64 = 31_536_000
  /// The embedded relay's address, for links that are made while no signer runs.
  var usualRelays: [RelayURL] {
    RelayURL("ws://127.0.0.1:\(HomePort(of: home.folder).port ?? UInt16(EventKind.remoteSigning))/relay").map { [$0] } ?? []
  }

  private func makeLink(_ request: PairNew.Request) throws -> PairNew.Response {
    let identity = try usedIdentity(named: request.identity)
    let lifetime = request.expires ?? OpenLink.defaultLifetime
    guard lifetime >= 1, lifetime <= Self.longestLifetime else {
      throw OperationError.usage("A link can last from 1 second to \(Self.longestLifetime) seconds (a year).")
    }
    try allowPairing()
    let link = try newLink(
      identity, trust(request.trust), relays: try relays(request.relays), lifetime: lifetime,
      name: request.name.map { try freeName($0, for: nil) })
    return PairNew.Response(link, identity)
  }

  /// Calls `ready` with a new link once its relays have subscribed its key, because an app may send its request as soon as it has
  /// the link, and relays do not keep requests.
  private func whenHeard(_ link: PairNew.Response, _ ready: @escaping @Sendable (PairNew.Response) -> Void) {
    whenHeard(on: link.relays) { unreached in
      var heard = link
      heard.unreached = unreached
      ready(heard)
    }
  }

  /// Calls `ready` with an accepted pairing once its relays have subscribed its key, or are known not to answer now.
  private func whenHeard(_ pairing: PairAccept.Response, _ ready: @escaping @Sendable (PairAccept.Response) -> Void) {
    whenHeard(on: pairing.relays) { unreached in
      var heard = pairing
      heard.unreached = unreached
      ready(heard)
    }
  }

  /// Calls `ready` with those of the relays that have not subscribed the present keys after a short time; nil if no signer runs.
  private func whenHeard(on relays: [String], _ ready: @escaping @Sendable (_ unreached: [String]?) -> Void) {
    guard let running else { return ready(nil) }
    running.whenListening(on: relays.compactMap { RelayURL($0) }) { deaf in ready(deaf.map(\.text)) }
  }

  /// Makes, stores and opens a link.
  package func newLink(
    _ identity: Identity, _ trust: TrustLevel, relays: [RelayURL], lifetime: Int64 = OpenLink.defaultLifetime,
    name: String? = nil
  ) throws -> OpenLink {
    let signer = try KeyPair.random()
    let now = Clock.seconds
    let link = OpenLink(
      remoteSigner: signer.publicKey, secret: OpenLink.secret(from: SystemRandom.bytes(OpenLink.secretLength)),
      identity: identity.publicKey, trust: trust, relays: relays, madeAt: now, expiresAt: now + lifetime,
      name: name)
    try home.outbox.recording(
      .event(.linkMade, identity: identity.publicKey, rule: AuditRule(clipping: "\(trust.rawValue) trust"))
    ) {
      guard home.store.save(link, signer: signer) else { throw OperationError.notStored }
    }
    home.engine.open(link, signer: signer, now: now)
    home.signerEvents.tell(.clientsChanged)
    return link
  }

  private func acceptLink(_ request: PairAccept.Request, _ call: OperationCall) throws -> PairAccept.Response {
    guard let running else { throw OperationError.needsDaemon }
    if home.isUnsure { throw OperationError.unlockFirst }
    let uri = try Self.link(request.uri)
    try allowPairing()
    let identity = try usedIdentity(named: request.identity)
    let earlier = pairing(of: uri, with: identity)
    let revokedAt = earlier == nil ? home.revokedAt(uri.client) : nil
    let trust = request.trust.map { TrustLevel($0) } ?? firstTrust(earlier)
    let inside = try inside(of: uri, isAllowed: request.allowsLocalRelays, call.channel, running)
    // An app that shows its link again keeps the key that it knows, so that its session continues.
    let known = home.engine.signer(of: uri.client, for: identity.publicKey)
    let name = try request.name.map { try freeName($0, for: known?.publicKey) }
    let signer = if let known { known } else { try KeyPair.random() }
    let now = Clock.seconds
    let offer = try home.changingPairings {
      var offer = home.engine.offer(
        uri, identity: identity.publicKey, trust: trust, remoteSigner: signer.publicKey, inside: inside.allowed, now: now)
      if let name { offer.pairing.name = name }
      try Self.apply(request.rules, to: &offer.pairing.grant, of: identity.publicKey, now: now)
      guard home.save(offer, signer: signer) else { throw OperationError.notStored }
      home.engine.add(offer.pairing, signer: signer, now: now)
      home.confirm(offer)
      return offer
    }
    home.signerEvents.tell(.clientsChanged)
    running.greet(uri, signer: signer)
    var response = PairAccept.Response()
    (response.client, response.name) = (uri.client.hex, offer.pairing.name)
    (response.identity, response.trust) = (identity.name, Trust(trust))
    (response.trustBefore, response.revokedAt) = (earlier.map { Trust($0.grant.trust) }, revokedAt)
    (response.relays, response.localRelays) = (offer.pairing.relays.map(\.text), inside.seen.map(\.text))
    response.permissions = uri.permissions.map(\.description)
    return response
  }

  /// The present pairing of the link's app with an identity; nil if the app is new.
  func pairing(of uri: NostrConnectURI, with identity: Identity) -> Pairing? {
    home.engine.pairings.last { $0.client == uri.client && $0.identity == identity.publicKey }
  }

  /// The trust level if the owner names none: the one that the app has, or the default for new apps.
  func firstTrust(_ earlier: Pairing?) -> TrustLevel { earlier?.grant.trust ?? home.engine.policySettings.defaultTrust }

  /// An app's link.
  static func link(_ text: String) throws(OperationError) -> NostrConnectURI {
    do throws(NostrConnectURIError) { return try NostrConnectURI(parsing: text) } catch {
      // Copied whole, it would be as wrong.
      let isMadeWrong = error == .clientKeyNotOnCurve
      throw OperationError.usage(
        error.sentence,
        hint: isMadeWrong ? "Let the app make a new link, and use that one." : "Copy the whole link from the app, in quotes.")
    }
  }

  /// The most rules that an app can get when it is paired.
  static let mostFirstRules = 64

  /// The owner's choices for an app that is being paired. Each lasts as long as such a rule can.
  private static func apply(_ rules: [String], to grant: inout Grant, of identity: PublicKey, now: Int64) throws {
    guard rules.count <= mostFirstRules else { throw OperationError.usage("“rules” has more than \(mostFirstRules) entries.") }
    for rule in rules {
      guard ["allow=", "ask=", "deny="].contains(where: { rule.hasPrefix($0) }) else {
        throw OperationError.usage("A rule is allow=PERMISSION, ask=PERMISSION or deny=PERMISSION.")
      }
      var settings = PolicySettings()
      try PolicyChange(rule).apply(to: &grant, &settings, identity: identity.hex, now: now)
    }
  }

  /// Which relays of an app's link may be on this machine or inside the owner's network.
  ///
  /// At the command line, on the signer's machine, the owner entered the link himself, so an address that is plainly a local one
  /// is wanted. A name that resolves to such an address is not, and neither is anything from a browser, unless the owner says so
  /// (`local_relays`).
  /// - Returns: the allowed relays, and of these the ones that are written as such an address, without our own.
  private func inside(
    of uri: NostrConnectURI, isAllowed: Bool, _ channel: OwnerChannel, _ running: RunningSigner
  ) throws -> (allowed: [RelayURL], seen: [RelayURL]) {
    let seen = uri.relays.filter { relay in
      !running.linkRelays.contains(relay) && (try? WebSocketURL(parsing: relay.text))?.isInsideAsWritten == true
    }
    guard isAllowed || channel == .command || seen.isEmpty else { throw OperationError.relaysInside(seen) }
    return (isAllowed ? uri.relays : seen, seen)
  }

  /// The named trust, or else the default of the settings.
  private func trust(_ named: Trust?) -> TrustLevel { named.map { TrustLevel($0) } ?? home.engine.policySettings.defaultTrust }

  private func relays(_ texts: [String]) throws -> [RelayURL] {
    guard texts.count <= BunkerURI.maximumRelays else {
      throw OperationError.usage("A link can name at most \(BunkerURI.maximumRelays) relays.")
    }
    var relays: [RelayURL] = []
    for (index, text) in texts.enumerated() {
      guard let relay = RelayURL(text) else { throw OperationError.usage("Relay \(index + 1) is not a ws:// or wss:// address.") }
      relays.append(relay)
    }
    if !relays.isEmpty { return relays }
    return running?.linkRelays ?? usualRelays
  }
}

extension PairNew.Response {
  fileprivate init(_ link: OpenLink, _ identity: Identity) {
    self.init()
    (bunker, pubkey) = (link.uri.text, link.remoteSigner.hex)
    (self.identity, npub) = (identity.name, identity.publicKey.npub)
    (relays, trust, expires) = (link.relays.map(\.text), Trust(link.trust), link.expiresAt)
    isThisMachineOnly = link.isThisMachineOnly
  }
}

extension OpenLink {
  /// Whether every relay is written as one on this machine.
  package var isThisMachineOnly: Bool { relays.areThisMachineOnly }
}

extension Sequence<RelayURL> {
  /// Whether each is written as one on this machine.
  var areThisMachineOnly: Bool {
    allSatisfy { (try? WebSocketURL(parsing: $0.text))?.isThisMachineAsWritten == true }
  }
}

extension OperationError {
  /// - Parameter relays: as the app's link names them.
  static func relaysInside(_ relays: [RelayURL]) -> OperationError {
    OperationError(
      .denied,
      "The app's link names a relay on the signer's machine or inside its network: \(relays.map(\.text).joined(separator: ", ")).",
      hint: "If you want that, pair again and allow it. On the command line: holdfast pair --local-relay")
  }
}

extension NostrConnectURIError {
  /// A sentence for people.
  var sentence: String {
    switch self {
    case .wrongScheme: "This is not a nostrconnect:// link."
    case .clientKeyNotHex32: "The link does not begin with an app's public key of 64 hex digits."
    case .clientKeyNotOnCurve: "The 64 hex digits of the link are no public key, so no app could read an answer."
    case .tooLong(let limit): "The link is longer than \(limit) bytes."
    case .tooManyParameters(let limit): "The link has more than \(limit) parameters."
    case .noRelay: "The link names no relay."
    case .tooManyRelays(let limit): "The link names more than \(limit) relays."
    case .relayNotWebSocket: "The link names no usable ws:// or wss:// relay."
    case .noSecret: "The link has no secret, so the app could not tell who answers."
    case .secretTooLong(let limit): "The link's secret is longer than \(limit) bytes."
    }
  }
}
