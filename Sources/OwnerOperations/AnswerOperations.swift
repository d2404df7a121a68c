internal import AuditLog
internal import JSON
internal import OwnerAPI
internal import RemoteSigning
internal import RequestPreview
internal import Signer

/// The owner's answers to what waits: one request or many in one operation, with what is to be remembered of it.
extension Operations {
  /// `id` or `ids`, and perhaps `remember` (how long the same answer holds for what is alike) and `permission` (for what).
  func answerRequests(_ given: Parameters, approve: Bool) throws -> JSONValue {
    guard let running else { throw OperationError.needsDaemon }
    let named = try named(given)
    // What waits goes on waiting: an approval is carried out at once or not at all.
    if approve, !named.found.isEmpty, named.found.allSatisfy({ core.engine.isKeyAway($0.identity) }) {
      throw OperationError.unlockFirst
    }
    let keys = approve ? try keysForOneUse(given, of: named.found.map(\.identity)) : [:]
    let remembered = try remember(given, approve: approve, about: named.found)
    var (answered, missing) = ([String](), named.missing)
    for request in named.found {
      if running.answer(request.name, approve: approve, key: keys[request.identity], via: given.channel) {
        answered.append(request.name)
      } else {
        let isLocked = approve && core.engine.pendingRequest(request.name) != nil
        missing.append((request.name, isLocked ? "the signer was locked just now; the request waits" : Self.notWaiting))
      }
    }
    if approve, answered.isEmpty, named.found.contains(where: { core.engine.isKeyAway($0.identity) }) {
      throw OperationError.unlockFirst
    }
    if given["ids"] == nil && answered.isEmpty { throw OperationError.noSuchRequest }
    let also = remembered.flatMap { running.reconsider($0.remoteSigner) }
    return Self.result(answered, missing, also)
  }

  private static let notWaiting = "no request of that name waits"

  /// The requests that are meant, each once, and those that cannot be found.
  private func named(
    _ given: Parameters
  ) throws -> (found: [PendingRequest], missing: [(id: String, why: String)]) {
    let queue = core.engine.pendingRequests
    guard given["ids"] != nil else { return ([try waiting(given.text("id"), in: queue)], []) }
    let ids = try given.texts("ids")
    guard !ids.isEmpty else { throw OperationError.usage("“ids” names no request.") }
    guard ids.count <= PendingRequest.maximumHeld else { throw OperationError.usage("That is more than ever waits.") }
    var (found, missing): ([PendingRequest], [(id: String, why: String)]) = ([], [])
    for id in ids {
      do {
        let request = try waiting(id, in: queue)
        if !found.contains(where: { $0.name == request.name }) { found.append(request) }
      } catch {
        missing.append((id, OperationError(error).exit == .notFound ? Self.notWaiting : "several requests begin with that"))
      }
    }
    return (found, missing)
  }

  private static func result(_ answered: [String], _ missing: [(id: String, why: String)], _ also: [String]) -> JSONValue {
    .object([
      .init("answered", .array(answered.map { .string($0) })),
      .init("missing", .array(missing.map { ["id": .string(DescriptionPage.line($0.id)), "why": .string($0.why)] })),
      .init("also", .array(also.map { .string($0) })),
    ])
  }
}

extension OperationError {
  static let noSuchRequest = notFound(
    "No request of that name waits; it may have been answered, or its app is gone.", hint: "See: holdfast request list")
}
