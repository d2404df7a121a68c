import Curve
import Nostr
import RemoteSigning

/// What the owner and the storage do.
extension Session {
  mutating func openLink(_ feed: inout ByteFeed) {
    let (signer, identity) = (feed.index(below: Cast.signers.count), feed.index(below: Cast.identities.count))
    let trust = TrustLevel.allCases[feed.index(below: TrustLevel.allCases.count)]
    open(signer: signer, identity: identity, trust, lifetime: Int64(feed.byte()) * 60)
  }

  mutating func open(signer: Int, identity: Int, _ trust: TrustLevel, lifetime: Int64) {
    let key = Cast.signers[signer]
    guard model.usedSigners.insert(key.publicKey).inserted else { return }
    let link = OpenLink(
      remoteSigner: key.publicKey, secret: SessionModel.secret(signer), identity: Cast.identities[identity].publicKey,
      trust: trust, relays: [SessionModel.relay], madeAt: now, expiresAt: now + lifetime)
    engine.open(link, signer: key, now: now)
    model.servedKeys[key.publicKey] = .open(link)
  }

  /// The pairing of an offer is stored, or could not be.
  mutating func settle(_ index: Int, stores: Bool) throws(FuzzFault) {
    guard offers.indices.contains(index) else { return }
    let exchange = offers.remove(at: index)
    guard case .pair(let offer) = exchange.action else { return }
    let wasClaimed = if case .claimed? = model.servedKeys[offer.link] { true } else { false }
    guard stores else {
      engine.abandon(offer)
      if case .claimed(let link)? = model.servedKeys[offer.link] { model.servedKeys[offer.link] = .open(link) }
      let outcome = engine.refuseUnrecorded(exchange, now: now)
      try require(outcome.failed && outcome.signedEvent == nil, "what could not be stored was not done")
      try check(outcome, exchange)
      return try takeHeld(offer)
    }
    let confirmed = engine.confirm(offer)
    try require(
      Set(confirmed.endedRequests.map(\.request.name)).isDisjoint(with: engine.pendingRequests.map(\.name)),
      "what was dropped waits no more")
    let expected = model.confirm(offer)
    if wasClaimed {
      model.servedKeys[offer.link] = .paired(expected)
      try require(confirmed.pairing == expected, "what is stored is what was offered, under what the owner said meanwhile")
    }
    try check(engine.perform(exchange, now: now), exchange)
    try takeHeld(offer)
  }

  /// What an app sent while its pairing was being stored.
  mutating func takeHeld(_ offer: PairingOffer) throws(FuzzFault) {
    while let intake = engine.takeNextHeld(offer.link) {
      if case .decided(let exchange) = intake { try carryOut(exchange, recording: true) }
    }
  }

  mutating func close(_ signer: PublicKey) throws(FuzzFault) {
    if engine.endedPairings.contains(where: { $0.remoteSigner == signer }) {
      _ = engine.close(signer)
    } else {
      let ended = engine.end(signer, now: now)
      try require(ended.allSatisfy { $0.request.remoteSigner == signer }, "what ends with a pairing is its own")
    }
    model.end(signer, now: now)
    try require(
      engine.pendingRequests.allSatisfy { $0.remoteSigner != signer }, "nothing waits for a key that is no longer served")
  }

  mutating func changeGrant(_ feed: inout ByteFeed) throws(FuzzFault) {
    let signer = Cast.signers[feed.index(below: Cast.signers.count)].publicKey
    let method = Method.allCases[feed.index(below: Method.allCases.count)]
    let kind = method == .signEvent && feed.bool() ? RequestMaker.kinds[feed.index(below: RequestMaker.kinds.count)] : nil
    let (allows, changesTrust) = (feed.bool(), feed.byte())
    guard var pairing = model.pairing(at: signer) else { return }
    let permission = Permission(method, kind: kind)
    if allows { try? pairing.grant.allow(permission) } else { try? pairing.grant.deny(permission) }
    if changesTrust < 3 { pairing.grant.trust = TrustLevel.allCases[Int(changesTrust)] }
    try require(
      kind.map { ![7375, 17375].contains($0) } ?? true || !pairing.grant.allowed.contains(permission),
      "spending is never allowed for good")
    try require(engine.update(signer, name: pairing.name, grant: pairing.grant), "a pairing can be changed")
    model.servedKeys[signer] = .paired(pairing)
  }

  mutating func answerPending(_ feed: inout ByteFeed) throws(FuzzFault) {
    let pending = engine.pendingRequests
    let (index, approves) = (feed.index(below: max(pending.count, 1)), feed.byte() % 4 != 0)
    guard index < pending.count else {
      return try require(engine.answerPending("nothing", approve: true, now: now) == nil, "an unknown name answers nothing")
    }
    let request = pending[index]
    guard let exchange = engine.answerPending(request.name, approve: approves, now: now) else {
      throw FuzzFault("a waiting request can be answered")
    }
    try require(engine.answerPending(request.name, approve: true, now: now) == nil, "it is answered once")
    try require(
      exchange.eventID == request.eventID && exchange.kind == request.kind && exchange.client == request.client
        && exchange.identity == request.identity, "the owner answers the request that was shown")
    try require(model.isPaired(request.client, at: request.remoteSigner), "only a paired app is answered")
    model.record(exchange)
    if approves { model.approve(exchange, now: now) }
    let outcome = engine.perform(exchange, now: now)
    if !approves { try require(outcome.failed && outcome.signedEvent == nil, "what is refused is not done") }
    if let id = outcome.signedEvent { try checkSigned(id, outcome, exchange, asked: request.parameters.first) }
    try check(outcome, exchange)
  }

  /// An app showed a `nostrconnect://` link.
  mutating func acceptLink(_ feed: inout ByteFeed) throws(FuzzFault) {
    let (app, signer) = (Cast.apps[feed.index(below: Cast.apps.count)], Cast.signers[feed.index(below: Cast.signers.count)])
    let identity = Cast.identities[feed.index(below: Cast.identities.count)].publicKey
    guard !offers.contains(where: { $0.client == app.publicKey }), model.usedSigners.insert(signer.publicKey).inserted,
      let uri = try? NostrConnectURI(parsing: "nostrconnect://\(app.publicKey.hex)?relay=ws%3A%2F%2Fr&secret=s")
    else { return }
    let offer = engine.offer(uri, identity: identity, trust: .low, remoteSigner: signer.publicKey, now: now)
    engine.add(offer.pairing, signer: signer, now: now)
    _ = engine.confirm(offer)
    for replaced in offer.replaced { model.end(replaced, now: now) }
    model.servedKeys[signer.publicKey] = .paired(offer.pairing)
    let answer = engine.connectResponse(to: uri, signer: signer, requestID: app.publicKey.bytes, now: now)
    try require(answer?.pubkey == signer.publicKey && answer?.firstTag("p") == app.publicKey.hex, "the app is answered")
  }

  /// A new engine from what was stored. Offers that were not stored are lost; their links are still there.
  mutating func restart() throws(FuzzFault) {
    let pending = engine.pendingRequests
    engine = SigningEngine()
    engine.setIdentities(Cast.identities)
    offers = []
    for (key, servedKey) in model.servedKeys {
      guard let signer = Cast.signer(key).map({ Cast.signers[$0] }) else { continue }
      switch try readBack.servedKey(servedKey, at: key) {
      case .open(let link), .claimed(let link):
        engine.open(link, signer: signer, now: now)
        model.servedKeys[key] = .open(link)
      case .paired(let pairing): engine.add(pairing, signer: signer, now: now)
      case .ended(let ended): engine.add(ended, signer: signer, now: now)
      }
    }
    for request in pending { engine.restore(try readBack.request(request)) }
    model.restoreSeen(into: engine)
  }
}
