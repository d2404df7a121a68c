import Curve
import OwnerAPI
import Platform
import Relays
package import RemoteSigning
package import Signer

/// Writes a line for each event as it happens: an app paired, a request waits, a relay is away.
///
/// Receives events on the threads of those who report them, and processes them on a worker. The number of lines a minute is
/// limited; a line says how many were left out.
package final class JournalReporter: Sendable {
  /// The most lines in a minute.
  static let linesPerMinute = 60
  /// The shortest time between two lines about one relay, in seconds.
  static let relayPause: Int64 = 60

  /// The most requests of one app that a terminal gets in full within a minute.
  static let fullPerMinute = 5
  /// How long further ones are gathered before a line says how many they are, in milliseconds.
  static let gatheringMilliseconds = 5_000

  /// The requests of one app within a minute.
  private struct Flood {
    var begun: Int64
    var written = 0
    /// Not written so far.
    var more = 0
    var refused = 0
  }

  private struct State {
    var floods: [PublicKey: Flood] = [:]
    var isGathering = false
    var apps: [PublicKey: String] = [:]
    var relays: [String: RelayState] = [:]
    var problems: Set<Problem> = []
    /// What was said last of the lock; nil when nothing was said yet.
    var lock: LockNews?
    /// The requests that were written in full and still wait.
    var written = WrittenRequests()
    var hasBegun = false
    var minute: Int64 = 0
    var lines = 0
    var leftOut = 0
  }

  private struct RelayState {
    var wasConnected = false
    var isToldLost = false
    var toldAt: Int64?
  }

  private let engine: SigningEngine
  private let sessionLock: SessionLock
  private let signerEvents: SignerEvents
  private let workers: Workers
  private let writer: NoticeWriter
  private let now: @Sendable () -> Int64
  private let home: String?
  private let latest: LatestEvent
  private let isTrial: Bool
  private let after: (@Sendable (_ milliseconds: Int, _ job: @escaping @Sendable () -> Void) -> Void)?
  private let relays: @Sendable () -> [Observation.Relay]
  private let state: Locked<State>

  /// - Parameters:
  ///   - relays: the state of the outside relays.
  ///   - latest: finds what a request would replace.
  ///   - home: the vault's folder, if the owner's commands have to name it.
  ///   - isTrial: whether the vault is wiped at the end, so that a lockdown cannot be ended.
  ///   - now: seconds since 1970.
  ///   - after: runs a job so many milliseconds later; nil gathers requests until the next look at the signer.
  package init(
    _ engine: SigningEngine, _ sessionLock: SessionLock, _ signerEvents: SignerEvents, workers: Workers, writer: NoticeWriter,
    relays: @escaping @Sendable () -> [Observation.Relay], latest: @escaping LatestEvent = { _, _ in nil }, home: String? = nil,
    isTrial: Bool = false,
    now: @escaping @Sendable () -> Int64 = { Clock.seconds },
    after: (@Sendable (_ milliseconds: Int, _ job: @escaping @Sendable () -> Void) -> Void)? = nil
  ) {
    (self.engine, self.sessionLock, self.signerEvents, self.now) = (engine, sessionLock, signerEvents, now)
    (self.workers, self.writer, self.relays) = (workers, writer, relays)
    (self.home, self.isTrial, self.after, self.latest) = (home, isTrial, after, latest)
    state = Locked(State(apps: Self.apps(engine)))
  }

  /// Begins to receive events.
  package func begin() {
    signerEvents.subscribe { [weak self] signerEvent in self?.hear(signerEvent) }
    state.withLock { $0.hasBegun = true }
    say(.started)
  }

  private func hear(_ signerEvent: SignerEvent) {
    switch signerEvent {
    case .requestWaits, .requestEnded, .requestRefused, .clientsChanged, .statusChanged, .lockChanged, .incident, .linkRefused,
      .shareAsked:
      workers.submitAlways { [weak self] in self?.tell(signerEvent) }
    default: break
    }
  }

  private func tell(_ signerEvent: SignerEvent) {
    switch signerEvent {
    case .requestWaits(let request):
      guard isWrittenInFull(request.remoteSigner) else { return }
      let app = name(of: request.remoteSigner)
      let title = Notice.title(of: request, before: request.kind.flatMap { latest($0, request.identity) })
      state.withLock { $0.written.add(request, title: title, app: app) }
      say(.waits(request, title: title, app: app, home: home))
    case .requestEnded(let id, let approved):
      guard let request = state.withLock({ $0.written.remove(id) }) else { return }
      say(.ended(request, approved: approved))
    case .requestRefused(let remoteSigner):
      state.withLock { $0.floods[remoteSigner, default: Flood(begun: now())].refused += 1 }
      gather()
    case .clientsChanged: lookAtApps()
    case .statusChanged: lookAtRelays()
    case .lockChanged: lookAtLock()
    case .incident(let incident): say(.incident(incident))
    case .linkRefused: say(.linkRefused)
    case .shareAsked(let request): say(.asked(request, home: home))
    default: break
    }
  }

  // MARK: floods of requests

  private func name(of remoteSigner: PublicKey) -> String {
    state.withLock { $0.apps[remoteSigner] } ?? Self.apps(engine)[remoteSigner] ?? "An app"
  }

  /// Whether a request is written in full. The terminal gets a few of each app within a minute. The journal gets all, for programs.
  private func isWrittenInFull(_ app: PublicKey) -> Bool {
    guard case .terminal = writer else { return true }
    let now = now()
    let isFull = state.withLock { state in
      var flood = state.floods[app] ?? Flood(begun: now)
      if !(0..<60).contains(now &- flood.begun) { (flood.begun, flood.written) = (now, 0) }
      let isFull = flood.written < Self.fullPerMinute
      if isFull { flood.written += 1 } else { flood.more += 1 }
      state.floods[app] = flood
      return isFull
    }
    if !isFull { gather() }
    return isFull
  }

  /// Says soon how many more there were.
  private func gather() {
    guard let after else { return }
    let isFirst = state.withLock { state in
      defer { state.isGathering = true }
      return !state.isGathering
    }
    guard isFirst else { return }
    after(Self.gatheringMilliseconds) { [weak self] in
      self?.workers.submitAlways { [weak self] in self?.sayHowManyMore() }
    }
  }

  private func sayHowManyMore() {
    let now = now()
    let floods = state.withLock { state in
      let floods = state.floods.filter { $0.value.more > 0 || $0.value.refused > 0 }
      state.floods = state.floods.compactMapValues { flood in
        (0..<60).contains(now &- flood.begun) ? Flood(begun: flood.begun, written: flood.written) : nil
      }
      state.isGathering = false
      return floods.map { (app: $0.key, flood: $0.value) }
    }
    for (app, flood) in floods {
      if flood.more > 0 { say(.more(flood.more, app: name(of: app))) }
      if flood.refused > 0 { say(.refused(flood.refused, app: name(of: app))) }
    }
  }

  // MARK: what changed

  private static func apps(_ engine: SigningEngine) -> [PublicKey: String] {
    Dictionary(
      engine.pairings.map { ($0.remoteSigner, AppName.shown($0.name, $0.client.hex)) }, uniquingKeysWith: { first, _ in first })
  }

  private func lookAtApps() {
    let (new, gone) = state.withLock { state in
      let (before, now) = (state.apps, Self.apps(engine))
      state.apps = now
      return (
        now.filter { before[$0.key] == nil }.sorted { $0.value < $1.value }, before.filter { now[$0.key] == nil }.values.sorted()
      )
    }
    for name in gone { say(.left(app: name)) }
    guard !new.isEmpty else { return }
    let programs = Dictionary(
      engine.pairings.compactMap { pairing in
        pairing.grant.isFirstUse ? pairing.caller.map { (pairing.remoteSigner, $0) } : nil
      }, uniquingKeysWith: { first, _ in first })
    // One that the owner revoked is known anew, but did not ask.
    let revoked = Set(engine.pairings.filter { $0.grant.isFirstUse && $0.lastSeen < $0.pairedAt }.map(\.remoteSigner))
    for (remoteSigner, name) in new where !revoked.contains(remoteSigner) {
      say(programs[remoteSigner].map(Notice.met) ?? .paired(app: name))
    }
  }

  private func lookAtRelays() {
    let (now, seen) = (now(), relays())
    let notices = state.withLock { state in
      let urls = Set(seen.map(\.health.url))
      state.relays = state.relays.filter { urls.contains($0.key) }
      return seen.compactMap { Self.notice(of: $0, &state.relays[$0.health.url, default: RelayState()], now) }
    }
    for notice in notices { say(notice) }
  }

  private static func notice(of relay: Observation.Relay, _ known: inout RelayState, _ now: Int64) -> Notice? {
    let name = relay.isOwners ? Metrics.origin(relay.health.url) : nil
    if relay.health.state == .connected {
      defer { (known.wasConnected, known.isToldLost) = (true, false) }
      return known.isToldLost ? .back(relay: name) : nil
    }
    let isFirstTry = !known.wasConnected && known.toldAt == nil
    guard relay.health.state == .waiting, known.wasConnected || isFirstTry, !known.isToldLost else { return nil }
    if let toldAt = known.toldAt, (0..<relayPause).contains(now &- toldAt) { return nil }
    (known.isToldLost, known.toldAt, known.wasConnected) = (true, now, false)
    return .lost(relay: name, why: relay.health.lastError ?? "no connection")
  }

  private func lookAtLock() {
    let lock = LockNews(sessionLock)
    let before = state.withLock { state in
      defer { state.lock = lock }
      return state.lock ?? .unlocked
    }
    guard before != lock else { return }
    if before.isLockdown, !lock.isLockdown { say(.lockdownEnded) }
    switch lock {
    case .locked: say(.locked)
    case .unlockedInLockdown: say(.unlockedInLockdown)
    case .lockedDown: say(isTrial ? .trialLockedDown : .lockedDown)
    case .unlocked: if before == .locked { say(.unlocked) }
    }
  }

  /// Reports which problems began and ended since the last observation, but not again what was said of the lock.
  package func look(at seen: Observation) {
    sayHowManyMore()
    let (new, gone) = state.withLock { state in
      let (before, now) = (state.problems, Set(seen.problems))
      state.problems = now
      let told: Set<Problem> = state.lock == nil ? [] : [.locked, .suspended]
      return (now.subtracting(before).subtracting(told), before.subtracting(now).subtracting(told))
    }
    for problem in Problem.allCases where gone.contains(problem) { say(.over(problem)) }
    for problem in Problem.allCases where new.contains(problem) { say(.problem(problem)) }
  }

  /// Writes the last line. A signer that failed to start has none.
  package func end() {
    guard state.withLock({ $0.hasBegun }) else { return }
    sayHowManyMore()
    say(.stopped)
  }

  // MARK: writing

  private func say(_ notice: Notice) {
    let now = now()
    // Written under the lock, so that lines are whole and in order.
    state.withLock { state in
      if now / 60 != state.minute {
        if state.leftOut > 0, writer.write(.leftOut(state.leftOut), now: now) { state.leftOut = 0 }
        (state.minute, state.lines) = (now / 60, 0)
      }
      // What must not be missed is written even beyond the limit.
      guard state.lines < Self.linesPerMinute || notice.priority.rawValue <= Notice.Priority.error.rawValue else {
        state.leftOut += 1
        return
      }
      state.lines += 1
      if !writer.write(notice, now: now) { state.leftOut += 1 }
    }
  }
}
