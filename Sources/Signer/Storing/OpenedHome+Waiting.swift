import AuditLog
import Encodings
import Platform
package import RemoteSigning
import Vault

/// Requests that wait for the owner. They are stored in the vault, so that a restart loses none, and removed when they are
/// answered.
extension OpenedHome {
  /// How many log entries are searched at the start for the decisions on waiting requests, when nothing shows which ones were
  /// still waiting: some seconds of reading.
  private static let entriesSearched = 1_000_000

  /// At a locked start: reserves the names of the requests in the vault.
  /// - Returns: the ids of their events.
  func keepNamesOfWaiting() throws -> [Bytes32] {
    let requests = try store.pendingRequests()
    for request in requests { engine.keepName(of: request) }
    return requests.map(\.eventID)
  }

  // A request whose approval was recorded before the crash is not asked again, because it may have been signed. A request whose
  // pairing has ended cannot be answered.
  /// - Parameter waiting: the events of the requests that were there at the start; nil for all. Later ones are in the engine, or
  ///   were answered even if neither log nor vault shows that yet.
  func restorePending(now: Int64, waiting: Set<Bytes32>? = nil) throws {
    let paired = Set(engine.pairings.map(\.remoteSigner))
    for answer in try store.answers() where paired.contains(answer.remoteSigner) { engine.restore(answer) }
    store.deleteAnswers(engine.expireAnswers(now: now))
    let requests = try store.pendingRequests().filter { waiting?.contains($0.eventID) ?? true }
    guard !requests.isEmpty else { return }
    let found = try decisions(on: requests)
    var (over, lost, answers): ([String], [PendingRequest], [OwnerAnswer]) = ([], [], [])
    let known = Set(engine.pendingRequests.map(\.eventID))
    for request in requests.sorted(by: { $0.cameBefore($1) }) where !known.contains(request.eventID) {
      let decided = found.last[request.eventID]
      if paired.contains(request.remoteSigner), decided?.decision == .ask || decided == nil && found.isComplete {
        engine.restore(request)
        continue
      }
      over.append(request.name)
      if decided == nil { lost.append(request) }
      if let answer = decided?.answer(to: request) { answers.append(answer) }
    }
    for answer in answers where paired.contains(answer.remoteSigner) { engine.restore(answer) }
    let expired = engine.takeExpired(now: now)
    let entries =
      expired.map { AuditEntry.dropped($0.request, "unanswered while the signer was off") }
      + lost.map { AuditEntry.dropped($0, "nobody knows whether it was answered") }
    outbox.recorded(entries) { store.endPending(over + expired.map(\.request.name), keeping: answers) }
    owe(expired + engine.forgetting(lost))
  }

  /// The log's last decision on each of these requests. An allowed request may have been postponed because the signer was locked;
  /// it waits again.
  /// - Returns: also whether a request that is not found was certainly not answered. If not, it may have been answered long ago,
  ///   and an app that still wants it asks again.
  private func decisions(on requests: [PendingRequest]) throws -> (last: [Bytes32: AuditEntry], isComplete: Bool) {
    let extent = log.extent
    let waited = try store.waitingKnown().flatMap { $0.log == extent.log && $0.count <= extent.count ? $0.count : nil }
    // By entry numbers, not by counts: the log may grow between the two searches.
    let found = try log.reader.lastDecisions(
      on: Set(requests.map(\.eventID)), after: waited ?? 0, limit: waited == nil ? Self.entriesSearched : .max)
    return (found, waited != nil)
  }

  /// The log's end, if every request in the vault still waits. Decisions on them come after it.
  var extentWhileAllWait: AuditLog.Extent? {
    let extent = log.extent  // read first: an answer during the check is recorded after it
    guard unended.withLock({ $0.names.isEmpty }), let stored = store.storedNames else { return nil }
    return stored.isSubset(of: engine.pendingRequests.map(\.name)) ? extent : nil
  }

  /// Stores a waiting request. While everything is suspended the vault cannot be changed, so it waits in memory until the owner
  /// unlocks.
  /// - Returns: false also when another request waits under its name. The engine does not know that one before the log was read.
  package func store(_ waiting: PendingRequest) -> Bool {
    if vault.isShut { return true }
    do {
      if let other = try store.pendingRequest(waiting.name), other.eventID != waiting.eventID { return false }
    } catch { return false }
    return store.save(waiting)
  }

  /// Stores the requests that began to wait while everything was suspended.
  func storeWaiting() {
    guard !vault.isShut else { return }
    changingPairings {
      guard let stored = store.storedNames else { return }
      for request in engine.pendingRequests where !stored.contains(request.name) { _ = store.save(request) }
    }
  }

  /// Removes answered requests from the vault. If that fails on a full disk, it is tried again; until then only the log shows
  /// that they were answered. Without names, only those are tried again. Call it within `changingPairings`.
  func endPending(_ names: [String] = [], keeping answers: [OwnerAnswer] = []) {
    let kept = unended.withLock { $0 }
    let (allNames, allAnswers) = ((kept.names + names).filter { engine.pendingRequest($0) == nil }, kept.answers + answers)
    guard !allNames.isEmpty else { return }
    let isDone = store.endPending(allNames, keeping: allAnswers)
    unended.withLock { $0 = isDone ? ([], []) : (allNames, allAnswers) }
  }
}
