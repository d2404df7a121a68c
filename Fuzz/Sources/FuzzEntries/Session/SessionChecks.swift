import Curve
import Encodings
import JSON
import Nostr
import RemoteSigning

/// What must hold after each exchange and each step.
extension Session {
  /// Hands an event to the engine, judges what it decided, and carries it out as the daemon does.
  /// - Parameter recording: whether the exchange can be stored.
  mutating func deliver(_ event: Event, recording: Bool) throws(FuzzFault) {
    switch engine.receive(event, isVerified: true, now: now) {
    case .decided(let exchange):
      try require(exchange.client == event.pubkey && exchange.eventID == event.id, "an exchange belongs to its event")
      try require(
        [["p", exchange.channel.signer.publicKey.hex]] == event.tags, "and is answered by the key it was addressed to")
      try carryOut(exchange, recording: recording)
    case .refused(let refusal): try check(refusal, event)
    case .dropped, .held: return
    }
  }

  /// What is not taken is answered by an error, if at all, and changes nothing.
  private func check(_ refusal: Refusal, _ event: Event) throws(FuzzFault) {
    guard let reply = refusal.reply?.event else { return }
    try require(reply.kind == 24133 && reply.tags == [["p", event.pubkey.hex]], "an error goes to the one who asked")
    try require([["p", reply.pubkey.hex]] == event.tags, "from the key that was asked")
    let isPaired = model.isPaired(event.pubkey, at: reply.pubkey)
    let isTold = refusal.reason == .notARequest || refusal.reason == .stale || refusal.reason.isTooMany
    try require(!isPaired || isTold, "a paired app's requests are decided")
  }

  /// Stores what was decided, does it, and judges what came of it.
  mutating func carryOut(_ exchange: Exchange, recording: Bool) throws(FuzzFault) {
    let signer = exchange.channel.signer.publicKey
    let isPaired = model.isPaired(exchange.client, at: signer)
    try require(isPaired || exchange.method == .connect, "a stranger can only connect")
    if exchange.decision?.verdict == .deny {
      try require(Self.isError(exchange.action), "what is denied is answered by an error")
    }
    guard recording else { return try refuse(exchange) }
    model.record(exchange)
    switch exchange.action {
    case .use(let operation): try use(operation, exchange)
    case .wait(let request), .waitStill(let request): try wait(request, exchange)
    case .pair(let offer): try claim(offer, exchange)
    case .answer: try check(engine.perform(exchange, now: now), exchange)
    case .leave:
      try check(engine.perform(exchange, now: now), exchange)
      try close(signer)
    }
  }

  /// The storage failed: an error goes out, and nothing else happened.
  private mutating func refuse(_ exchange: Exchange) throws(FuzzFault) {
    switch exchange.action {
    case .pair(let offer):
      engine.abandon(offer)
      try takeHeld(offer)
    case .wait(let request): try require(engine.withdrawPending(request.name) != nil, "a waiting request can be withdrawn")
    default: break
    }
    let outcome = engine.refuseUnrecorded(exchange, now: now)
    try require(outcome.failed && outcome.signedEvent == nil, "what could not be recorded was not done")
    try check(outcome, exchange)
  }

  private mutating func use(_ operation: Operation, _ exchange: Exchange) throws(FuzzFault) {
    try model.act(on: exchange.eventID)
    guard let pairing = model.pairing(at: exchange.channel.signer.publicKey), pairing.client == exchange.client else {
      throw FuzzFault("no key is used for an unpaired app")
    }
    try require(exchange.identity == pairing.identity, "the paired identity's key is used")
    let isRepeat = exchange.decision?.rule == .ownerApproved && model.isApproved(exchange, now: now)
    try require(
      isRepeat || SessionModel.mayActAlone(exchange.method, kind: exchange.kind, under: pairing.grant),
      "the rules allow \(exchange.method?.rawValue ?? "?") \(exchange.kind ?? -1) under \(pairing.grant.trust)")
    let outcome = engine.perform(exchange, now: now)
    if let id = outcome.signedEvent {
      guard case .sign(let template) = operation else { throw FuzzFault("only sign_event signs") }
      try require(exchange.kind == template.kind, "the rules saw the kind that was signed")
      try checkSigned(id, outcome, exchange, template)
    }
    try check(outcome, exchange)
  }

  private mutating func wait(_ request: PendingRequest, _ exchange: Exchange) throws(FuzzFault) {
    try model.act(on: exchange.eventID)
    let outcome = engine.perform(exchange, now: now)
    try require(outcome.replies.isEmpty && outcome.signedEvent == nil, "nothing goes out before the owner has answered")
    try require(engine.pendingRequests.contains(request), "a waiting request is in the queue")
    try require(!request.method.isAlwaysAllowed, "the owner is not asked for what every app may do")
  }

  private mutating func claim(_ offer: PairingOffer, _ exchange: Exchange) throws(FuzzFault) {
    try model.act(on: exchange.eventID)
    guard case .open(let link)? = model.servedKeys[offer.link] else { throw FuzzFault("a link is good for one pairing") }
    try require(now < link.expiresAt, "a link ends")
    try require(
      offer.pairing.client == exchange.client && offer.pairing.identity == link.identity, "the asker is paired, as the link says")
    try require(offer.pairing.grant.trust == link.trust, "with the trust the link says")
    for replaced in offer.replaced {
      guard let earlier = model.pairing(at: replaced) else { throw FuzzFault("only a pairing is replaced") }
      try require(
        earlier.client == exchange.client && earlier.identity == link.identity, "only the app's own pairing is replaced")
      try require(offer.pairing.grant.denied.isSuperset(of: earlier.grant.denied), "what the owner denied stays denied")
    }
    model.servedKeys[offer.link] = .claimed(link)
    offers.append(exchange)
  }

  private static func isError(_ action: Exchange.Action) -> Bool {
    if case .answer(.error) = action { true } else { false }
  }

  // MARK: answers

  /// The answers go to the asker, come from the pairing's key, and say one thing each.
  func check(_ outcome: Outcome, _ exchange: Exchange) throws(FuzzFault) {
    try require(outcome.replies.count == exchange.replies.count, "everybody who asked is answered, once")
    for (reply, address) in zip(outcome.replies, exchange.replies) {
      let event = reply.event
      try require(event.kind == 24133 && event.createdAt == now && event.hasCorrectID, "an answer is an event of now")
      try require(event.pubkey == exchange.channel.signer.publicKey, "an answer comes from the pairing's key")
      try require(event.tags == [["p", exchange.client.hex]], "an answer goes to the asker and nobody else")
      let body = try opened(reply, address, exchange)
      let id = try? JSONValue(parsing: address.requestID)
      try require(body["id"] != nil && body["id"] == id, "an answer names its request")
      let isError = body["error"]?.string.map { !$0.isEmpty } ?? false
      try require(isError == outcome.failed && (isError || body["result"]?.string?.isEmpty == false), "an answer says one thing")
    }
    if let first = outcome.replies.first { try require(first.event.hasValidSignature, "an answer is signed") }
  }

  private func opened(_ reply: Reply, _ address: ReplyAddress, _ exchange: Exchange) throws(FuzzFault) -> JSONValue {
    guard let app = Cast.app(exchange.client), let signer = Cast.signer(exchange.channel.signer.publicKey) else {
      throw FuzzFault("an answer has two parties")
    }
    let payload = Array(reply.event.content.utf8)
    try require(
      Insecure.NIP04.isPayload(payload) == (address.envelope == .nip04), "an answer comes in the envelope of its request")
    let plaintext = try unfailing("the asker can read the answer") { () throws(EncryptionError) in
      switch address.envelope {
      case .nip04: try Insecure.NIP04.decrypt(payload, with: Cast.olderKey(app, signer))
      case .nip44: try NIP44.decrypt(payload, with: Cast.conversation(app, signer))
      case nil: reply.local ?? []
      }
    }
    return try unfailing("an answer is JSON") { () throws(JSONError) in try JSONValue(parsing: plaintext) }
  }

  /// As below, for a template as the app sent it.
  func checkSigned(_ id: Bytes32, _ outcome: Outcome, _ exchange: Exchange, asked: [UInt8]?) throws(FuzzFault) {
    guard exchange.method == .signEvent, let template = try? EventTemplate(parsing: asked ?? []) else {
      throw FuzzFault("only sign_event signs")
    }
    try checkSigned(id, outcome, exchange, template)
  }

  /// As many seconds as a clock may have been set back between two approvals.
  private static let mostAhead: Int64 = 30

  /// What was signed is what was asked, and no more.
  private func checkSigned(
    _ id: Bytes32, _ outcome: Outcome, _ exchange: Exchange, _ template: EventTemplate
  ) throws(FuzzFault) {
    guard let identity = exchange.identity, let reply = outcome.replies.last, let address = exchange.replies.last else {
      throw FuzzFault("what was signed is answered")
    }
    let text = try opened(reply, address, exchange)["result"]?.string ?? ""
    let event = try unfailing("the result is an event") { () throws(EventError) in try Event(parsing: Array(text.utf8)) }
    try unfailing("the event is right") { () throws(EventError) in try event.verify() }
    try require(event.id == id && event.pubkey == identity, "the identity has signed the event that is recorded")
    let isByOwner = exchange.decision?.rule == .ownerApproved
    // Events that take each other's place are approved for a second each, some of them a little ahead.
    let isPast =
      event.createdAt <= furthest + Self.mostAhead
      && template.createdAt.map { event.createdAt >= $0 - SigningTime.window } ?? true
    try require(!isByOwner || isPast || event.createdAt == template.createdAt, "an approved event is not dated ahead")
    let asked = EventTemplate(
      createdAt: isByOwner ? event.createdAt : template.createdAt, kind: template.kind, tags: template.tags,
      content: template.content
    ).unsigned(by: identity, now: now)
    try require(event.unsigned.canonicalForm() == asked.canonicalForm(), "what was signed is what was asked")
  }

  // MARK: after each step

  func checkState() throws(FuzzFault) {
    let pending = engine.pendingRequests
    if !pending.isEmpty { try checkQueue(pending) }
    try checkServedKeys()
  }

  private func checkQueue(_ pending: [PendingRequest]) throws(FuzzFault) {
    try require(pending.count <= PendingRequest.maximumHeld, "the queue has a bound")
    try require(Set(pending.map(\.name)).count == pending.count, "no two waiting requests have one name")
    try require(Set(pending.map(\.eventID)).count == pending.count, "no request waits twice")
    var counts: [PublicKey: Int] = [:]
    for request in pending {
      counts[request.remoteSigner, default: 0] += 1
      try require(request.replies.count <= PendingRequest.maximumReplies, "repetitions have a bound")
      try require(model.isPaired(request.client, at: request.remoteSigner), "only paired apps have requests waiting")
    }
    try require(counts.values.allSatisfy { $0 <= PendingRequest.maximumHeldWithAlike }, "an app's part of the queue has a bound")
  }

  /// The engine's links, pairings and ended pairings are the model's: each is one of them, and there are as many. Keys are unique on
  /// both sides.
  private func checkServedKeys() throws(FuzzFault) {
    let (pairings, links, ended, keys) = (engine.pairings, engine.openLinks, engine.endedPairings, engine.remoteSigners)
    let known = model.counts
    try require(pairings.count == known.paired, "there are as many pairings as were made")
    for pairing in pairings {
      guard let expected = model.pairing(at: pairing.remoteSigner) else { throw FuzzFault("a pairing was made by somebody") }
      try require(
        pairing.client == expected.client && pairing.identity == expected.identity, "a pairing is between whom it was made")
      try require(pairing.grant == expected.grant, "a grant is as it was made and changed: \(pairing.grant), \(expected.grant)")
    }
    let isOpen = links.allSatisfy { if case .open(let link)? = model.servedKeys[$0.remoteSigner] { link == $0 } else { false } }
    try require(isOpen && links.count == known.open, "links are open until they are used or withdrawn")
    let hasEnded = ended.allSatisfy { if case .ended? = model.servedKeys[$0.remoteSigner] { true } else { false } }
    try require(hasEnded && ended.count == known.ended, "what ended answers until it is let go of")
    try require(
      keys.count == model.servedKeys.count && keys.allSatisfy { model.servedKeys[$0] != nil },
      "the keys to listen for are those of links and pairings")
  }
}
