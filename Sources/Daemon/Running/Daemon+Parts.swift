import Backups
import Console
import Curve
import Desktop
import JSON
import LocalAccess
import LocalApps
import Notifications
import Observability
import OwnerAPI
import OwnerOperations
import OwnerWords
import Platform
import RemoteSigning
import Signer
import Sockets
import WebPush

/// What the daemon passes to the operations and to its observer, so that neither depends on the daemon.
extension Daemon {
  /// What `status` adds for a running signer.
  /// - Parameter desktop: whether the desktop can be notified.
  static func report(
    _ options: UpOptions, _ hub: RelayHub, _ observer: Observer, _ checkpoint: CheckpointFile?,
    desktop: @escaping @Sendable () -> DesktopNotifier.Condition?
  ) -> @Sendable () -> RunningStatus? {
    let elsewhere = consoleElsewhere(options, hub.endpoint)
    let start = TrialRun.command(options, hub)
    return {
      var status = RunningStatus(observer.look())
      (status.process, status.console, status.relays) = (Int64(getpid()), hub.consoleAddress, hub.health())
      status.unreachedApps = hub.unreachedApps()
      status.consoleElsewhere = elsewhere
      status.start = options.isTrial ? nil : start(options.home)
      status.desktop = DesktopCondition(desktop())
      status.checkpoint = checkpoint?.path
      return status
    }
  }

  /// What notifies and asks on the desktop.
  static func desktop(_ options: UpOptions, _ home: OpenedHome, _ queue: OwnerQueue, _ hub: RelayHub) -> DesktopService {
    DesktopService(
      home.engine, home.identities, home.sessionLock, home.signerEvents, latest: home.latestEvent,
      mode: .init(rawValue: options.desktop) ?? .answer, console: hub.consoleAddress
    ) { name, approve in
      queue.take(ControlRequest(approve ? "request/approve" : "request/deny", ["id": .string(name)]), via: .desktop) { _ in }
    }
  }

  /// The window that opens by itself.
  static func window(_ home: OpenedHome, _ hub: RelayHub) -> ConsentWindow {
    ConsentWindow(
      home.engine, .init(isPageOpen: { hub.endpoint.console?.isPageOpen ?? true }, address: { link(to: "approvals", hub) }))
  }

  /// The icon in the panel.
  static func tray(_ home: OpenedHome, _ hub: RelayHub, _ queue: OwnerQueue) -> TrayService {
    TrayService(home.engine) { action in
      func ask(_ operation: String, _ parameters: JSONValue = [:]) {
        queue.take(ControlRequest(operation, parameters), via: .desktop) { _ in }
      }
      switch action {
      case .approvals: link(to: "approvals", hub).map(Browser.openWindow)
      case .console: link(to: "home", hub).map(Browser.openWindow)
      case .lock: ask("lock")
      case .pause:
        for app in home.engine.pairings where !app.grant.isSuspended {
          ask("client/suspend", ["client": .string(app.remoteSigner.hex)])
        }
      case .line: break
      }
    }
  }

  /// A link to a page of the console. It signs in, once, and this user's browsers only.
  private static func link(to page: String, _ hub: RelayHub) -> String? {
    guard let console = hub.endpoint.console else { return nil }
    guard console.isOnThisMachine else { return console.address + "#/" + page }
    return (console.makeLink(for: geteuid())?.url).map { $0 + "/" + page }
  }

  /// Carries requests through the engine. Answers go to the relays, or to the program on this machine that asked.
  static func signing(
    _ options: UpOptions, _ home: OpenedHome, _ hub: RelayHub, _ loop: EventLoop, _ workers: Workers, _ round: RequestRound,
    _ answers: LocalAnswers
  ) -> SigningService {
    SigningService(
      home: home, workers: workers, round: round,
      publishing: .init(
        send: { reply, origin, relays, done in
          guard let local = reply.local else { return hub.publish(reply, origin, relays, done) }
          done(answers.deliver(local))
        },
        soon: { job in loop.isLoopThread ? job() : loop.post(job) }),
      isHere: Monitoring.isLoopback(options.host), authURL: options.authURL)
  }
}

extension RunningSigner.Connections {
  init(_ hub: RelayHub) {
    self.init(
      greet: { uri, signer in hub.greet(uri, signer: signer) },
      whenListening: { relays, ready in hub.whenListening(on: relays, ready) },
      linkRelays: { hub.linkRelays }, signInLink: { hub.endpoint.console?.makeLink(for: $0) },
      isConsoleHere: { hub.endpoint.console?.isOnThisMachine ?? false }, listenAnew: { hub.listenAnew(at: $0) })
  }
}

extension Observer.Sources {
  init(_ home: OpenedHome, _ hub: RelayHub, _ backups: Backups) {
    self.init(
      home: { home.figures }, relays: { hub.observedRelays }, embedded: { hub.observedClients },
      connections: { hub.endpoint.connections },
      backups: {
        guard let plan = try? backups.records.plan() else { return .init() }
        return .init(failures: plan.failures, isFailing: plan.failures >= BackupDue.failuresTold, last: plan.lastDone)
      })
  }
}

extension PushSender.Options {
  init(_ options: UpOptions) {
    self.init()
    allowsPrivateAddresses = options.pushAllowsPrivate
    isOwn = { OwnNetworks.now().contains($0) }
    certificates = options.pushCertificates
  }
}

extension Daemon {
  /// Takes the owner's commands at the control socket.
  func listenForTheOwner() throws(OperationError) {
    let (queue, watch, sessionLock) = (queue, watch, home.sessionLock)
    let control = ControlService(refused: { sessionLock.reportBeside(.otherUser) }) { request, answer in
      if request.operation == RequestFeed.operation { return watch.take(request, answer) }
      queue.take(request, via: .command, answer)
    }
    let place = Listener.Options(unix: home.folder.controlSocket, connections: SocketLimits.ownersConnections)
    do { _ = try loop.listen(place, service: control.service) } catch {
      throw OperationError(error)
    }
  }

  /// Takes requests of programs on this machine, at the apps' socket and on the session bus.
  func serveLocalApps() throws(OperationError) {
    guard home.damagedView == nil else { return }  // nothing can be stored there
    let place = Listener.Options(unix: home.folder.appSocket, connections: AppSocket.connections)
    do { _ = try loop.listen(place, service: localApps.lines) } catch {
      throw OperationError(error)
    }
    if options.dbus { busApps.start() }
  }
}
