internal import Console
internal import Curve
internal import Encodings
internal import OwnerAPI
internal import Platform
internal import RemoteSigning
internal import Signer

/// What the owner's commands need of the running daemon.
final class RunningPart: Running {
  private let service: SigningService
  private let hub: RelayHub
  private let observer: Observer
  let pushes: PushService?
  let guardians: GuardianService?
  private let desktop = Locked<DesktopService?>(nil)
  /// Where a checkpoint of the log is kept, for `doctor`.
  private let checkpoint: CheckpointFile?

  init(
    core: Core, service: SigningService, hub: RelayHub, observer: Observer, pushes: PushService, guardians: GuardianService,
    checkpoint: CheckpointFile?
  ) {
    self.checkpoint = checkpoint
    (self.service, self.hub, self.observer, self.pushes, self.guardians) = (service, hub, observer, pushes, guardians)
  }

  func reconsider(_ remoteSigner: PublicKey) -> [String] { service.reconsider(remoteSigner) }
  func answer(_ name: String, approve: Bool, key: KeyPair?, via channel: OwnerChannel) -> Bool {
    service.answer(name, approve: approve, key: key, via: channel)
  }
  /// The desktop takes answers by the operations, which are made of this: so it comes afterwards.
  func show(_ desktop: DesktopService) { self.desktop.withLock { $0 = desktop } }

  func greet(_ uri: NostrConnectURI, signer: KeyPair) { hub.greet(uri, signer: signer) }

  func whenListening(on relays: [RelayURL], _ ready: @escaping @Sendable ([RelayURL]) -> Void) {
    hub.whenListening(on: relays, ready)
  }

  var linkRelays: [RelayURL] { hub.linkRelays }

  func signInLink() -> (url: String, expires: Int64)? { hub.endpoint.console?.makeLink() }

  func report() -> RunningStatus? {
    var status = RunningStatus(observer.look())
    (status.process, status.console, status.relays) = (Int64(getpid()), hub.consoleAddress, hub.health())
    status.desktop = DesktopCondition(desktop.withLock { $0?.condition })
    status.checkpoint = checkpoint?.path
    return status
  }
}
