import AuditLog
import Curve
import Encodings
import Identities
import JSON
import Nostr
package import OwnerAPI
import Platform
package import RemoteSigning
import RequestPreview
import Signer
import Vault

/// The waiting requests: `request/*`, except for answers to them.
extension Operations {
  static let requestHandlers: [OperationHandler] = [
    .init(RequestList.self) { operations, request, _ in try operations.listRequests(request) },
    .init(RequestShow.self) { operations, request, _ in try operations.showRequest(request) },
    // The daemon handles it before this, because its response may take a minute.
    .init(RequestWatch.self) { _, _, _ in throw OperationError.needsDaemon },
    .init(RequestOutcomes.self) { operations, request, _ in try operations.outcomes(request) },
    .init(RequestApprove.self) { try $0.answerRequests($1.answer, approve: true, $2) },
    .init(RequestDeny.self) { try $0.answerRequests($1, approve: false, $2) },
  ]

  private func listRequests(_ request: RequestList.Request) throws -> RequestList.Response {
    var response = RequestList.Response()
    let app = try request.client.map { try client(AppRequest($0)).remoteSigner }
    response.requests = waitingRequests { app == nil || $0.remoteSigner == app }
    // After a start while locked, earlier requests come back when the log can be read.
    response.unread = home.isStartRead ? nil : true
    return response
  }

  private func showRequest(_ request: RequestShow.Request) throws -> WaitingRequestDetail {
    let queue = home.engine.pendingRequests
    let found = try waiting(request.id, in: queue)
    let description = description(of: found, home.engine.pairings, batches(of: queue))
    return WaitingRequestDetail(description, presence: presence(of: found), names: names(in: description))
      .hidden(if: home.sessionLock.isLocked, isKeyAway: home.engine.isKeyAway(found.identity))
  }

  private func outcomes(_ request: RequestOutcomes.Request) throws -> RequestOutcomes.Response {
    guard let running else { throw OperationError.needsDaemon }
    guard request.ids.count <= PendingRequest.maximumHeld else {
      throw OperationError.usage("“ids” names more requests than can wait.")
    }
    var response = RequestOutcomes.Response()
    response.outcomes = request.ids.compactMap { id in running.course(of: id).map { RequestOutcome(id, $0) } }
    return response
  }

  /// The shortest beginning of an id that names a request, in hex digits.
  private static let shortestPrefix = 4

  /// The request with an id, or with an id's first digits if no other begins so.
  ///
  /// A request that is gone counts as well: the owner may have seen its id, and must not answer another request with it.
  func waiting(_ id: String, in queue: [PendingRequest]) throws -> PendingRequest {
    if let exact = queue.first(where: { $0.name == id }) { return exact }
    guard Self.isRequestID(id) else { throw OperationError.notAnID }
    let names = home.engine.requestNames(beginningWith: id)
    guard names.count < 2 else { throw OperationError.ambiguous(id, names.count) }
    guard let found = queue.first(where: { $0.name.hasPrefix(id) }) else { throw OperationError.noSuchRequest }
    return found
  }

  static func isRequestID(_ id: String) -> Bool {
    (shortestPrefix...longestID).contains(id.utf8.count) && id.utf8.allSatisfy(Hex.isDigit)
  }

  /// More hex digits than any id has.
  private static let longestID = 64

  /// The heading of a request, for the one who answered it: “Change your profile, for Amethyst”.
  func heading(of request: PendingRequest) -> String {
    let described = description(of: request, home.engine.pairings, batches(of: [request]))
    return described.title + ", for " + AppName.shown(described.clientName, request.client.hex)
  }

  /// The meant ones of all waiting requests, in order. A request that is not stored yet is left out, because a crash could still
  /// lose it.
  package func waitingRequests(_ isMeant: (PendingRequest) -> Bool) -> [WaitingRequest] {
    let (waiting, pairings) = (home.engine.pendingRequests, home.engine.pairings)
    let stored = waiting.isEmpty ? nil : home.store.storedNames
    let queue = waiting.filter { stored?.contains($0.name) ?? true }
    let (batches, isLocked) = (batches(of: queue), home.sessionLock.isLocked)
    return queue.filter(isMeant).map { request in
      let description = description(of: request, pairings, batches)
      return WaitingRequest(description, presence: presence(of: request), names: names(in: description))
        .hidden(if: isLocked, isKeyAway: home.engine.isKeyAway(request.identity))
    }
  }

  private func description(of request: PendingRequest, _ pairings: [Pairing], _ batches: Batches) -> RequestDescription {
    let replaced = replaced(by: request)
    return RequestDescription(
      request,
      .init(
        pairing: pairings.first { $0.remoteSigner == request.remoteSigner }, identityName: name(ofIdentity: request.identity),
        facts: home.engine.facts(of: request), before: replaced.before,
        batches: batches, lookup: replaced.lookup))
  }

  /// The waiting requests that can be answered together.
  func batches(of queue: [PendingRequest]) -> Batches { Batches(queue) { presence(of: $0) != nil } }

  private func presence(of request: PendingRequest) -> PresenceProof? {
    home.sessionLock.protection(of: request.identity).presence.flatMap { PresenceProof(rawValue: $0) }
  }
}

extension RequestOutcome {
  fileprivate init(_ id: String, _ course: ApprovedRequests.Course) {
    self.init()
    self.id = id
    switch course {
    case .underWay: state = .doing
    case .done: state = .done
    case .delivered: state = .delivered
    case .undelivered: state = .undelivered
    case .failed(let error): (state, failure) = (.failed, error.words ?? "the signer could not do it")
    }
  }
}
