public import Curve
public import Encodings
import JSON
import Nostr
import Platform

/// One request of a program on this machine.
public struct LocalRequest: Sendable {
  /// 32 fresh random bytes. The answer names them as `id`, in hex digits, and the log keeps them in place of an event's id.
  public let id: Bytes32
  /// What is asked.
  public let method: Method
  /// As in NIP-46.
  public let parameters: [[UInt8]]

  /// A request with a fresh id.
  public init(_ method: Method, _ parameters: [[UInt8]] = [], id: Bytes32 = .fresh()) {
    (self.id, self.method, self.parameters) = (id, method, parameters)
  }
}

/// Requests that come without a relay and an envelope. Rates, rules, the queue and the answers are those of every other request.
extension SigningEngine {
  /// The pairing of a program with an identity. Nil when there is none.
  public func pairing(of caller: LocalCaller, for identity: PublicKey) -> Pairing? {
    state.withLock { state in
      state.servedKeys.values.lazy.compactMap(\.pairing).first { $0.identity == identity && $0.caller == caller }
    }
  }

  /// Whether a caller that was not let in can ask now. Asked before anything is made for it, so that what it sees does not depend on what
  /// it names.
  public func firstUsePlace(of caller: LocalCaller) -> FirstUsePlace { state.withLock { $0.firstUsePlace(of: caller) } }

  /// A pairing for a program that asks for the first time.
  /// - Parameters:
  ///   - remoteSigner: a fresh key. No relay is asked for messages to it.
  ///   - client: the public half of a key that nobody has, so that no event can come in its name.
  public func offer(
    _ caller: LocalCaller, named name: String, identity: PublicKey, grant: Grant, remoteSigner: PublicKey, client: PublicKey,
    now: Int64
  ) -> PairingOffer {
    var pairing = Pairing(
      remoteSigner: remoteSigner, client: client, identity: identity, pairedAt: now, name: name, grant: grant, relays: [],
      hasOwnersRelays: true)
    pairing.caller = caller
    return PairingOffer(pairing: pairing, replaced: [])
  }

  /// Processes a request up to a decision.
  /// - Parameters:
  ///   - remoteSigner: the key of the pairing of its caller.
  ///   - now: seconds since 1970.
  public func receive(_ request: LocalRequest, at remoteSigner: PublicKey, now: Int64) -> Intake {
    guard let pairing = state.withLock({ $0.servedKeys[remoteSigner]?.pairing }), pairing.caller != nil else {
      return .dropped(.notPaired)
    }
    let event = Event.placeholder(request.id, from: pairing.client, to: remoteSigner, at: now)
    let (channel, refusal) = state.withLock { $0.admitLocal(event, at: remoteSigner, now: now) }
    guard let channel else { return .dropped(refusal ?? .notPaired) }
    let arrival = Arrival(event: event, channel: channel, envelope: nil, request: Request(request), now: now)
    return refusal.map { refuse(arrival, $0, ReplyText.tooMany) } ?? decide(arrival)
  }
}

extension Pairing {
  /// The pairing that follows that of a program which the owner revoked: with the same identity, and keys of its own.
  public func revoked(remoteSigner: PublicKey, client: PublicKey, now: Int64) -> Pairing {
    var next = Pairing(
      remoteSigner: remoteSigner, client: client, identity: identity, pairedAt: now, name: name, grant: .ofRevoked, relays: [],
      hasOwnersRelays: true)
    // By which a reader tells it from one that asks just now.
    (next.caller, next.requestCount, next.lastSeen) = (caller, requestCount, min(lastSeen, now - 1))
    return next
  }
}

extension SigningEngine {
  /// Takes back requests whose programs do not wait for the answers any more.
  /// - Parameter ids: of the requests.
  /// - Returns: the waiting requests that nobody waits for now; remove them from storage.
  public func withdraw(_ ids: Set<Bytes32>) -> [PendingRequest] {
    let addresses = Set(ids.map { Request.localID($0) })
    return state.withLock { $0.withdraw(addresses) }
  }
}

extension SignerState {
  /// A request that another connection asked, too, keeps waiting for that one.
  fileprivate mutating func withdraw(_ addresses: Set<[UInt8]>) -> [PendingRequest] {
    let names = dropReplies { $0.envelope == nil && addresses.contains($0.requestID) }
    return names.compactMap { takePending($0) }
  }

  /// Counts a request against the rates of its caller.
  fileprivate mutating func admitLocal(_ event: Event, at key: PublicKey, now: Int64) -> (channel: Channel?, refusal: DropReason?)
  {
    switch admit(author: event.pubkey, recipient: key, isVerified: true, now: now) {
    case .admitted(let channel, _): (channel, remember(event, at: key, isFresh: true, isApp: true, now: now))
    case .refused(let reason): (servedKeys[key]?.channel, reason)
    }
  }
}

extension Request {
  /// What the answer names, as JSON.
  fileprivate static func localID(_ id: Bytes32) -> [UInt8] { JSONValue.string(id.hex).serialized() }

  fileprivate init(_ request: LocalRequest) {
    self.init(id: Self.localID(request.id), method: request.method, parameters: request.parameters)
  }
}

extension Event {
  /// Stands for a message that never was an event: without content and signature. It is never published.
  static func placeholder(_ id: Bytes32 = Bytes32(), from author: PublicKey, to recipient: PublicKey, at time: Int64) -> Event {
    Event(
      id: id, pubkey: author, createdAt: time, kind: NIP46.kind, tags: [["p", recipient.hex]], content: "",
      signature: Signature(r: Bytes32(), s: Bytes32()))
  }
}
