import Backups
import Console
import Desktop
import LocalApps
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
    _ hub: RelayHub, _ observer: Observer, _ checkpoint: CheckpointFile?,
    desktop: @escaping @Sendable () -> DesktopNotifier.Condition?
  ) -> @Sendable () -> RunningStatus? {
    {
      var status = RunningStatus(observer.look())
      (status.process, status.console, status.relays) = (Int64(getpid()), hub.consoleAddress, hub.health())
      status.desktop = DesktopCondition(desktop())
      status.checkpoint = checkpoint?.path
      return status
    }
  }

  /// Carries requests through the engine. Answers go to the relays, or to the program on this machine that asked.
  static func signing(
    _ options: UpOptions, _ home: OpenedHome, _ hub: RelayHub, _ loop: EventLoop, _ workers: Workers, _ answers: LocalAnswers
  ) -> SigningService {
    SigningService(
      home: home, workers: workers,
      publishing: .init(
        send: { reply, origin, relays, done in
          guard let local = reply.local else { return hub.publish(reply, origin, relays, done) }
          done(answers.deliver(local))
        },
        soon: { job in loop.post(job) }),
      isHere: Monitoring.isLoopback(options.host), authURL: options.authURL)
  }
}

extension RunningSigner.Connections {
  init(_ hub: RelayHub) {
    self.init(
      greet: { uri, signer in hub.greet(uri, signer: signer) },
      whenListening: { relays, ready in hub.whenListening(on: relays, ready) },
      linkRelays: { hub.linkRelays }, signInLink: { hub.endpoint.console?.makeLink(for: $0) },
      isConsoleHere: { hub.endpoint.console?.isOnThisMachine ?? false })
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
