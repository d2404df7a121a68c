import JSON
import OwnerAPI

/// What the toolbar page shows of the signer and of one site. Nothing in it signs anybody in.
struct ToolbarState {
  /// The most requests of the past, waiting requests and identities.
  static let (mostRecent, mostWaiting, mostIdentities) = (8, 16, 128)

  let status: StatusShow.Response
  let identities: [IdentitySummary]
  /// The sites that asked through this extension, each once for each identity.
  let callers: [AppSummary]
  let requests: [WaitingRequest]
  let recent: (AppSummary) -> [LogEntry]

  func json(origin: String?) -> JSONValue {
    .object(
      [
        .init("running", true), .init("locked", .bool(status.lock.isLocked || status.lock.isSuspended)),
        .init("console", status.running.map { .string($0.console) } ?? .null),
        .init("waiting", .integer(Int64(waiting(for: callers).count))),
        .init("identities", .array(identities.filter { !$0.isRetired }.prefix(Self.mostIdentities).map(identity))),
      ] + (origin.map { [.init("site", site($0))] } ?? []))
  }

  private func identity(_ identity: IdentitySummary) -> JSONValue {
    ["name": .string(identity.name), "pubkey": .string(identity.pubkey), "default": .bool(identity.isDefault)]
  }

  private func site(_ origin: String) -> JSONValue {
    let site = callers.filter { $0.site?.origin == origin }
    return [
      "callers": .array(site.map(caller)),
      "waiting": .array(waiting(for: site).prefix(Self.mostWaiting).map(request)),
      "recent": .array(entries(of: site).map(entry)),
    ]
  }

  private func caller(_ app: AppSummary) -> JSONValue {
    [
      "identity": .string(app.identity), "trust": .string(app.trust.rawValue), "firstUse": .bool(app.isFirstUse),
      "paused": .bool(app.isPaused),
    ]
  }

  private func waiting(for apps: [AppSummary]) -> [WaitingRequest] {
    let signers = Set(apps.map(\.signer))
    return requests.filter { signers.contains($0.client.signer) }
  }

  private func request(_ request: WaitingRequest) -> JSONValue {
    ["title": .string(request.title), "identity": .string(request.identity.name), "since": .integer(request.received)]
  }

  private func entries(of apps: [AppSummary]) -> [LogEntry] {
    let requests = apps.flatMap(recent).filter { $0.entry == .requestDecided }
    return Array(requests.sorted { $0.sequence > $1.sequence }.prefix(Self.mostRecent))
  }

  private func entry(_ entry: LogEntry) -> JSONValue {
    [
      "time": .integer(entry.time), "text": .string(entry.text),
      "decision": entry.decision.map { .string($0.rawValue) } ?? .null,
    ]
  }
}
