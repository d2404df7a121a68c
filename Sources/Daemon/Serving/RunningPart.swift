internal import Console
internal import Curve
internal import Encodings
import Glibc
internal import JSON
internal import RemoteSigning

/// What the owner's commands need of the running daemon.
final class RunningPart: Running {
  private let service: SigningService
  private let hub: RelayHub
  private let observer: Observer

  init(core: Core, service: SigningService, hub: RelayHub, observer: Observer) {
    (self.service, self.hub, self.observer) = (service, hub, observer)
  }

  func reconsider(_ remoteSigner: PublicKey) -> [String] { service.reconsider(remoteSigner) }
  func answer(_ name: String, approve: Bool, via channel: OwnerChannel) -> Bool {
    service.answer(name, approve: approve, via: channel)
  }

  func greet(_ uri: NostrConnectURI, signer: KeyPair) { hub.greet(uri, signer: signer) }

  var linkRelays: [RelayURL] { hub.linkRelays }

  func signInLink() -> (url: String, expires: Int64)? { hub.front.console?.makeLink() }

  func report() -> [JSONValue.Member] {
    let seen = observer.look()
    return [
      .init("pid", .integer(Int64(getpid()))), .init("console", .string(hub.consoleAddress)),
      .init("relays", .array(hub.health())),
    ] + StatusReport.members(seen)
  }
}
