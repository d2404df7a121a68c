import AuditLog
import Curve
import Encodings
import Identities
import Nostr
import Platform
import RelayConversations
import Relays
import RemoteSigning
package import Signer
import Sockets
package import Vault

/// A signer that wakes for one request: it opens the vault, fetches the request, carries it out as the daemon does, sends the answer and
/// ends.
package final class OneShotSigner {
  /// How long a wake may take in all, in milliseconds. Apple gives an extension thirty seconds.
  package static let milliseconds: Int64 = 25_000

  private let home: OpenedHome
  private let loop: EventLoop
  private let workers: Workers
  private let answers = PreparedAnswers()
  private let service: SigningService
  private let sessions: RelaySessions

  /// Opens the home. Close it with `end()`.
  /// - Parameter deadline: of `Clock.monotonicMilliseconds`; nothing is waited for beyond it.
  /// - Throws: `SignerError`; `.vault(.inUse)` when a daemon runs.
  package init(_ folder: Home, _ opener: any SlotOpener, deadline: Int64) throws {
    home = try Opening.open(home: folder, opener: opener)
    do { loop = try EventLoop() } catch {
      home.close()
      throw error
    }
    loop.start()
    workers = Workers(count: 1)
    service = SigningService(
      home: home, workers: workers, round: RequestRound(home.log), publishing: answers.publishing)
    sessions = RelaySessions(loop, deadline: deadline, home.engine)
  }

  /// Answers the request that a push tells of, and those that the relay has with it.
  package func answer(_ target: WakeTarget) -> WakeOutcome {
    guard isForUs(target) else { return .notOurs }
    guard isKnown(target.relay, to: target.event) else { return .relayUnknown }
    let events = fetched(target)
    guard events.contains(where: { $0.id == target.eventID }) else {
      return sessions.client(target.relay) == nil ? .unreachable : .notFound
    }
    var outcome = WakeOutcome.notOurs
    let ours = events.filter { isKnown(target.relay, to: $0) }
    // When relays have taken too long, the others are left for wakes of their own.
    for event in RequestOrder.ordered(ours, links: Set(home.engine.openLinks.map(\.remoteSigner)))
    where event.id == target.eventID || sessions.isPatient {
      let one = process(event, from: target.relay)
      if event.id == target.eventID { outcome = one }
    }
    return outcome
  }

  /// Whether it uses no key, because the signer was killed and the vault was not unlocked since.
  package var isInDoubt: Bool { home.isInDoubt(now: Clock.seconds) }

  /// The names of the identities whose keys are open.
  package var usable: [String] { home.identities.all.filter { !home.engine.isKeyAway($0.publicKey) }.map(\.name) }

  /// Ends the log and the vault. Nothing is left to do.
  package func end() {
    sessions.close()
    service.recordGathered()
    _ = try? home.log.appendAndWait(.event(.daemonStopped))
    workers.close()
    loop.stop(within: Self.endMilliseconds)
    home.close()
  }

  private static let endMilliseconds = 1_000

  /// Whether the key that a request is for may answer at that relay.
  private func isKnown(_ relay: WebSocketURL, to event: Event?) -> Bool {
    home.engine.knows(relay, for: event.flatMap { SigningEngine.recipient(of: $0) })
  }

  private func isForUs(_ target: WakeTarget) -> Bool {
    let signers = home.engine.remoteSigners
    let isNamed = target.signer.map { hex in signers.contains { $0.hex == hex } } ?? true
    return isNamed && target.event.flatMap { SigningEngine.recipient(of: $0) }.map { signers.contains($0) } ?? true
  }

  private func fetched(_ target: WakeTarget) -> [Event] {
    if let event = target.event {
      sessions.begin(target.relay)
      return [event]
    }
    guard let client = sessions.client(target.relay) else { return [] }
    let signers = RelayURL(target.relay.text).map { home.engine.remoteSigners(at: $0) } ?? []
    return sessions.waiting { milliseconds in
      let fetch = RequestFetch(client.conversation, milliseconds: milliseconds) { [sessions] in
        signers.contains { sessions.logIn(client, target.relay, as: $0) }
      }
      return fetch.events(target.eventID, for: signers, now: Clock.seconds)
    }
  }

  private func process(_ event: Event, from relay: WebSocketURL) -> WakeOutcome {
    let before = service.counts
    service.take(event, from: .relay(relay, arrived: Clock.monotonicNanoseconds), isVerified: false)
    settle()
    let areTaken = answers.send(sessions, from: relay)
    settle()
    let found = WakeOutcome(of: event, from: before, to: service.counts, home.engine)
    guard found == .signed, !areTaken else { return found == .locked && isInDoubt ? .inDoubt : found }
    return sessions.hasReachedOne ? .notTaken : .unreachable
  }

  private var isAtRest: Bool { home.log.isAtRest && workers.areIdle && home.log.isAtRest && !answers.areThere(within: 0) }

  /// Waits until there is an answer to send, or until everything that was accepted is done and recorded.
  private func settle() {
    while sessions.left > 0, !isAtRest, !answers.areThere(within: 1) {}
  }
}

extension WakeOutcome {
  /// What became of an event, by what the service counted before and after it.
  fileprivate init(of event: Event, from before: Counters, to after: Counters, _ engine: SigningEngine) {
    func isNew(_ reasons: [DropReason]) -> Bool {
      reasons.contains { after.dropped[$0, default: 0] > before.dropped[$0, default: 0] }
    }
    if isNew([.wrongKind, .notAddressed, .notOurs, .notPaired, .linkSpent, .pairingEnded]) {
      self = .notOurs
    } else if isNew([.alreadySeen]) {
      self = .seen
    } else if isNew([.justStarted]) {
      self = .inDoubt
    } else if after.total(.ask) > before.total(.ask) {
      let waiting = engine.pendingRequests.first { $0.eventID == event.id }
      self = waiting.map { engine.isKeyAway($0.identity) } == true ? .locked : .denied
    } else if after.total(.allow) > before.total(.allow) {
      self = after.unrecorded > before.unrecorded ? .notRecorded : after.failed > before.failed ? .failed : .signed
    } else if after.total(.deny) > before.total(.deny) || isNew([.connectRefused, .rateLimited]) {
      self = .denied
    } else {
      self = DropReason.allCases.first { isNew([$0]) }.map { .dropped($0) } ?? .timedOut
    }
  }
}

extension Counters {
  fileprivate func total(_ verdict: Verdict) -> Int { AuditMethod.allCases.reduce(0) { $0 + count(of: $1, verdict) } }
}
