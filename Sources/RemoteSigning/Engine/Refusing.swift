public import Curve
import Nostr
import Platform

/// An answer for a sender who is not, or no longer, the app of the addressed key. It is sent without a record.
public struct Refusal: Sendable {
  /// Why.
  public let reason: DropReason
  /// The answer. None where its author got one a moment ago.
  public let reply: Reply?
  /// The relays to answer on besides the one the request came from.
  public let relays: [RelayURL]
}

/// Answers to requests that no rule decides. Without an answer, apps would wait for ever.
extension SigningEngine {
  /// A request from somebody whose key is not the paired app's.
  func decide(_ arrival: Arrival, from standing: SignerState.Standing) -> Intake {
    switch standing {
    case .app(let pairing): decide(arrival, pairing)
    case .newcomer:
      arrival.request.method == .connect ? connect(arrival) : refuse(arrival, .notPaired, ReplyText.connectFirst)
    case .connecting: .held
    case .tooEarly: refuse(arrival, .notPaired, ReplyText.connectFirst)
    case .outsider(let isAnswered):
      isAnswered ? .dropped(.linkSpent) : refuse(arrival, .linkSpent, ReplyText.linkUsed)
    case .former(let wasApp):
      refuse(arrival, .pairingEnded, wasApp ? ReplyText.pairingEnded : ReplyText.linkWithdrawn)
    case .nobody: .dropped(.notOurs)
    }
  }

  func refuse(_ arrival: Arrival, _ reason: DropReason, _ text: String) -> Intake {
    let plaintext = Response.plaintext(requestID: arrival.request.id, .error(text))
    let reply = seal(plaintext, arrival.envelope, arrival.channel, arrival.client, now: arrival.now).map { event in
      Reply(event: event, plaintext: plaintext, envelope: arrival.envelope, channel: arrival.channel, client: arrival.client)
    }
    let relays = state.withLock { $0.servedKeys[arrival.remoteSigner]?.relays } ?? []
    return .refused(Refusal(reason: reason, reply: reply, relays: relays))
  }

  // MARK: while a pairing is stored

  /// Takes up the oldest request that an app sent while its pairing was being stored. When the pairing was confirmed or abandoned, call
  /// it until there is none, and carry out each before the next: the app may leave with one of them.
  public func takeNextHeld(_ remoteSigner: PublicKey) -> Intake? {
    state.withLock { $0.takeNextHeld(remoteSigner) }.map { decide($0) }
  }

  // MARK: pairings that end

  /// A request that ended without the owner's answer, and the exchange with the error for its app. Record it as dropped, and
  /// perform it.
  public typealias EndedRequest = (request: PendingRequest, exchange: Exchange)

  /// Ends a pairing or withdraws a link. Its key goes on answering that it ended, until `close`.
  /// - Parameter next: a pairing that takes its place, in the same moment.
  /// - Returns: the requests that went with it; remove them from storage.
  public func end(
    _ remoteSigner: PublicKey, followedBy next: (pairing: Pairing, signer: KeyPair)? = nil, now: Int64
  ) -> [EndedRequest] {
    state.withLock { state in
      if let next { state.pair(next.pairing, Channel(signer: next.signer), now: now) }
      return state.end(remoteSigner, now: now)
    }
  }

  /// Withdraws a link that no app has used.
  /// - Returns: false for a link that an app is using or has used; it stays.
  public func withdraw(_ link: PublicKey, now: Int64) -> Bool {
    state.withLock { state in
      guard case .open? = state.servedKeys[link]?.use else { return false }
      _ = state.end(link, now: now)
      return true
    }
  }

  /// Restores, at the start, the kept part of an ended pairing.
  public func add(_ ended: EndedPairing, signer: KeyPair, now: Int64) {
    state.withLock { $0.add(ended, Channel(signer: signer), now: now) }
  }

  /// All that ended and still answer.
  public var endedPairings: [EndedPairing] { state.withLock { $0.servedKeys.values.compactMap(\.ended) } }
}

extension Exchange {
  /// The error that tells an app that its waiting request has ended.
  init(ending request: PendingRequest, _ channel: Channel, relays: [RelayURL], _ text: String) {
    self.init(
      channel: channel, client: request.client, identity: request.identity, eventID: request.eventID,
      createdAt: request.receivedAt, method: request.method, kind: request.kind, decision: nil, replies: request.replies,
      relays: relays, action: .answer(.error(text)))
  }
}
