import Curve
import Encodings
import Nostr
import SecretMemory

/// The state that decides about a request: links, pairings, rate limits, seen ids, waiting requests. A plain value behind one
/// lock.
struct SignerState {
  private(set) var servedKeys: [PublicKey: ServedKey] = [:]
  private var used: Set<PublicKey> = []
  private(set) var pending: [PendingRequest] = []
  private(set) var names = RecentRequestNames()
  var seen = SeenEvents()
  var answers = AnswerMemory()
  /// When a replaceable event was last approved, by identity.
  var lastApproval: [PublicKey: Int64] = [:]
  /// Which keys may be in memory. Requests that need another one wait.
  var lock = KeyLock.open
  /// How many lockdowns there were.
  var shuttings = 0
  var keeping: [PublicKey: KeyKeeping] = [:]
  /// The retired identities. Their keys are not used for apps.
  var retired: Set<PublicKey> = []
  private var reportedLate = RecentIDs()
  var conditions = Policy.Conditions()
  /// The uses of apps with limits, by their pairings' keys.
  var usage: [PublicKey: Usage] = [:]
  /// Those whose uses were counted since they were handed out to be stored.
  var countedAnew: Set<PublicKey> = []
  /// Their requests that use no key, in the same periods. Not stored.
  var keyless: [PublicKey: Usage] = [:]
  /// The known lists of each identity.
  var known: [PublicKey: KnownLists] = [:]
  /// The relays the owner chose, in one way of writing.
  var ownersRelays: Set<String> = []

  // MARK: served keys

  mutating func open(_ link: OpenLink, _ channel: Channel, now: Int64) {
    setServedKey(link.remoteSigner, .open(link), link.trust, channel, now)
  }

  mutating func pair(_ pairing: Pairing, _ channel: Channel, now: Int64) {
    setServedKey(pairing.remoteSigner, .paired(pairing), pairing.grant.trust, channel, now)
  }

  mutating func add(_ ended: EndedPairing, _ channel: Channel, now: Int64) {
    servedKeys[ended.remoteSigner] = ServedKey(
      channel: channel, use: .ended(ended), rates: ServedKeyRates(isEnded: true, now: now))
  }

  private mutating func setServedKey(
    _ key: PublicKey, _ use: ServedKey.Use, _ trust: TrustLevel, _ channel: Channel, _ now: Int64
  ) {
    servedKeys[key] = ServedKey(channel: channel, use: use, rates: ServedKeyRates(trust: trust, now: now))
  }

  /// Stops serving a key and drops its waiting requests.
  /// - Returns: the names of the waiting requests that were removed with it.
  mutating func close(_ remoteSigner: PublicKey) -> [String] {
    servedKeys[remoteSigner] = nil
    usage[remoteSigner] = nil
    keyless[remoteSigner] = nil
    answers.forget(remoteSigner)
    let dropped = pending.filter { $0.remoteSigner == remoteSigner }.map(\.name)
    pending.removeAll { $0.remoteSigner == remoteSigner }
    return dropped
  }

  /// Changes a pairing in place; false when there is none.
  mutating func update(_ remoteSigner: PublicKey, _ change: (inout Pairing) -> Void) -> Bool {
    guard var pairing = servedKeys[remoteSigner]?.pairing else { return false }
    change(&pairing)
    servedKeys[remoteSigner]?.use = .paired(pairing)
    servedKeys[remoteSigner]?.rates.setTrust(pairing.grant.trust)
    usage[remoteSigner]?.keepWhatCounts(under: pairing.grant)
    keyless[remoteSigner]?.keepWhatCounts(under: pairing.grant)
    if pairing.grant.isSuspended { answers.forgetApprovals(of: remoteSigner) }
    return true
  }

  // MARK: the path of a request

  enum Admission { case admitted(Channel, Author), refused(DropReason) }

  /// Addressed to one of our keys, and within the author's rate limit.
  /// - Parameter isVerified: whether the author's signature was verified.
  mutating func admit(author: PublicKey, recipient: PublicKey, isVerified: Bool, now: Int64) -> Admission {
    guard let index = servedKeys.index(forKey: recipient) else { return .refused(.notOurs) }
    let kind = servedKeys.values[index].kind(of: author)
    let mayPass =
      switch kind {
      case .app, .former: servedKeys.values[index].rates.mayLook(isVerified: isVerified, now: now)
      case .newcomer, .outsider: servedKeys.values[index].rates.mayPass(author, now: now)
      }
    guard mayPass else { return .refused(.rateLimited) }
    // An author who was just answered is not checked again.
    if servedKeys.values[index].isOutsider(author), servedKeys.values[index].rates.isAnswered(author, now: now) {
      return .refused(.linkSpent)
    }
    return .admitted(servedKeys.values[index].channel, kind)
  }

  /// Whether the app of a key may get the error that it asks too much. Counts that error.
  mutating func mayTellTooMany(at recipient: PublicKey, now: Int64) -> Bool {
    servedKeys[recipient]?.rates.tellTooMany(now: now) ?? false
  }

  /// Somebody forged an event in the name of a key's app, or sent one of its old ones again.
  mutating func forged(at recipient: PublicKey, now: Int64) { servedKeys[recipient]?.rates.forged(now: now) }

  /// Remembers an event, so that it is accepted once. An event that is too old or too new gets one error, unless there were too many
  /// recently, and is not accepted later.
  /// - Parameter isApp: whether it counts against the rate of the key's app. Only new events do.
  /// - Returns: why it is refused; nil if it is accepted.
  mutating func remember(
    _ event: Event, at recipient: PublicKey, isFresh: Bool, isApp: Bool, now: Int64
  ) -> DropReason? {
    if !reportedLate.contains(event.id), isFresh {
      // By index: it changes the value in place, where a subscript by key moves it out and back.
      let index = servedKeys.index(forKey: recipient)
      if isApp, let index, !servedKeys.values[index].rates.mayLook(isVerified: true, now: now) { return .rateLimited }
      switch seen.insert(event.id, createdAt: event.createdAt, to: recipient, now: now) {
      case .new:
        guard let index else { return nil }
        if isApp { _ = servedKeys.values[index].rates.verified(now: now) }
        servedKeys.values[index].noteRequest(of: event.createdAt)
        return nil
      case .full:
        if isApp { forged(at: recipient, now: now) }
        return .overloaded
      case .seen: break
      }
    }
    if isApp { forged(at: recipient, now: now) }
    if isFresh || reportedLate.contains(event.id) { return .alreadySeen }
    guard servedKeys[recipient]?.clockErrors.take(HourlyLimit.clockErrors, now: now) ?? false else { return .stale }
    _ = reportedLate.insert(event.id)
    return nil
  }

  /// Whether the app of an exchange is paired as it was.
  func isPaired(_ exchange: Exchange) -> Bool {
    guard let pairing = servedKeys[exchange.channel.signer.publicKey]?.pairing else { return false }
    return pairing.client == exchange.client && pairing.identity == exchange.identity
  }

  /// Takes out rules that ended. Returns the pairings that changed.
  mutating func removeExpiredRules(now: Int64) -> [Pairing] {
    var changed: [Pairing] = []
    for key in Array(servedKeys.keys) {
      guard var pairing = servedKeys[key]?.pairing, pairing.grant.removeExpired(at: now) else { continue }
      servedKeys[key]?.use = .paired(pairing)
      changed.append(pairing)
    }
    return changed
  }

  /// The pairing of an author at one of our keys; counts the request.
  mutating func recognise(author: PublicKey, at remoteSigner: PublicKey, now: Int64) -> Pairing? {
    guard let index = servedKeys.index(forKey: remoteSigner), case .paired(var pairing) = servedKeys.values[index].use,
      pairing.client == author
    else { return nil }
    pairing.lastSeen = now
    pairing.requestCount += 1
    servedKeys.values[index].use = .paired(pairing)
    used.insert(remoteSigner)
    return pairing
  }

  mutating func noteLongAnswer(_ answer: LongAnswer, to exchange: Exchange) {
    let key = exchange.channel.signer.publicKey
    guard isPaired(exchange), update(key, { $0.longAnswer = answer }) else { return }
    used.insert(key)
  }

  /// The pairings that were used since the last call.
  mutating func takeUsed() -> [Pairing] {
    defer { used = [] }
    return used.compactMap { servedKeys[$0]?.pairing }
  }

  // MARK: pairing by link

  enum Claim { case claimed(PairingOffer), wrongSecret, expired, spent }

  /// Takes an open link for an app, in one step: of two that race, one gets it.
  mutating func claim(
    _ remoteSigner: PublicKey, secret: String, client: PublicKey, metadata: ClientMetadata, requested: [Permission], now: Int64
  ) -> Claim {
    guard case .open(let link)? = servedKeys[remoteSigner]?.use else { return .spent }
    guard Self.equal(link.secret, secret) else { return .wrongSecret }
    guard now < link.expiresAt else { return .expired }
    servedKeys[remoteSigner]?.use = .claimed(link, by: client)
    let earlier = pairings(of: client, with: link.identity)
    var grant = earlier.max { $0.pairedAt < $1.pairedAt }?.grant ?? Grant(trust: link.trust)
    grant.trust = link.trust
    let pairing = Pairing(
      remoteSigner: remoteSigner, client: client, identity: link.identity, pairedAt: now,
      name: link.name ?? metadata.name ?? "app \(client.hex.prefix(8))", url: metadata.url, requested: requested, grant: grant,
      relays: link.relays, hasOwnersRelays: true)
    return .claimed(PairingOffer(pairing: pairing, replaced: earlier.map(\.remoteSigner)))
  }

  /// The pairing was stored: the link is gone, and so are the earlier pairings of this app.
  mutating func confirm(_ offer: PairingOffer) -> ConfirmedPairing {
    // Looked up anew: the app may have paired by another link, or the owner changed its grant, while this one was being stored.
    let earlier = pairings(of: offer.pairing.client, with: offer.pairing.identity).filter { $0.remoteSigner != offer.link }
    var pairing = offer.pairing
    if let latest = earlier.max(by: { $0.pairedAt < $1.pairedAt }) {
      pairing.grant = latest.grant
      pairing.grant.trust = offer.pairing.grant.trust
    }
    let dropped = earlier.flatMap { end($0.remoteSigner, now: pairing.pairedAt) }
    if servedKeys[offer.link]?.ended == nil {
      servedKeys[offer.link]?.use = .paired(pairing)
      servedKeys[offer.link]?.rates.setTrust(pairing.grant.trust)
    }
    let left = earlier.map(\.remoteSigner).filter { !offer.replaced.contains($0) }
    return ConfirmedPairing(pairing: pairing, endedRequests: dropped, leftInStorage: left)
  }

  /// The pairing could not be stored: the link is open again.
  mutating func abandon(_ offer: PairingOffer) {
    guard case .claimed(let link, _)? = servedKeys[offer.link]?.use else { return }
    servedKeys[offer.link]?.use = .open(link)
  }

  /// Puts a request aside until a pairing is stored.
  mutating func hold(_ arrival: Arrival) -> Bool {
    guard let count = servedKeys[arrival.remoteSigner]?.held.count, count < ServedKey.maximumHeld else { return false }
    servedKeys[arrival.remoteSigner]?.held.append(arrival)
    return true
  }

  /// Nil also if an app took the link anew: held requests stay held.
  mutating func takeNextHeld(_ remoteSigner: PublicKey) -> Arrival? {
    guard let servedKey = servedKeys[remoteSigner], !servedKey.held.isEmpty else { return nil }
    if case .claimed = servedKey.use { return nil }
    return servedKeys[remoteSigner]?.held.removeFirst()
  }

  /// Whether a sender who is not, or no longer, the app of this key gets an answer. Counts that answer. A stranger is answered
  /// once a minute, and at most `ServedKeyRates.countedStrangers` strangers are. An app whose pairing ended has the limit
  /// `RateLimit.formerApp`.
  mutating func mayAnswerOutsider(_ author: PublicKey, at remoteSigner: PublicKey, _ now: Int64) -> Bool {
    guard let index = servedKeys.index(forKey: remoteSigner) else { return false }
    let isFormerApp = servedKeys.values[index].kind(of: author) == .former
    return isFormerApp
      ? servedKeys.values[index].rates.verified(now: now) : servedKeys.values[index].rates.answer(author, now: now)
  }

  func pairings(of client: PublicKey, with identity: PublicKey) -> [Pairing] {
    servedKeys.values.compactMap(\.pairing).filter { $0.client == client && $0.identity == identity }
  }

  private static func equal(_ ours: String, _ theirs: String) -> Bool {
    guard !theirs.isEmpty else { return false }
    let (a, b) = (Array(ours.utf8), Array(theirs.utf8))
    return a.withUnsafeBytes { a in b.withUnsafeBytes { b in constantTimeEqual(a, b) } }
  }

  // MARK: waiting for the owner

  enum Waiting { case new(PendingRequest), again(PendingRequest), answered(OwnerAnswer), full, needless }

  /// Puts a request in the queue, or its reply address to the same request that already waits.
  /// - Returns: `.needless` for a request that would wait for an unlocking that has already happened.
  mutating func enqueue(_ request: PendingRequest) -> Waiting {
    if request.rule == .locked, !isKeyAway(request.identity) { return .needless }
    if let index = pending.firstIndex(where: { $0.asksTheSame(as: request) }) {
      // A program waits for each answer: none is given up for a newer one.
      let isLocal = request.replies.contains { $0.envelope == nil }
      if isLocal, pending[index].replies.count >= PendingRequest.maximumReplies { return .full }
      let known = Set(pending[index].replies)
      pending[index].replies += request.replies.filter { !known.contains($0) }
      pending[index].replies.removeFirst(max(0, pending[index].replies.count - PendingRequest.maximumReplies))
      return .again(pending[index])
    }
    // If each use needs the owner, the approval was for one use.
    if request.rule != .locked, answers.knows(request.remoteSigner),
      let answer = answers.answer(to: request.question, at: request.remoteSigner, now: request.receivedAt),
      !answer.isApproved || keeping[request.identity] != .perUse
    {
      return .answered(answer)
    }
    guard request.rule == .firstUse ? mayAskFirst(request) : hasRoom(for: request) else { return .full }
    let request = named(request).behind(pending)
    pending.append(request)
    return .new(request)
  }

  private func hasRoom(for request: PendingRequest) -> Bool {
    let others = pending.filter { $0.rule != .firstUse }
    let ofClient = others.filter { $0.remoteSigner == request.remoteSigner }
    func bytes(_ requests: [PendingRequest]) -> Int { requests.reduce(request.weight) { $0 + $1.weight } }
    return request.fits(beside: ofClient, held: others.count)
      && bytes(others) <= PendingRequest.maximumBytesHeld && bytes(ofClient) <= PendingRequest.maximumBytesPerClient
  }

  /// Callers that were not let in take no place of others: each asks one thing, whichever identity it names, and few ask at once. Those of
  /// one site take few of these places, and sites and links leave some to programs.
  private func mayAskFirst(_ request: PendingRequest) -> Bool {
    let asking = pending.filter { $0.rule == .firstUse }
    guard asking.count < PendingRequest.maximumFirstUses, !asking.contains(where: { $0.remoteSigner == request.remoteSigner })
    else { return false }
    guard let caller = servedKeys[request.remoteSigner]?.pairing?.caller else { return true }
    return firstUsePlace(of: caller) == .free
  }

  /// Whether a caller that was not let in could ask now.
  func firstUsePlace(of caller: LocalCaller) -> FirstUsePlace {
    let asking = pending.filter { $0.rule == .firstUse }
    if let own = asking.first(where: { servedKeys[$0.remoteSigner]?.pairing?.caller == caller }) { return .taken(own) }
    let others = asking.compactMap { servedKeys[$0.remoteSigner]?.pairing?.caller }
    guard asking.count < PendingRequest.maximumFirstUses else { return .full }
    guard caller.program == nil else { return .free }
    let group = caller.group
    let isFree =
      others.count { $0.program == nil } < PendingRequest.maximumFirstUsesOfSites
      && others.count { $0.group == group } < PendingRequest.maximumFirstUsesOfGroup
      && (!caller.isLink || others.count(where: \.isLink) < PendingRequest.maximumFirstUsesOfLinks)
    return isFree ? .free : .full
  }

  // The owner must not answer one request and mean another, also not one that is gone while an older page or notice still shows it.
  // An app can make ids of events that begin alike, but it cannot choose names.
  private mutating func named(_ request: PendingRequest) -> PendingRequest {
    var request = request
    var attempt: UInt64 = 0
    repeat {
      request.name = seen.key.requestName(of: request.eventID, attempt: attempt)
      attempt += 1
    } while names.isOfAnother(request.name, than: request.eventID) || pending.contains { $0.name == request.name }
    names.add(request.name, of: request.eventID)
    return request
  }

  /// Removes the addresses of answers that nobody waits for.
  /// - Returns: the names of the requests that have none left by that.
  mutating func dropReplies(_ isGone: (ReplyAddress) -> Bool) -> [String] {
    var names: [String] = []
    for index in pending.indices where pending[index].replies.contains(where: isGone) {
      pending[index].replies.removeAll(where: isGone)
      if pending[index].replies.isEmpty { names.append(pending[index].name) }
    }
    return names
  }

  /// Takes one waiting request out, so that it is answered once.
  mutating func takePending(_ name: String) -> PendingRequest? {
    guard let index = pending.firstIndex(where: { $0.name == name }) else { return nil }
    return pending.remove(at: index)
  }

  /// The present decisions about requests that only waited for the unlocking. Those to be asked keep waiting, under the rule that asks.
  mutating func reconsider(
    now: Int64, _ isMeant: (PendingRequest) -> Bool
  ) -> [(request: PendingRequest, servedKey: ServedKey, pairing: Pairing, decision: Decision)] {
    var found: [(request: PendingRequest, servedKey: ServedKey, pairing: Pairing, decision: Decision)] = []
    for index in pending.indices.reversed() where isMeant(pending[index]) {
      guard let servedKey = servedKeys[pending[index].remoteSigner], let pairing = servedKey.pairing, !isKeyAway(pairing.identity)
      else { continue }
      // Where the parameters cannot be read, the answer to the app will say so.
      let operation = try? Operation(pending[index].method, pending[index].parameters, for: pairing)
      let facts =
        operation.map { RequestFacts($0, pending[index].method, for: pairing, known: lists(of: pairing.identity)) }
        ?? RequestFacts(method: pending[index].method, kind: pending[index].kind)
      guard let decision = rejudge(pending[index], facts, pairing, now: now) else { continue }
      guard decision.verdict == .ask else {
        found.append((pending.remove(at: index), servedKey, pairing, decision))
        continue
      }
      guard pending[index].rule != decision.rule else { continue }
      pending[index].rule = decision.rule
      found.append((pending[index], servedKey, pairing, decision))
    }
    return found.reversed()
  }

  /// Puts a stored request back after a restart.
  /// The connections of programs have ended by then. Such a request waits for the one that asks it again.
  mutating func restore(_ request: PendingRequest) {
    var request = request
    request.replies.removeAll { $0.envelope == nil }
    pending.append(request)
    names.add(request.name, of: request.eventID)
  }

  /// No other request gets the name of this one, though it is not put back yet.
  mutating func keepName(of request: PendingRequest) { names.keep(request.name, of: request.eventID) }

  /// Takes out what waited too long.
  mutating func expirePending(now: Int64) -> [PendingRequest] {
    let expired = pending.filter { now - $0.receivedAt > PendingRequest.lifetime }
    pending.removeAll { now - $0.receivedAt > PendingRequest.lifetime }
    return expired
  }
}
