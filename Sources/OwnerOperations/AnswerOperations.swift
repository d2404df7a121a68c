import AuditLog
import OwnerAPI
import OwnerWords
import RemoteSigning
import RequestPreview
import Signer

/// The owner's answers to waiting requests: to one or many in one operation, with what is to be remembered of the answer.
extension Operations {
  func answerRequests(_ request: RequestAnswer, approve: Bool, _ call: OperationCall) throws -> AnsweredRequests {
    guard let running else { throw OperationError.needsDaemon }
    let named = try named(request)
    // The requests stay waiting: an approval is carried out at once or not at all.
    if approve, !named.found.isEmpty, named.found.allSatisfy({ home.engine.isKeyAway($0.identity) }) {
      throw OperationError.unlockFirst
    }
    if approve, call.channel == .console, !areAlike(named.found) { throw OperationError.notAlike }
    let keys = approve ? try keysForOneUse(call, of: named.found.map(\.identity)) : [:]
    let remembered = try remember(request, approve: approve, about: named.found, via: call.channel)
    let heading = named.found.count == 1 ? heading(of: named.found[0]) : nil
    let batch = request.ids == nil ? batches(of: home.engine.pendingRequests).key(of: named.found[0]) : nil
    var (answered, missing) = ([String](), named.missing)
    for found in named.found {
      if running.answer(found.name, approve: approve, key: keys[found.identity], via: call.channel) {
        answered.append(found.name)
      } else {
        let isLocked = approve && home.engine.pendingRequest(found.name) != nil
        missing.append((found.name, isLocked ? "the signer was locked just now; the request waits" : Self.notWaiting))
      }
    }
    if approve, answered.isEmpty, named.found.contains(where: { home.engine.isKeyAway($0.identity) }) {
      throw OperationError.unlockFirst
    }
    if request.ids == nil && answered.isEmpty { throw OperationError.noSuchRequest }
    let also = remembered.flatMap { running.reconsider($0.pairing.remoteSigner) }
    var result = Self.result(answered, heading, missing, also)
    result.alike = batch.flatMap(waiting(inBatch:))
    if !remembered.isEmpty { result.rules = Set(remembered.map { "\(approve ? "allow" : "deny")=\($0.permission)" }).sorted() }
    return result
  }

  /// The requests that still wait and can be answered together; nil if there are none.
  private func waiting(inBatch key: String) -> [String]? {
    let queue = home.engine.pendingRequests
    let batches = batches(of: queue)
    let alike = queue.filter { batches.key(of: $0) == key }.map(\.name)
    return alike.isEmpty ? nil : alike
  }

  /// Whether requests may be approved at once, by a button that shows only what they have in common.
  private func areAlike(_ requests: [PendingRequest]) -> Bool {
    guard requests.count > 1 else { return true }
    let batches = batches(of: home.engine.pendingRequests)
    return requests.allSatisfy { batches.key(of: $0).map { $0 == batches.key(of: requests[0]) } ?? false }
  }

  private static let notWaiting = "no waiting request has that id"

  /// The named requests, each once, and the names that match none.
  private func named(
    _ request: RequestAnswer
  ) throws -> (found: [PendingRequest], missing: [(id: String, why: String)]) {
    let queue = home.engine.pendingRequests
    guard let ids = request.ids else {
      guard let id = request.id else { throw OperationError(.missing("id")) }
      return ([try waiting(id, in: queue)], [])
    }
    guard !ids.isEmpty else { throw OperationError.usage("“ids” is empty: name at least one request.") }
    guard ids.count <= PendingRequest.maximumHeld else { throw OperationError.usage("“ids” names more requests than can wait.") }
    var (found, missing): ([PendingRequest], [(id: String, why: String)]) = ([], [])
    for id in ids {
      do {
        let request = try waiting(id, in: queue)
        if !found.contains(where: { $0.name == request.name }) { found.append(request) }
      } catch {
        missing.append((id, OperationError(error).exit == .failed ? "several request ids begin like this" : Self.notWaiting))
      }
    }
    return (found, missing)
  }

  private static func result(
    _ answered: [String], _ heading: String?, _ missing: [(id: String, why: String)], _ also: [String]
  ) -> AnsweredRequests {
    var response = AnsweredRequests()
    (response.answered, response.also) = (answered, also)
    response.title = answered.isEmpty ? nil : heading
    response.isWhole = missing.isEmpty
    response.missing = missing.map { id, why in
      var unanswered = UnansweredRequest()
      (unanswered.id, unanswered.why) = (DescriptionPage.line(id), why)
      return unanswered
    }
    return response
  }
}

extension OperationError {
  static let notAlike = usage(
    "A browser can approve several requests at once only if they are of one app and one everyday kind. Nothing was approved.",
    hint: "Answer these one by one.")

  static let notAnID = usage(
    "A request's id has at least four hex digits, such as 3f2a.", hint: "See: holdfast request list")

  static func ambiguous(_ digits: String, _ count: Int) -> OperationError {
    failed(
      "\(count) request ids begin with \(digits). Some of these requests may be gone.",
      hint: "Give more digits of the id. To see them: holdfast request list")
  }

  static let noSuchRequest = notFound(
    "No waiting request has that id. It may have been answered, or its app is gone.", hint: "See: holdfast request list")
}
