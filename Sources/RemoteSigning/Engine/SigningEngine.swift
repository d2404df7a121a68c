public import Curve
import Encodings
public import Nostr
import Platform

/// The remote signer of NIP-46 without I/O: events in, exchanges and answers out. Time is a parameter; the only randomness is
/// that of nonces and signatures.
///
/// Safe to use from several threads: what decides sits behind one lock, and verification, decryption and signing happen outside
/// of it. The path of a request is: size and JSON (the caller's parser) → addressed to one of our keys → rate limit of that
/// author → id and signature → seen before → freshness → decrypt → parse → paired → policy. Then the caller records the exchange
/// durably and calls `perform`.
public final class SigningEngine: Sendable {
  /// Whether requests in NIP-04 envelopes are read and answered.
  public let acceptsNIP04: Bool
  let state: Locked<SignerState>
  let keys = KeyRing()
  let conversations = ConversationCache()

  /// An engine without identities, links or pairings.
  /// - Parameter seenKey: the key under which ids of accepted requests are marked.
  public init(acceptsNIP04: Bool = true, seenKey: SeenKey = .random()) {
    self.acceptsNIP04 = acceptsNIP04
    var state = SignerState()
    state.seen = SeenEvents(key: seenKey)
    self.state = Locked(state)
  }

  /// Processes an event up to a decision.
  /// - Parameters:
  ///   - event: from a relay, parsed; nothing else is known of it.
  ///   - isVerified: whether its id and signature were checked already (by the embedded relay).
  ///   - isUnsure: whether it may have been answered before, which cannot be known now. No key of the user is used for it.
  ///   - now: seconds since 1970.
  public func receive(_ event: Event, isVerified: Bool = false, isUnsure: Bool = false, now: Int64) -> Intake {
    guard event.kind == NIP46.kind else { return .dropped(.wrongKind) }
    guard let recipient = Self.recipient(of: event) else { return .dropped(.notAddressed) }
    let admission = state.withLock {
      $0.admit(author: event.pubkey, recipient: recipient, isVerified: isVerified, now: now)
    }
    let isFresh = Self.isFresh(event.createdAt, now)
    let (channel, author): (Channel, SignerState.Author)
    switch admission {
    case .admitted(let found, let kind): (channel, author) = (found, kind)
    case .refused(.rateLimited) where isFresh:
      return tooMany(event, at: recipient, isVerified: isVerified, .rateLimited, now: now)
    case .refused(let reason): return .dropped(reason)
    }
    let isPairedClient = author == .app
    // An app is told that its clock is wrong, instead of waiting in vain. A stranger's old event is dropped.
    guard isFresh || author.hearsOfItsClock else { return .dropped(.stale) }
    guard isVerified || (event.hasCorrectID && channel.isSigned(event, keeping: isPairedClient)) else {
      if isPairedClient || author == .former { state.withLock { $0.forged(at: recipient, now: now) } }
      return .dropped(.badSignature)
    }
    if let refusal = remember(event, from: author, at: recipient, isFresh, now) {
      return refusal.isTooMany ? tooMany(event, at: recipient, isVerified: true, refusal, now: now) : .dropped(refusal)
    }
    guard let opened = open(event, channel, isPairedClient) else { return .dropped(.undecryptable) }
    let request: Request
    switch Request.parse(opened.plaintext) {
    case .request(let parsed): request = parsed
    case .unreadable(let id):
      guard let id, isPairedClient else { return .dropped(.notARequest) }
      return unreadable(id, event, channel, opened.envelope, now)
    }
    var arrival = Arrival(event: event, channel: channel, envelope: opened.envelope, request: request, now: now)
    arrival.isUnsure = isUnsure
    guard isFresh else { return staleAnswer(arrival) }
    return decide(arrival)
  }

  /// The latest time of a request that was taken, of each app that dated one later than this, by remote-signer keys.
  public func latestRequests(after time: Int64) -> [PublicKey: Int64] {
    state.withLock { $0.servedKeys.mapValues(\.latestRequest).filter { $0.value > time } }
  }

  /// - Returns: why a verified event is not taken, nil when it is.
  private func remember(
    _ event: Event, from author: SignerState.Author, at recipient: PublicKey, _ isFresh: Bool, _ now: Int64
  ) -> DropReason? {
    switch author {
    case .app, .newcomer:
      state.withLock { $0.remember(event, at: recipient, isFresh: isFresh, isApp: author == .app, now: now) }
    case .former: state.withLock { $0.admitFormer(event, at: recipient, now: now) }
    // A stranger's event is not remembered, so it takes up no space. The rate limit of answers to strangers is enough.
    case .outsider: nil
    }
  }

  /// An app whose message is not a request but has an id gets an error.
  private func unreadable(
    _ id: [UInt8], _ event: Event, _ channel: Channel, _ envelope: EnvelopeCipher, _ now: Int64
  ) -> Intake {
    refuse(
      Arrival(event: event, channel: channel, envelope: envelope, request: Request(unreadable: id), now: now), .notARequest,
      ReplyText.notARequest)
  }

  /// The key that an event is addressed to: exactly one `p` tag, with a key.
  public static func recipient(of event: Event) -> PublicKey? {
    var found: PublicKey?
    for tag in event.tags where tag.first == "p" {
      guard found == nil, tag.count > 1, let key = PublicKey(hex: tag[1]) else { return nil }
      found = key
    }
    return found
  }

  static func isFresh(_ createdAt: Int64, _ now: Int64) -> Bool {
    let (difference, overflow) = now.subtractingReportingOverflow(createdAt)
    return !overflow && difference.magnitude <= UInt64(SeenEvents.freshness)
  }

  func open(
    _ event: Event, _ channel: Channel, _ isPairedClient: Bool
  ) -> (plaintext: [UInt8], envelope: EnvelopeCipher)? {
    var content = event.content
    return content.withUTF8 { payload in
      guard Insecure.NIP04.isPayload(payload) else {
        guard let key = try? channel.conversation(with: event.pubkey, keeping: isPairedClient),
          let text = try? NIP44.decrypt(payload, with: key, limit: NIP46.maximumPlaintext)
        else { return nil }
        return (text, .nip44)
      }
      guard acceptsNIP04,
        let text = try? Insecure.NIP04.decrypt(
          Array(payload), key: channel.signer, peer: event.pubkey, limit: NIP46.maximumPlaintext)
      else { return nil }
      return (text, .nip04)
    }
  }
}

/// Constants of NIP-46.
public enum NIP46 {
  /// The kind of requests and answers.
  public static let kind = 24133
  /// The longest accepted request or answer, in bytes before encryption: enough for 1 MiB of text encrypted once more inside.
  public static let maximumPlaintext = 3 << 20
}

/// A request that arrived, opened.
struct Arrival {
  let event: Event
  let channel: Channel
  /// Nil for a request of a program on this machine.
  let envelope: EnvelopeCipher?
  let request: Request
  let now: Int64
  /// Whether it may have been answered before the start.
  var isUnsure = false

  var client: PublicKey { event.pubkey }
  var remoteSigner: PublicKey { channel.signer.publicKey }
  var reply: ReplyAddress { ReplyAddress(requestID: request.id, envelope: envelope) }

  func exchange(
    _ action: Exchange.Action, pairing: Pairing? = nil, identity: PublicKey? = nil, facts: RequestFacts? = nil,
    decision: Decision? = nil
  ) -> Intake {
    .decided(
      Exchange(
        channel: channel, client: client, identity: pairing?.identity ?? identity, eventID: event.id, createdAt: event.createdAt,
        method: request.method, kind: facts?.kind, decision: decision, replies: [reply], relays: pairing?.relays ?? [],
        trust: pairing?.grant.trust,
        action: action, parameters: action.usesKey || facts != nil ? request.parameters ?? [] : [], facts: facts))
  }
}
