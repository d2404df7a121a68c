import AuditLog
import Backups
import CLinux
import Ciphers
import Console
import Curve
import Guardians
import Identities
import JSON
import LocalAccess
import Nostr
import Notifications
import Observability
package import OwnerAPI
package import OwnerOperations
import Platform
import RemoteSigning
import SecretMemory
package import Signer
package import Sockets
import Vault

/// The running signer: an opened home, its relays, the control socket and the threads between them.
package final class Daemon: Sendable {
  let options: UpOptions
  let core: Core
  private let services: Services
  let loop: EventLoop
  let workers: Workers
  package let hub: RelayHub
  private let service: SigningService
  package let operations: Operations
  let queue: OwnerQueue
  private let watch: RequestFeed
  private let observer: Observer
  private let crier: JournalReporter
  private let pushes: PushService
  private let guardians: GuardianService
  private let desktop: DesktopService
  private let checkpoint: CheckpointFile?

  /// How long the end may take, in milliseconds, for what was accepted and for what is still to be sent.
  private static let gracefulMilliseconds = 5_000
  /// How long the end waits for relays to say that they took the last answers, in milliseconds.
  private static let settlingMilliseconds = 2_000

  /// Runs until the process is asked to end by SIGINT, SIGTERM or SIGHUP. Call on the main thread, before any other is started.
  /// - Parameters:
  ///   - evidence: opens the vault; nil for a trial. One that does not open the identities' keys leaves them locked.
  ///   - remarks: what the person should know besides.
  ///   - ready: called once, when apps can pair.
  package static func run(
    _ options: UpOptions, evidence: StartCredential?, remarks: [String], ready: (Ready) -> Void
  ) throws(OperationError) {
    Signals.hold()
    holdfast_raise_open_files(UInt(SocketLimits.descriptors))
    let trial = options.isTrial ? TemporaryHome.make(kinds: options.home.kinds) : nil
    defer { if let trial { TemporaryHome.wipe(trial) } }
    if options.isTrial && trial == nil {
      throw .failed(
        "The folder for temporary files cannot be written.", hint: "Name another one: TMPDIR=FOLDER holdfast up --trial")
    }
    let core = try open(options, trial, evidence)
    let (daemon, compared): (Daemon, String?)
    do {
      compared = try options.checkpointFile?.compare(core.log, core.home)
      daemon = try Daemon(options, core)
    } catch {
      core.close()
      throw OperationError(error)
    }
    do {
      ready(try daemon.greet(remarks + (compared.map { [$0] } ?? [])))
      daemon.crier.begin()
      holdfast_forget_program_pages()
      Signals.waitForEnd()
    } catch {
      daemon.stop()
      throw error
    }
    daemon.stop()
  }

  private static func open(
    _ options: UpOptions, _ trial: Home?, _ first: StartCredential?
  ) throws(OperationError) -> Core {
    if let trial {
      do {
        let random = try SecretBytes(randomCount: 32)
        return try Opening.core(
          home: trial, vault: try Vault.create(home: trial.path, passphrase: random, cost: .floor, kinds: trial.kinds),
          isTrial: true)
      } catch { throw OperationError(error) }
    }
    guard let evidence = first?.take() else { throw .usage("A passphrase is needed to open the vault.") }
    let core = try Opening.coreOrDamagedView(home: options.home, evidence: evidence)
    if let look = core.damagedView, core.identities.all.isEmpty {
      core.close()
      throw look.refusal
    }
    // Shut when it ended, shut again: a restart, perhaps by a service manager that knows the passphrase, is no way around it.
    if core.sessionLock.isSuspended, !core.identities.all.isEmpty {
      core.sessionLock.lock("suspended since before the start", everything: true)
    }
    return core
  }

  // MARK: start

  package init(_ options: UpOptions, _ core: Core) throws(OperationError) {
    (self.options, self.core, services) = (options, core, Services(core))
    workers = Workers(count: Self.workerCount)
    do { loop = try EventLoop() } catch { throw OperationError(error) }
    loop.start()
    let monitoring = Monitoring(host: options.host, isOpen: options.metrics, workers)
    hub = try RelayHub(options, core, loop, workers, monitoring)
    core.engine.setOwnersRelays(hub.ownersRelays)
    service = Self.signing(options, core, hub, loop, workers)
    checkpoint = options.checkpointFile
    observer = Observer(core: core, workers: workers, checkpoint: checkpoint, .init(hub, services.backups))
    pushes = PushService(
      core.engine, core.signerEvents, book: services.pushes, options: .init(options), contact: options.pushContact)
    guardians = GuardianService(
      services.guardians, core.identities, core.sessionLock, core.signerEvents, log: core.log, loop, workers,
      relays: options.relays)
    let shownDesktop = Locked<DesktopService?>(nil)
    let report = Self.report(hub, observer, checkpoint) { shownDesktop.withLock { $0?.condition } }
    operations = Operations(
      core: core, services, running: RunningSigner(service, .init(hub), pushes: pushes, guardians: guardians, report: report))
    queue = OwnerQueue(operations, workers)
    desktop = Self.desktop(options, core, queue, hub)
    // The desktop takes answers by the operations, whose status tells of it: so it comes afterwards.
    shownDesktop.change { [desktop] in $0 = desktop }
    watch = RequestFeed(operations, workers) { [loop] milliseconds, job in _ = loop.after(milliseconds: milliseconds, job) }
    crier = Self.reporter(options, core, hub, workers)
    try begin(monitoring)
  }

  private static func signing(
    _ options: UpOptions, _ core: Core, _ hub: RelayHub, _ loop: EventLoop, _ workers: Workers
  ) -> SigningService {
    SigningService(
      core: core, workers: workers,
      publishing: .init(
        send: { reply, origin, relays, done in hub.publish(reply, origin, relays, done) },
        soon: { job in loop.post(job) }),
      isHere: Monitoring.isLoopback(options.host), authURL: options.authURL)
  }

  private static func desktop(_ options: UpOptions, _ core: Core, _ queue: OwnerQueue, _ hub: RelayHub) -> DesktopService {
    DesktopService(
      core.engine, core.identities, core.sessionLock, core.signerEvents,
      mode: .init(rawValue: options.desktop) ?? .answer, console: hub.consoleAddress + "#/approvals"
    ) { name, approve in
      queue.take(ControlRequest(approve ? "request/approve" : "request/deny", ["id": .string(name)]), via: .desktop) { _ in }
    }
  }

  private static func reporter(_ options: UpOptions, _ core: Core, _ hub: RelayHub, _ workers: Workers) -> JournalReporter {
    let stream = getenv("JOURNAL_STREAM").map { String(cString: $0) }
    return JournalReporter(
      core.engine, core.sessionLock, core.signerEvents, workers: workers,
      writer: .fitting(STDERR_FILENO, isQuiet: options.isQuiet, stream: stream),
      relays: { hub.observedRelays }, home: options.isTrial || options.isHomeNamed ? core.home.path : nil)
  }

  /// Begins all that was made: first what listens to the signer, then what lets the owner in, then the apps.
  private func begin(_ monitoring: Monitoring) throws(OperationError) {
    beginServices()
    monitoring.begin { [observer] in observer.look() }
    try openConsole()
    try listenForTheOwner()
    serveApps()
    beginSession()
    if core.damagedView == nil { services.backups.serve() }  // no lesser backup takes the place of a whole one
    clearOutboxSoon()
    core.outbox.whenClearable { [weak self] in self?.clearOutboxSoon() }
    scheduleUpkeep()
    watchClock(Self.clockOffset)
  }

  private func beginServices() {
    core.meters.listen(to: core.signerEvents, known: core.engine.pendingRequests, now: { Clock.seconds })
    pushes.begin(workers)
    desktop.begin(workers)
    CommandUser.show { [weak desktop] in desktop?.show(question: $0) }
    if core.damagedView == nil { guardians.begin() }  // letters that a look took in would be lost
  }

  private func serveApps() {
    hub.begin { [service] event, origin, isVerified, mayWait in
      service.take(event, from: origin, isVerified: isVerified, mayWait: mayWait)
    }
    core.signerEvents.subscribe { [hub] signerEvent in if case .clientsChanged = signerEvent { hub.refresh() } }
    core.log.append(.event(.daemonStarted)) { _ in }
    workers.submitAlways { [service] in
      service.reconsider()
      service.sendOwed()
    }
  }

  private func beginSession() {
    // A trial's vault has a passphrase that nobody knows: it is never locked.
    guard !core.isTrial else { return }
    core.session.begin()
    core.fingers.begin()
  }

  private func listenForTheOwner() throws(OperationError) {
    let (queue, watch, gate) = (queue, watch, core.sessionLock)
    let control = ControlService(refused: { gate.reportBeside(.otherUser) }) { request, answer in
      if request.operation == RequestFeed.operation { return watch.take(request, answer) }
      queue.take(request, via: .command, answer)
    }
    var place = Listener.Options(.unix(path: core.home.controlSocket))
    var limits = Admission.Limits()
    limits.connections = SocketLimits.ownersConnections
    place.admission = Admission(limits)
    do { _ = try loop.listen(place, service: control.service) } catch {
      throw OperationError(error)
    }
  }

  /// The link to show: one that is still open for the same identity, trust and relays, else a new one.
  private func greet(_ remarks: [String]) throws(OperationError) -> Ready {
    guard let trust = TrustLevel(rawValue: options.trust) else { throw .usage("Trust is full, medium or low.") }
    let hadIdentity = !core.identities.all.isEmpty
    if !hadIdentity {
      try OperationError.wrapping { try operations.createIdentity(named: options.identity ?? Self.firstName) }
    }
    let identity = try OperationError.wrapping { try operations.identity(named: options.identity) }
    let relays = hub.linkRelays
    let now = Clock.seconds
    let known = core.engine.openLinks.first { link in
      guard link.identity == identity.publicKey, link.trust == trust, link.relays == relays else { return false }
      return link.expiresAt > now + Self.shortestUse
    }
    // A signer that was killed and starts by the keyring pairs no app before it is unlocked. It still has to run, so that it can be.
    var link = known
    if link == nil, !core.isUnsure {
      link = try OperationError.wrapping { try operations.newLink(identity, trust, relays: relays) }
    }
    let unreached = hub.waitForListening(on: relays).map {
      "Not connected to \($0.text) yet: until then, apps get no answer there."
    }
    return Ready(
      bunker: link?.uri.text, pubkey: identity.publicKey.hex, npub: identity.publicKey.npub, identity: identity.name,
      relay: hub.nearestRelay?.text ?? "", console: hub.consoleAddress,
      signIn: options.isTrial ? hub.endpoint.console?.makeLink()?.url : nil,
      home: core.home.path, trust: trust.rawValue,
      madeIdentity: !hadIdentity, isShut: core.sessionLock.isSuspended,
      remarks: remarks + (core.damagedView.map { [$0.refusal.error] } ?? []) + core.sessionLock.remarks + hub.remarks + unreached)
  }

  /// One worker a core, two at least, so that one slow request does not hold all others.
  private static var workerCount: Int { max(2, min(8, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  /// The name of an identity that is made because there is none.
  private static let firstName = "main"
  /// A link with less time left, in seconds, is not shown again.
  private static let shortestUse: Int64 = 3600

  // MARK: upkeep and end

  private static let upkeepMilliseconds = 60_000
  /// So long the entries of changes are gathered before they are taken out of the vault together, in milliseconds.
  private static let clearingMilliseconds = 1_000

  private func clearOutboxSoon() {
    let (outbox, workers) = (core.outbox, workers)
    _ = loop.after(milliseconds: Self.clearingMilliseconds) { workers.submitAlways { outbox.clear() } }
  }

  /// Runs it on a thread of its own.
  private static func beside(_ body: @escaping @Sendable () -> Void) {
    guard SystemThread.startDetached(body) else { return body() }
  }

  private func scheduleUpkeep() {
    let (core, hub, workers, service, observer, crier, guardians) = (core, hub, workers, service, observer, crier, guardians)
    let (checkpoint, backups) = (checkpoint, services.backups)
    _ = loop.after(milliseconds: Self.upkeepMilliseconds) { [weak self] in
      // However much waits: a flood must not put it off for good.
      workers.submitAlways {
        core.sessionLock.tellHeldBack()
        core.sessionLock.checkLog(core.home.log)
        core.saveUse()
        service.recordGathered()
        guardians.recordLogins()
        Self.beside { core.dropOldContent() }  // reads and writes the whole log: it would hold up a worker
        core.noteLog()
        core.outbox.clear()
        checkpoint?.keep(core.log)
        crier.look(at: observer.look())
        core.dropOldLinks(now: Clock.seconds)
        core.dropOldEndings(now: Clock.seconds)
        hub.refresh()  // leaves relays that were kept for apps whose pairing ended
        service.dropExpired()
        if core.damagedView == nil { backups.runIfDue() }
      }
      self?.scheduleUpkeep()
    }
  }

  private static let clockMilliseconds = 10_000
  /// A clock that drifts or is slewed stays within this between two looks, in seconds.
  private static let toleratedStep: Int64 = 5
  /// The wall clock beside one that nobody sets, in seconds.
  private static var clockOffset: Int64 { Clock.seconds - Clock.boot }

  // A machine that starts with a wrong clock gets it set later. Until the relays are asked again, they hold back what apps send.
  private func watchClock(_ known: Int64) {
    _ = loop.after(milliseconds: Self.clockMilliseconds) { [weak self] in
      let now = Self.clockOffset
      if (now - known).magnitude > UInt64(Self.toleratedStep) { self?.hub.listenAnew() }
      self?.watchClock(now)
    }
  }

  /// The embedded relay, else the first outside.
  package var nearestRelay: WebSocketURL? { hub.nearestRelay }

  /// Finishes what was accepted, sends what is left to send, then closes.
  package func stop() {
    watch.close()
    hub.stopTaking()
    pushes.stop()
    guardians.stop()
    CommandUser.show(nil)
    desktop.stop()
    services.backups.stop()
    queue.drain(milliseconds: Self.gracefulMilliseconds)
    loop.waitForJobs(milliseconds: Self.gracefulMilliseconds)  // a request may be under way there
    _ = workers.drain(milliseconds: Self.gracefulMilliseconds)
    service.recordGathered()
    _ = try? core.log.appendAndWait(.event(.daemonStopped))  // also waits for every entry before it
    _ = workers.drain(milliseconds: Self.gracefulMilliseconds)
    hub.settle(milliseconds: Self.settlingMilliseconds)
    crier.end()
    loop.stop(within: Self.gracefulMilliseconds)
    workers.close()
    core.close()
    checkpoint?.keep(core.log)
  }
}
