public import Curve
public import Encodings
public import Nostr

/// One request with the decision about it.
///
/// The owner of the engine records it durably, and only then calls `perform`.
public struct Exchange: Sendable {
  /// Where the request came from and where its answers go.
  public let channel: Channel
  /// The app's key.
  public let client: PublicKey
  /// The identity concerned. Nil for a stranger's connect request that is refused.
  public let identity: PublicKey?
  /// The request event's id.
  public let eventID: Bytes32
  /// The request event's own time, seconds since 1970.
  public let createdAt: Int64
  /// The operation. Nil for a method that this signer does not know.
  public let method: Method?
  /// The kind of the event to sign.
  public let kind: Int?
  /// The rules' decision. Nil if they were not asked: for a malformed or unknown request, or a refused connect.
  public let decision: Decision?
  /// The recipients of the answer.
  public let replies: [ReplyAddress]
  /// The relays of the session, to answer on besides the one the request came from.
  public let relays: [RelayURL]
  /// The trust of the paired app that asked; nil where none is.
  public internal(set) var trust: TrustLevel?
  /// What is to be done.
  public internal(set) var action: Action
  /// The request's parameters, if it is one for a key. They are needed when the signer is locked first and the request has to wait.
  package internal(set) var parameters: [[UInt8]] = []
  /// The facts that the rules used. Nil if no key of the user is needed.
  public internal(set) var facts: RequestFacts?
  /// The owner's answer to a request that waited; store it with the request's end.
  public internal(set) var answer: OwnerAnswer?
  /// How often the signer had been locked down when the owner approved it. Nil if the rules alone decided.
  var shuttings: Int?
  /// What the log calls the request, where its method and kind do not say enough.
  package var heading: RequestHeading?

  /// The action for a request.
  public enum Action: Sendable {
    /// Send this; no key is used but the transport key.
    case answer(Answer)
    /// Use the identity's key, then send the result.
    case use(Operation)
    /// Store the pairing, tell the engine by `confirm` or `abandon`, then send "ack".
    case pair(PairingOffer)
    /// Store the request; send nothing.
    case wait(PendingRequest)
    /// The app asked again what already waits: store the request again with its new reply address; send nothing.
    case waitStill(PendingRequest)
    /// Send "ack", and forget the pairing once a relay took it.
    case leave

    var usesKey: Bool { if case .use = self { true } else { false } }
  }
}

extension Exchange {
  /// The event to be signed, with the author it will have. Nil where none is.
  public var template: EventTemplate? { if case .use(.sign(let template)) = action { template } else { nil } }

  /// The request of a use of the identity's key, for describing it: as if it waited for the owner. Nil where no key is used.
  package var described: PendingRequest? {
    action.usesKey ? PendingRequest(postponing: self, by: decision?.rule ?? .alwaysAllowed, now: createdAt) : nil
  }

  /// The same with an event to be signed whose time is settled.
  public func signing(at createdAt: Int64) -> Exchange {
    guard let template else { return self }
    var exchange = self
    exchange.action = .use(
      .sign(
        EventTemplate(
          pubkey: template.pubkey, createdAt: createdAt, kind: template.kind, tags: template.tags, content: template.content)))
    return exchange
  }

  /// The same as one that is refused, because another event of that coordinate and time was signed.
  public func refusedAsTaken() -> Exchange { refused(ReplyText.taken(kind: kind ?? 0)) }

  /// The same as one that is refused, because too many events that are dated later than now were signed.
  public func refusedAsAhead() -> Exchange { refused(ReplyText.tooManyAhead) }

  private func refused(_ text: String) -> Exchange {
    var exchange = self
    exchange.action = .answer(.error(text))
    return exchange
  }
}

/// What goes back to an app.
public enum Answer: Hashable, Sendable {
  case result(String)
  case error(String)
}

/// The use of the identity's key.
public enum Operation: Sendable {
  /// Tell the public key. An operation only where the owner is asked for it.
  case identify
  case sign(EventTemplate)
  case encrypt(EnvelopeCipher, peer: PublicKey, text: [UInt8])
  case decrypt(EnvelopeCipher, peer: PublicKey, payload: [UInt8])
}

/// A pairing about to be made, with all that storage must change in one transaction.
public struct PairingOffer: Hashable, Sendable {
  /// To be stored.
  public var pairing: Pairing
  /// The remote-signer key of the link it was made by, to be removed from the open links. Equal to the pairing's own.
  public var link: PublicKey { pairing.remoteSigner }
  /// Earlier pairings of the same app with the same identity, to be removed: a grant belongs to (identity, client).
  public let replaced: [PublicKey]
}

/// The result of a confirmed pairing.
public struct ConfirmedPairing: Sendable {
  /// The pairing as it holds now. Store it again where it differs from the offer's: its grant was changed meanwhile.
  public let pairing: Pairing
  /// Waiting requests that went with earlier pairings of the same app; remove them from storage.
  public let endedRequests: [SigningEngine.EndedRequest]
  /// Earlier pairings of the same app that the offer did not know of; remove them from storage.
  public let leftInStorage: [PublicKey]
}

/// What came of a performed exchange.
public struct Outcome: Sendable {
  /// The answers, signed and encrypted, ready to publish. None while the owner is asked.
  public let replies: [Reply]
  /// The id of the event that was signed for the app.
  public let signedEvent: Bytes32?
  /// Whether the app got an error.
  public let failed: Bool
  /// The rule that held back the answer of an allowed request, because of what the answer turned out to contain.
  public internal(set) var refusal: Rule?
  /// The exchange as a waiting one, if the signer was locked in between: record it and perform it. There are no replies then.
  public var postponed: Exchange? { waiting.first }
  var waiting: [Exchange] = []
  /// The longest answer in NIP-44's form for texts of 65,536 bytes and more, in bytes before encryption. Nil when there is none.
  public var longAnswer: Int? {
    let lengths = replies.lazy.filter { $0.envelope == .nip44 && $0.plaintext.count > LongAnswer.longestShort }.map(
      \.plaintext.count)
    return lengths.max()
  }
}

/// One answer, with everything needed to make it again: some relays refuse an event that they know, or one that is a minute old.
public struct Reply: Sendable {
  /// The answer as it goes out first.
  public let event: Event
  let plaintext: [UInt8]
  let envelope: EnvelopeCipher?
  let channel: Channel
  let client: PublicKey

  /// The answer to a program on this machine, as JSON: `{"id":…,"result":…}`, with `"result":null,"error":…` for an error. Nil for an
  /// answer to an app elsewhere.
  public var local: [UInt8]? { envelope == nil ? plaintext : nil }
}

/// What was done with an event.
public enum Intake: Sendable {
  case dropped(DropReason)
  /// Not accepted; its sender gets an error.
  case refused(Refusal)
  /// Put aside until the pairing of its app is stored: `takeNextHeld` brings it back.
  case held
  case decided(Exchange)
}
