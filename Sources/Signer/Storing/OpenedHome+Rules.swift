import AuditLog
package import Curve
import Encodings
import Identities
package import Nostr
import Platform
import RemoteSigning
import Vault

/// What the rules use besides the grants: what was signed, what was used up, and the owner's settings for all apps.
extension OpenedHome {
  // MARK: start-up

  func loadRules() throws {
    if let settings = try store.policySettings() { engine.setPolicySettings(settings) }
  }

  /// Gives the engine the last profiles and follow lists, with which new ones are compared, and the identities' own relays.
  func loadLists() throws {
    for identity in identities.all.map(\.publicKey) {
      for kind in [EventKind.metadata, EventKind.follows, EventKind.relayList, EventKind.messageRelays] {
        guard let signed = try signed(SignedCoordinate.id(identity: identity, kind: kind)) else { continue }
        engine.setKnown(signed)
      }
    }
  }

  /// Restores the counts that were stored last, which is all that is known while the log cannot be read. A budget must not start
  /// again after a restart. Not all uses counted in that time are in the log, or can be found there: the clock may have been set
  /// back.
  func restoreStoredUsage() throws {
    let (now, unread) = (Clock.seconds, try store.usageWhileUnread())
    for pairing in engine.pairings where pairing.grant.counts {
      let key = pairing.remoteSigner
      for usage in [try store.usage(of: key)?.usage, unread[key]] {
        if let usage { engine.restoreUsage(usage, of: key, now: now) }
      }
      if unread[key] != nil { engine.countAgain([key]) }  // to be stored together with what the log shows
    }
  }

  // The counts that were stored last, and what the log has recorded since.
  func restoreUsage() throws {
    let present = Clock.milliseconds
    let complete = try store.usageComplete().flatMap { $0 <= present ? $0 : nil } ?? .min
    var counts: [PublicKey: (pairing: Pairing, usage: Usage, since: Int64)] = [:]
    for pairing in engine.pairings where pairing.grant.counts {
      let stored = try store.usage(of: pairing.remoteSigner)
      counts[pairing.remoteSigner] = (
        pairing, stored?.usage ?? Usage(), max(complete, stored?.countedUpTo ?? pairing.pairedAt * 1000)
      )
    }
    guard let since = counts.values.map(\.since).min() else { return }
    var filter = AuditFilter(kinds: [.requestDecided], since: since)
    filter.decision = .allow  // other requests must not displace them or fill the memory
    var changed: Set<PublicKey> = []
    for entry in try log.tail(Self.entriesCounted, matching: filter).map(\.entry) {
      guard let facts = RequestFacts(allowedBy: entry) else { continue }
      for (key, count) in counts
      where count.since <= entry.time && count.pairing.client == entry.client && count.pairing.identity == entry.identity {
        counts[key]?.usage.count(facts, under: count.pairing.grant, at: entry.time / 1000)
        changed.insert(key)
      }
    }
    for (key, count) in counts { engine.restoreUsage(count.usage, of: key, now: present / 1000) }
    engine.countAgain(changed)  // they must be stored: entries noted as counted are not read from the log again
  }

  /// How many entries are read to count uses at the start. This is more than a minute can bring, after which counts are stored.
  private static let entriesCounted = 1_000_000
  /// After this many entries, the vault notes the log's end and that all uses are counted, even if there were none.
  static let entriesBetweenNotes: UInt64 = 10_000

  /// Stores what was used since the last time. Call it within `changingPairings`.
  ///
  /// After a locked start, uses from before the start are not counted until the log is read. If the counts were stored as usual,
  /// those uses would never be counted. Until the log is read, the counts are therefore stored separately, for the next locked
  /// start.
  func saveUsage() {
    guard isStartRead else {
      saveUsageWhileUnread()
      return
    }
    let time = Clock.milliseconds  // before the counts are taken: a use in between is counted twice rather than not at all
    let usage = engine.takeCountedUsage()
    let entries = log.count
    guard !usage.isEmpty || entries >= countedAt.withLock({ $0 }) + Self.entriesBetweenNotes else { return }
    guard store.saveAll(usage, countedUpTo: time, waiting: extentWhileAllWait) else { return engine.countAgain(usage.keys) }
    countedAt.withLock { $0 = entries }
  }

  private func saveUsageWhileUnread() {
    let keys = engine.pairings.filter(\.grant.counts).map(\.remoteSigner)
    let usage = keys.reduce(into: [:]) { $0[$1] = engine.usage(of: $1) }
    savedWhileUnread.withLock { saved in
      if usage != saved, store.saveWhileUnread(usage) { saved = usage }
    }
  }

  // MARK: one time is signed once

  enum Reserved {
    /// Sign it, with the date it has now.
    case go(Exchange)
    /// Another event with the same coordinate and date was signed.
    case taken
    /// Too many events of its kind have dates in the future.
    case tooManyAhead
    case notStored
  }

  /// Stores what is about to be signed, durably, for kinds whose later events replace earlier ones. If two requests use the same
  /// date, one of them gets it.
  func reserve(_ exchange: Exchange, now: Int64) -> Reserved {
    guard let template = exchange.template, let identity = exchange.identity,
      SignedCoordinate.id(of: template.unsigned(by: identity, now: now)) != nil
    else { return .go(exchange) }
    return coordinates.withLock {
      // A request that will not be signed leaves no mark. `perform` gives the reason.
      guard engine.stillAllows(exchange, now: now), !engine.isKeyAway(identity) else { return .go(exchange) }
      do {
        let isApproved = exchange.decision?.rule == .ownerApproved
        let reserved = try reserved(template, identity, by: exchange.client, isApproved: isApproved, now: now)
        guard let event = reserved else { return .taken }
        return .go(exchange.signing(at: event.createdAt))
      } catch is TooManyAhead { return .tooManyAhead } catch { return .notStored }
    }
  }

  /// The same for events that the owner signs by command.
  /// - Returns: the event to sign; nil when another one with the same coordinate and date was signed.
  package func reserve(_ template: EventTemplate, of identity: PublicKey, now: Int64) throws(SignerError) -> UnsignedEvent? {
    try coordinates.withLock { () throws(SignerError) in
      do { return try reserved(template, identity, isApproved: true, now: now) } catch { throw SignerError(error) }
    }
  }

  func reserved(
    _ template: EventTemplate, _ identity: PublicKey, by app: PublicKey? = nil, isApproved: Bool, now: Int64
  ) throws -> UnsignedEvent? {
    let undated = template.unsigned(by: identity, now: now)
    guard let id = SignedCoordinate.id(of: undated) else { return undated }
    let known = try signed(id)
    var signed = try known ?? unknown(identity, template.kind, isApproved: isApproved, now: now)
    let (event, outcome) = signed.add(template, by: identity, isApproved: isApproved, now: now)
    switch outcome {
    case .taken: return nil
    case .again: return event
    case .fresh:
      let isNew = known == nil
      guard try store(signed, id: id, at: event.createdAt, by: app, isNew: isNew, isApproved: isApproved, now: now) else {
        throw SignerError.notStored
      }
      engine.setKnown(signed)
      return event
    }
  }

  /// An unknown coordinate. The owner's approval overrides the limit of an older vault or of an earlier wrong clock.
  private func unknown(_ identity: PublicKey, _ kind: Int, isApproved: Bool, now: Int64) throws -> SignedCoordinate {
    let fresh = SignedCoordinate(identity: identity, kind: kind)
    guard !isApproved, let time = try store.unknownCoordinatesClosed() else { return fresh }
    return fresh.closed(upTo: SigningTime.isAhead(time, of: now, by: SigningTime.closedLead) ? now : time)
  }

  /// `latest` as a function that does not keep the home.
  package var latestEvent: LatestEvent { { [weak self] kind, identity in self?.latest(kind, of: identity) } }

  /// The last event of a kind that is shown by its differences, if it was signed here. Nil when none is known.
  package func latest(_ kind: Int, of identity: PublicKey) -> EventTemplate? {
    guard SignedCoordinate.isCompared(kind) else { return nil }
    return (try? signed(SignedCoordinate.id(identity: identity, kind: kind)))?.latest
  }
}

extension RequestFacts {
  /// The facts of a use of the key that the rules allowed without asking, as far as the log contains them.
  init?(allowedBy entry: AuditEntry) {
    guard entry.decision == .allow, let method = entry.method.flatMap({ Method(rawValue: $0.name) }), !method.isAlwaysAllowed,
      entry.decidingRule != .ownerApproved, entry.client != nil
    else { return nil }
    self.init(method: method, kind: entry.eventKind.map { Int($0) })
  }
}

/// Finds the last event of a kind that an identity signed here; nil when none is known.
package typealias LatestEvent = @Sendable (_ kind: Int, _ identity: PublicKey) -> EventTemplate?
