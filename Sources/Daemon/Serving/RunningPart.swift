internal import Curve
internal import Encodings
import Glibc
internal import JSON
internal import RemoteSigning

/// What the owner's commands need of the running daemon.
final class RunningPart: Running {
  private let core: Core
  private let service: SigningService
  private let hub: RelayHub
  private let startedAt = Clock.boot

  init(core: Core, service: SigningService, hub: RelayHub) { (self.core, self.service, self.hub) = (core, service, hub) }

  func carryOut(_ exchange: Exchange, answering name: String) { service.carryOut(exchange, answering: name) }

  func greet(_ uri: NostrConnectURI, signer: KeyPair) { hub.greet(uri, signer: signer) }

  var linkRelays: [RelayURL] { hub.linkRelays }

  func report() -> [JSONValue.Member] {
    let counts = service.counts
    return [
      .init("pid", .integer(Int64(getpid()))), .init("uptime", .integer(Clock.boot - startedAt)),
      .init("console", .string(hub.consoleAddress)), .init("relays", .array(hub.health())),
      .init("answered", .integer(Int64(counts.answered))), .init("signed", .integer(Int64(counts.signed))),
      .init("failed", .integer(Int64(counts.failed))), .init("unrecorded", .integer(Int64(counts.unrecorded))),
      .init(
        "dropped",
        .object(
          DropReason.allCases.compactMap { reason in
            counts.dropped[reason].map { .init(reason.rawValue, .integer(Int64($0))) }
          })), .init("memory_kib", .integer(residentKiB())),
    ]
  }
}
