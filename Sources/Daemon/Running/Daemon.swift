import AuditLog
import Backups
import CLinux
import Ciphers
import Console
import Curve
import Guardians
import Identities
import JSON
import LocalApps
import Nostr
import Notifications
import Observability
package import OwnerAPI
package import OwnerOperations
import OwnerWords
import Platform
import PushRegistration
import RemoteSigning
import SecretMemory
package import Signer
package import Sockets
import Vault

/// The running signer: an opened home, its relays, the control socket and the threads between them.
package final class Daemon: Sendable {
  let options: UpOptions
  let home: OpenedHome
  let services: Services
  let loop: EventLoop
  let workers: Workers
  package let hub: RelayHub
  private let service: SigningService
  let localApps: AppService
  let busApps: BusApps
  package let operations: Operations
  let queue: OwnerQueue
  let watch: RequestFeed
  private let observer: Observer
  private let journalReporter: JournalReporter
  private let pushes: PushService
  private let registrar: PushRegistrar
  private let guardians: GuardianService
  private let desktop: DesktopService
  private let window: ConsentWindow?
  private let tray: TrayService?
  private let checkpoint: CheckpointFile?
  private let keeping: TrialKeeping?

  /// How long the end may take to finish accepted work and to send what is left, in milliseconds.
  private static let gracefulMilliseconds = 5_000
  /// How long the end waits for relays to accept the last answers, in milliseconds.
  private static let settlingMilliseconds = 2_000

  /// Runs until the process is asked to end by SIGINT, SIGTERM or SIGHUP. Call it on the main thread, before any other thread is
  /// started.
  /// - Parameters:
  ///   - credential: opens the vault; nil for a trial. If it does not open the identities' keys, they stay locked.
  ///   - remarks: further remarks for the owner.
  ///   - ready: called when apps can pair, and again when a trial was kept.
  package static func run(
    _ options: UpOptions, credential: StartCredential?, remarks: [String], ready: (Ready) -> Void
  ) throws(OperationError) -> Ending {
    let manager = ServiceManager.ofThisProcess()
    Signals.hold()
    holdfast_raise_open_files(UInt(SocketLimits.descriptors))
    guard !options.isTrial else { return try TrialRun(options).run(remarks, ready) }
    _ = try serve(options, try open(options.home, credential), remarks: remarks, manager: manager, ready: ready)
    return .stopped
  }

  /// What became of a signer that ended.
  package enum Ending: Equatable {
    case stopped
    /// Everything of the trial was wiped.
    case trialWiped
  }

  /// How a signer ended that served.
  struct Served {
    /// A trial that goes into a vault of the owner's.
    var move: TrialKeeping.Move?
    /// Whether the process is asked to end.
    var isEnd = true
    /// The port that the signer had.
    var port: UInt16 = 0
  }

  /// Serves an opened home until the process is asked to end, or until the owner keeps a trial. Then the home is closed.
  /// - Parameters:
  ///   - nextStart: set when a trial was just kept.
  ///   - manager: is told how the signer is.
  static func serve(
    _ options: UpOptions, _ home: OpenedHome, remarks: [String], nextStart: String? = nil, manager: ServiceManager? = nil,
    ready: (Ready) -> Void
  ) throws(OperationError) -> Served {
    let (daemon, compared): (Daemon, String?)
    do {
      compared = try options.checkpointFile?.compare(home.log, home.folder)
      daemon = try Daemon(options, home)
    } catch {
      home.close()
      throw OperationError(error)
    }
    var served = Served(port: daemon.hub.endpoint.port)
    do {
      options.keepPort()
      ready(try daemon.greet(remarks + (compared.map { [$0] } ?? []), nextStart: nextStart))
      daemon.journalReporter.begin()
      holdfast_forget_program_pages()
      // Relays, the desktop and the checks that follow the start are done a moment later.
      _ = daemon.loop.after(milliseconds: restMilliseconds) { holdfast_forget_program_pages() }
      manager.map(daemon.report)
      var ending = TrialEnding(home, tell: options.beforeLoss)
      served.isEnd = Signals.waitForEnd(or: { daemon.keeping?.move != nil }, ends: { ending.ends(by: $0) })
      manager?.tell("STOPPING=1")
    } catch {
      daemon.stop()
      throw error
    }
    daemon.stop()
    served.move = daemon.keeping?.move
    return served
  }

  /// How long after the start its follow-up work, such as connecting to relays, is usually done.
  private static let restMilliseconds = 2_000

  static func open(_ folder: Home, _ first: StartCredential?) throws(OperationError) -> OpenedHome {
    guard let credential = first?.take() else { throw .usage("Opening the vault needs a passphrase.") }
    let home = try Opening.openOrViewDamage(home: folder, credential: credential)
    if let view = home.damagedView, home.identities.all.isEmpty {
      home.close()
      throw view.refusal
    }
    // A lockdown outlasts a restart, even by a service manager that knows the passphrase.
    if home.sessionLock.isSuspended, !home.identities.all.isEmpty {
      home.sessionLock.lock("suspended since before the start", everything: true)
    }
    return home
  }

  // MARK: start

  package init(_ options: UpOptions, _ home: OpenedHome) throws(OperationError) {
    (self.options, self.home, services) = (options, home, Services(home))
    workers = Workers(count: Self.workerCount)
    do { loop = try EventLoop() } catch { throw OperationError(error) }
    loop.start()
    let monitoring = Monitoring(host: options.host, isOpen: options.metrics, workers)
    let round = RequestRound(home.log)
    hub = try RelayHub(options, home.engine, home.meters, home.signerEvents, loop, workers, round, monitoring)
    home.engine.setOwnersRelays(hub.ownersRelays)
    let answers = LocalAnswers()
    service = Self.signing(options, home, hub, loop, workers, round, answers)
    localApps = AppService(
      home, service, workers, answers, trust: options.localTrust.flatMap(TrustLevel.init),
      refused: { [sessionLock = home.sessionLock] in sessionLock.reportBeside(.otherUser) })
    busApps = BusApps(localApps, home.sessionLock, home.signerEvents, version: Version.text)
    checkpoint = options.checkpointFile
    observer = Observer(.init(home, hub, services.backups), workers: workers, checkpoint: checkpoint)
    pushes = PushService(
      home.engine, home.signerEvents, book: services.pushes, options: .init(options), contact: options.pushContact)
    registrar = PushRegistrar(services.registrations, home.engine, certificates: options.pushCertificates)
    guardians = GuardianService(
      services.guardians, home.identities, home.sessionLock, home.signerEvents, log: home.log, loop, workers,
      relays: options.relays)
    let shownDesktop = Locked<DesktopService?>(nil)
    keeping =
      options.isTrial
      ? TrialKeeping(
        own: .usual(kinds: home.folder.kinds, besides: home.folder), command: TrialRun.command(options, hub),
        newSignInToken: Console.newSignInToken, whenBegun: { Signals.wake() }) : nil
    let report = Self.report(options, hub, observer, checkpoint) { shownDesktop.withLock { $0?.condition } }
    operations = Operations(
      home: home, services,
      running: RunningSigner(service, .init(hub), pushes: pushes, guardians: guardians, keeping: keeping, report: report))
    queue = OwnerQueue(operations, workers)
    desktop = Self.desktop(options, home, queue, hub)
    // The desktop answers requests by the operations, whose status reports on the desktop. So it is made after them.
    shownDesktop.change { [desktop] in $0 = desktop }
    window = options.opensWindow ? Self.window(home, hub) : nil
    tray = options.showsTray ? Self.tray(home, hub, queue) : nil
    watch = RequestFeed(operations, workers) { [loop] milliseconds, job in _ = loop.after(milliseconds: milliseconds, job) }
    journalReporter = Self.reporter(options, home, hub, loop, workers)
    try begin(monitoring)
  }

  private static func reporter(
    _ options: UpOptions, _ home: OpenedHome, _ hub: RelayHub, _ loop: EventLoop, _ workers: Workers
  ) -> JournalReporter {
    JournalReporter(
      home.engine, home.sessionLock, home.signerEvents, workers: workers,
      writer: .fitting(STDERR_FILENO, isQuiet: options.isQuiet, stream: journalStream, layOut: options.layOut),
      relays: { hub.observedRelays }, latest: home.latestEvent,
      home: options.isTrial || options.isHomeNamed ? home.folder.path : nil,
      isTrial: options.isTrial,
      after: { milliseconds, job in _ = loop.after(milliseconds: milliseconds, job) })
  }

  private static var journalStream: String? { getenv("JOURNAL_STREAM").map { String(cString: $0) } }

  /// Starts all parts: first those that observe the signer, then the ways in for the owner, then the apps.
  private func begin(_ monitoring: Monitoring) throws(OperationError) {
    beginServices()
    monitoring.begin { [observer] in observer.look() }
    try openConsole()
    try listenForTheOwner()
    serveApps()
    try serveLocalApps()
    beginSession()
    if home.damagedView == nil { services.backups.serve() }  // a partial backup must not replace a whole one
    clearOutboxSoon()
    home.outbox.whenClearable { [weak self] in self?.clearOutboxSoon() }
    scheduleUpkeep()
    watchClock(Self.clockOffset)
  }

  private func beginServices() {
    home.meters.listen(to: home.signerEvents, known: home.engine.pendingRequests, now: { Clock.seconds })
    pushes.begin(workers)
    desktop.begin(workers)
    window?.begin(home.signerEvents, workers)
    tray?.begin(home.signerEvents, workers)
    CommandUser.show { [weak desktop] in desktop?.show(question: $0) }
    guard home.damagedView == nil else { return }  // what is stored there is lost
    guardians.begin()
    registrar.begin(home.signerEvents, workers)
  }

  private func serveApps() {
    hub.begin { [service] event, origin, isVerified, mayWait in
      service.take(event, from: origin, isVerified: isVerified, mayWait: mayWait)
    }
    home.signerEvents.subscribe { [hub] signerEvent in if case .clientsChanged = signerEvent { hub.refresh() } }
    home.log.append(.event(.daemonStarted)) { _ in }
    workers.submitAlways { [service] in
      service.reconsider()
      service.sendOwed()
    }
  }

  private func beginSession() {
    // Nobody knows the passphrase of a trial's vault, so it is never locked.
    guard !home.isTrial else { return }
    home.session.begin()
    home.fingers.begin()
  }

  /// The link to show: an open one for the same identity, trust and relays, or a new one. A trial that was just kept shows none, and
  /// the journal, which others can read, gets none.
  private func greet(_ remarks: [String], nextStart: String?) throws(OperationError) -> Ready {
    let trust = try options.linkTrust(home)
    let hadIdentity = !home.identities.all.isEmpty
    if !hadIdentity {
      try OperationError.wrapping { try operations.createIdentity(named: options.identity ?? Self.firstName) }
    }
    let identity = try OperationError.wrapping { try operations.identity(named: options.identity) }
    let relays = hub.linkRelays
    let now = Clock.seconds
    let known = home.engine.openLinks.first { $0.isGood(for: identity.publicKey, trust, relays, at: now) }
    // A signer that was killed and is started by the keyring pairs no app before it is unlocked. It must run, so that it can be
    // unlocked.
    var link = known
    let isInJournal = JournalStream.isBehind(STDOUT_FILENO, Self.journalStream)
    if isInJournal {
      link = nil
    } else if link == nil, !home.isUnsure, !home.sessionLock.isLocked, nextStart == nil {
      link = try OperationError.wrapping { try operations.newLink(identity, trust, relays: relays) }
    }
    let unreached = hub.waitForListening(on: relays).map {
      "Not connected to \($0.text) yet. Until it is, apps get no answer there."
    }
    return Ready(
      bunker: link?.uri.text, linkMade: known?.madeAt, isThisMachineOnly: link?.isThisMachineOnly ?? false,
      pubkey: identity.publicKey.hex,
      npub: identity.publicKey.npub, identity: identity.name,
      relay: hub.nearestRelay?.text ?? "", console: hub.consoleAddress,
      signIn: !isInJournal && showsSignIn(isKept: nextStart != nil) ? hub.endpoint.console?.makeLink()?.url : nil,
      home: home.folder.path, trust: trust.rawValue, isTrial: options.isTrial, nextStart: nextStart,
      madeIdentity: !hadIdentity, isShut: home.sessionLock.isSuspended, isInJournal: isInJournal,
      remarks: remarks + (home.damagedView.map { [$0.refusal.error] } ?? []) + home.sessionLock.remarks + hub.remarks + unreached
        + pausedApps + waitingRequests)
  }

  /// Whether the start shows a link that signs in: nothing else does in a trial, nor before the first passkey. A file keeps what it is
  /// given, so that a usual vault's link is for a terminal only.
  private func showsSignIn(isKept: Bool) -> Bool {
    if options.isTrial || isKept { return true }
    return options.isOnTerminal && !home.sessionLock.isSuspended && hub.endpoint.console?.hasPasskeys == false
  }

  /// One worker for each CPU core, but at least two, so that one slow request does not hold up all others.
  private static var workerCount: Int { max(2, min(8, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  /// The name of the identity that is made if there is none.
  private static let firstName = "main"

  // MARK: upkeep and end

  private static let upkeepMilliseconds = 60_000
  /// How long the log entries of changes are gathered before they are removed from the vault together, in milliseconds.
  private static let clearingMilliseconds = 1_000

  private func clearOutboxSoon() {
    let (outbox, workers) = (home.outbox, workers)
    _ = loop.after(milliseconds: Self.clearingMilliseconds) { workers.submitAlways { outbox.clear() } }
  }

  /// Runs it on a separate thread.
  private static func beside(_ body: @escaping @Sendable () -> Void) {
    guard SystemThread.startDetached(body) else { return body() }
  }

  private func scheduleUpkeep() {
    let (home, hub, workers, service, observer, journalReporter, guardians) = (
      home, hub, workers, service, observer, journalReporter, guardians
    )
    let (checkpoint, backups, uploads) = (checkpoint, services.backups, services.uploads)
    _ = loop.after(milliseconds: Self.upkeepMilliseconds) { [weak self] in
      // Submitted even if the queue is full, because a flood must not put the upkeep off.
      workers.submitAlways {
        home.sessionLock.tellHeldBack()
        home.sessionLock.checkLog(home.folder.log)
        home.saveUse()
        service.recordGathered()
        guardians.recordLogins()
        Self.beside { home.dropOldContent() }  // reads and writes the whole log: it would hold up a worker
        home.noteLog()
        home.outbox.clear()
        checkpoint?.keep(home.log)
        journalReporter.look(at: observer.look())
        home.dropOldLinks(now: Clock.seconds)
        home.dropOldEndings(now: Clock.seconds)
        uploads.dropOld()
        hub.refresh()  // leaves relays that were kept for apps whose pairing ended
        service.dropExpired()
        if home.damagedView == nil { backups.runIfDue() }
      }
      self?.scheduleUpkeep()
    }
  }

  private static let clockMilliseconds = 10_000
  /// A clock that drifts or is slewed stays within this between two checks, in seconds.
  private static let toleratedStep: Int64 = 5
  /// The difference between the wall clock and a clock that nobody can set, in seconds.
  private static var clockOffset: Int64 { Clock.seconds - Clock.boot }

  // A machine may start with a wrong clock that is set later. Until the relays are asked again, they hold back what apps send.
  private func watchClock(_ known: Int64) {
    _ = loop.after(milliseconds: Self.clockMilliseconds) { [weak self] in
      let now = Self.clockOffset
      if (now - known).magnitude > UInt64(Self.toleratedStep) { self?.hub.listenAnew() }
      self?.watchClock(now)
    }
  }

  /// The embedded relay, or else the first outside relay.
  package var nearestRelay: WebSocketURL? { hub.nearestRelay }

  /// Finishes what was accepted, sends what is left to send, then closes.
  package func stop() {
    watch.close()
    hub.stopTaking()
    pushes.stop()
    registrar.stop()
    guardians.stop()
    CommandUser.show(nil)
    desktop.stop()
    tray?.stop()
    services.backups.stop()
    queue.drain(milliseconds: Self.gracefulMilliseconds)
    loop.waitForJobs(milliseconds: Self.gracefulMilliseconds)  // a request may be under way there
    _ = workers.drain(milliseconds: Self.gracefulMilliseconds)
    service.recordGathered()
    _ = try? home.log.appendAndWait(.event(.daemonStopped))  // also waits for every entry before it
    _ = workers.drain(milliseconds: Self.gracefulMilliseconds)
    hub.settle(milliseconds: Self.settlingMilliseconds)
    journalReporter.end()
    busApps.stop()
    loop.stop(within: Self.gracefulMilliseconds)
    workers.close()
    home.close()
    checkpoint?.keep(home.log)
  }
}
