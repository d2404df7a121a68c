public import Curve
public import Encodings
public import Nostr
import Platform

/// The owner's changes. The caller stores each change first and tells the engine afterwards.
extension SigningEngine {
  // MARK: identities

  /// The keys to sign with, by public key; none is taken while the engine is locked. Requests for an identity that is not here are
  /// answered "the signer is locked".
  public func setIdentities(_ keys: [KeyPair]) {
    conversations.removeAll()
    self.keys.set(keys.filter { keeping(of: $0.publicKey) != .perUse })
  }

  /// The retired identities. Whatever an app asks of them is refused, also after an approval.
  public func setRetired(_ identities: Set<PublicKey>) { state.withLock { $0.retired = identities } }

  /// Whether an identity is retired: another key has replaced it.
  public func isRetired(_ identity: PublicKey) -> Bool { state.withLock { $0.retired.contains(identity) } }

  // MARK: links and pairings

  /// Makes a link answerable.
  /// - Parameter signer: the key pair of the link's remote-signer key.
  public func open(_ link: OpenLink, signer: KeyPair, now: Int64) {
    state.withLock { $0.open(link, Channel(signer: signer), now: now) }
  }

  /// Makes a stored pairing answerable, at start-up or after accepting a `nostrconnect://` link.
  public func add(_ pairing: Pairing, signer: KeyPair, now: Int64) {
    state.withLock { $0.pair(pairing, Channel(signer: signer), now: now) }
  }

  /// The pairing of an offer was stored.
  public func confirm(_ offer: PairingOffer) -> ConfirmedPairing { state.withLock { $0.confirm(offer) } }

  /// The pairing of an offer could not be stored; the link is open again.
  public func abandon(_ offer: PairingOffer) { state.withLock { $0.abandon(offer) } }

  /// Removes a link, a pairing or an ended pairing. Nobody gets an answer there any more. Its key is wiped after the
  /// last exchange that uses it.
  /// - Returns: names of waiting requests that were removed with it; remove them from storage.
  public func close(_ remoteSigner: PublicKey) -> [String] { state.withLock { $0.close(remoteSigner) } }

  /// Replaces the parts of a pairing that the owner may change: name and grant.
  /// - Returns: false when the pairing is gone.
  public func update(_ remoteSigner: PublicKey, name: String, grant: Grant) -> Bool {
    state.withLock {
      $0.update(remoteSigner) { pairing in
        pairing.name = name
        pairing.grant = grant
      }
    }
  }

  /// All pairings, in the order they were made.
  public var pairings: [Pairing] {
    state.withLock { $0.servedKeys.values.compactMap(\.pairing) }
      .sorted { ($0.pairedAt, $0.remoteSigner) < ($1.pairedAt, $1.remoteSigner) }
  }

  /// The pairings whose record of use changed since the last call.
  public func takeUsedPairings() -> [Pairing] { state.withLock { $0.takeUsed() } }

  /// All links that wait for an app.
  public var openLinks: [OpenLink] {
    state.withLock { state in
      state.servedKeys.values.compactMap { servedKey in if case .open(let link) = servedKey.use { link } else { nil } }
    }
  }

  /// The keys that requests may be addressed to: what to subscribe for.
  public var remoteSigners: [PublicKey] {
    state.withLock { $0.servedKeys.filter { $0.value.pairing?.caller == nil }.map(\.key) }
  }

  /// The same by relay: only those whose link or pairing names it, so that an app's own relay learns of no other app's key.
  public var remoteSignersByRelay: [RelayURL: [PublicKey]] {
    state.withLock { state in
      state.servedKeys.reduce(into: [:]) { found, servedKey in
        for relay in servedKey.value.relays { found[relay, default: []].append(servedKey.key) }
      }
    }
  }

  /// The key pairs behind `remoteSigners`, for relays that require a login (NIP-42). Those of ended pairings come last.
  public var transportKeys: [KeyPair] {
    state.withLock { state in
      let served = state.servedKeys.values.filter { $0.pairing?.caller == nil }
      let (ended, used) = (served.filter { $0.ended != nil }, served.filter { $0.ended == nil })
      return (used + ended).map(\.channel.signer)
    }
  }

  /// The relays to listen on for all links and pairings.
  public var relays: Set<RelayURL> { relays { $0.ended == nil } }

  /// The relays that may be inside the owner's network: those of the owner's links, and those that the owner allowed.
  public var relaysInside: Set<RelayURL> {
    state.withLock { state in
      state.servedKeys.values.reduce(into: []) { relays, servedKey in relays.formUnion(servedKey.relaysInside) }
    }
  }

  /// The relays where apps whose pairing ended recently may be.
  public func formerRelays(now: Int64) -> Set<RelayURL> { relays { $0.ended?.keepsRelays(now: now) ?? false } }

  private func relays(_ isMeant: (SignerState.ServedKey) -> Bool) -> Set<RelayURL> {
    state.withLock { state in
      state.servedKeys.values.filter(isMeant).reduce(into: []) { relays, servedKey in relays.formUnion(servedKey.relays) }
    }
  }

  /// A pairing for an app that showed a `nostrconnect://` link. An app that is paired already keeps its rules, and the name that the owner
  /// knows it by.
  /// - Parameters:
  ///   - remoteSigner: a fresh key, or the one of the app's pairing so far, which then goes on.
  ///   - inside: relays of the link that may lie inside the owner's network.
  /// - Returns: the pairing to store, with the earlier ones it replaces.
  public func offer(
    _ uri: NostrConnectURI, identity: PublicKey, trust: TrustLevel, remoteSigner: PublicKey, inside: [RelayURL] = [],
    now: Int64
  ) -> PairingOffer {
    let earlier = state.withLock { $0.pairings(of: uri.client, with: identity) }
    var grant = earlier.last?.grant ?? Grant(trust: trust)
    grant.trust = trust
    let placeholder = "app \(uri.client.hex.prefix(8))"
    let known = earlier.last.flatMap { $0.name == placeholder ? nil : $0.name }
    var pairing = Pairing(
      remoteSigner: remoteSigner, client: uri.client, identity: identity, pairedAt: now,
      name: known ?? uri.metadata.name ?? placeholder, url: uri.metadata.url, requested: uri.permissions,
      grant: grant, relays: uri.relays)
    pairing.relaysInside = inside
    return PairingOffer(pairing: pairing, replaced: earlier.map(\.remoteSigner).filter { $0 != remoteSigner })
  }

  /// The remote-signer key of an app's latest pairing with an identity. Nil when there is none.
  public func signer(of client: PublicKey, for identity: PublicKey) -> KeyPair? {
    state.withLock { state in
      let latest = state.pairings(of: client, with: identity).max { $0.pairedAt < $1.pairedAt }
      return latest.flatMap { state.servedKeys[$0.remoteSigner]?.channel.signer }
    }
  }

  /// The first answer to an app that showed a `nostrconnect://` link: its secret, so that it knows who answers.
  /// Subscribe to the pairing's key on all its relays before publishing it: the app's requests follow at once.
  /// - Parameter requestID: a fresh, unguessable id.
  public func connectResponse(to uri: NostrConnectURI, signer: KeyPair, requestID: Bytes32, now: Int64) -> Event? {
    let id = [UInt8(ascii: "\"")] + Array(requestID.hex.prefix(32).utf8) + [UInt8(ascii: "\"")]
    let plaintext = Response.plaintext(requestID: id, .result(uri.secret))
    return seal(plaintext, .nip44, Channel(signer: signer), uri.client, now: now)
  }

  // MARK: replays

  /// Whether an event is fresh and was not taken before. Checks nothing else of it, and does not remember it.
  public func isUnheard(_ event: Event, now: Int64) -> Bool {
    Self.isFresh(event.createdAt, now) && state.withLock { !$0.seen.contains(event.id, createdAt: event.createdAt) }
  }

  /// Restores the ids of requests that were accepted before a restart, or before the clock was set back.
  public func restoreSeen(_ id: Bytes32, createdAt: Int64) { state.withLock { $0.seen.restore(id, createdAt: createdAt) } }

  /// The same for ids that are given as marks under this engine's key.
  public func restoreSeen(_ marks: [(mark: UInt64, createdAt: Int64)], from times: ClosedRange<Int64>) {
    state.withLock { state in
      for (mark, createdAt) in marks where times.contains(createdAt) { state.seen.restore(marked: mark, createdAt: createdAt) }
    }
  }

  /// The latest time of an event whose id was restored, in seconds since 1970; the minimum if there is none.
  public var latestRestored: Int64 { state.withLock { $0.seen.latestRestored } }

  // MARK: requests that wait

  /// All requests that wait for the owner, oldest first.
  public var pendingRequests: [PendingRequest] { state.withLock { $0.pending } }

  /// The waiting requests that the owner is notified of: all but those of paused apps. The console and the command line list those, too.
  public var notifiedRequests: [PendingRequest] { state.withLock { state in state.pending.filter { !state.isQuiet($0) } } }

  /// Puts a stored request back after a restart.
  public func restore(_ request: PendingRequest) { state.withLock { $0.restore(request) } }

  /// Reserves the name of a stored request. It is restored later, when it is known whether it was answered.
  public func keepName(of request: PendingRequest) { state.withLock { $0.keepName(of: request) } }

  /// The names that begin so, of requests that wait and of the last ones that are gone.
  /// - Parameter digits: hex digits.
  public func requestNames(beginningWith digits: String) -> Set<String> { state.withLock { $0.names.beginning(with: digits) } }

  /// The names of requests, for entries of the log, which have the ids of their events.
  public var requestNaming: RequestNaming {
    state.withLock { RequestNaming(key: $0.seen.key, recent: $0.names.byEvent) }
  }

  /// Drops what waited longer than a day, unanswered.
  /// - Returns: the dropped requests; remove them from storage.
  public func expirePending(now: Int64) -> [PendingRequest] { state.withLock { $0.expirePending(now: now) } }

  /// Takes a request out of the queue without an answer, because it could not be stored.
  public func withdrawPending(_ name: String) -> PendingRequest? { state.withLock { $0.takePending(name) } }
}
