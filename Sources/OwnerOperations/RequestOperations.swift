internal import AuditLog
internal import Curve
internal import JSON
internal import Nostr
internal import OwnerAPI
internal import Platform
internal import RemoteSigning
internal import RequestPreview
internal import Signer
internal import Vault

extension Operations {
  func listRequests() -> JSONValue {
    // Those of before a start while locked come back when the log can be read.
    .object([.init("requests", .array(accounts { _ in true }))] + (core.isStartRead ? [] : [.init("unread", true)]))
  }

  func showRequest(_ given: Parameters) throws -> JSONValue {
    let queue = core.engine.pendingRequests
    let request = try waiting(given.text("id"), in: queue)
    return .object(account(of: request, core.engine.pairings, Batches(queue)).whole)
  }

  /// The shortest part of an id that names a request, in hex digits.
  private static let shortestPrefix = 4

  /// The request of an id, or of an id's first digits where no other begins so.
  func waiting(_ id: String, in queue: [PendingRequest]) throws -> PendingRequest {
    if let exact = queue.first(where: { $0.name == id }) { return exact }
    let found = id.utf8.count >= Self.shortestPrefix ? queue.filter { $0.name.hasPrefix(id) } : []
    guard let first = found.first else {
      throw OperationError.notFound(
        "No request of that name waits; it may have been answered, or its app is gone.", hint: "See: holdfast request list")
    }
    guard found.count == 1 else {
      throw OperationError.failed(
        "\(found.count) requests begin with that.", hint: "Give more digits; see: holdfast request list")
    }
    return first
  }

  /// Accounts of those of all that wait, in order. One that is not on the disk yet is not shown: a crash could still lose it.
  func accounts(_ isMeant: (PendingRequest) -> Bool) -> [JSONValue] {
    let (waiting, pairings) = (core.engine.pendingRequests, core.engine.pairings)
    let stored = waiting.isEmpty ? nil : core.store.storedNames
    let queue = waiting.filter { stored?.contains($0.name) ?? true }
    let batches = Batches(queue)
    return queue.filter(isMeant).map { .object(account(of: $0, pairings, batches).members) }
  }

  private func account(of request: PendingRequest, _ pairings: [Pairing], _ batches: Batches) -> RequestDescription {
    RequestDescription(
      request,
      .init(
        pairing: pairings.first { $0.remoteSigner == request.remoteSigner }, identityName: name(ofIdentity: request.identity),
        scope: core.engine.facts(of: request)?.scope, before: request.kind.flatMap { core.latest($0, of: request.identity) },
        batches: batches, presence: core.sessionLock.protection(of: request.identity).presence))
  }
}
