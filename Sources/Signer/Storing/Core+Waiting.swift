internal import AuditLog
internal import Encodings
internal import Platform
package import RemoteSigning
internal import Vault

/// Requests that wait for the owner: in the vault, so that a restart forgets none, and out of it when they are answered.
extension Core {
  /// How far back it is looked, at start-up, for what became of requests that wait in the vault, in entries, where nothing says which of
  /// them waited later on: some seconds of reading.
  private static let entriesSearched = 1_000_000

  /// At a start while locked: gives the names of the requests in the vault to no other.
  /// - Returns: the ids of their events.
  func keepNamesOfWaiting() throws -> [Bytes32] {
    let requests = try store.pendingRequests()
    for request in requests { engine.keepName(of: request) }
    return requests.map(\.eventID)
  }

  // A request whose approval was recorded before the crash is not asked again: it may have been signed. One
  // whose pairing is gone cannot be answered.
  /// - Parameter waiting: the events of the requests that were there at the start; nil for all. What came since is in the engine, or was
  ///   answered, though neither the log nor the vault may say so yet.
  func restorePending(now: Int64, waiting: Set<Bytes32>? = nil) throws {
    let paired = Set(engine.pairings.map(\.remoteSigner))
    for answer in try store.answers() where paired.contains(answer.remoteSigner) { engine.restore(answer) }
    store.deleteAnswers(engine.expireAnswers(now: now))
    let requests = try store.pendingRequests().filter { waiting?.contains($0.eventID) ?? true }
    guard !requests.isEmpty else { return }
    let found = try decisions(on: requests)
    var (over, lost, answers): ([String], [PendingRequest], [OwnerAnswer]) = ([], [], [])
    let known = Set(engine.pendingRequests.map(\.eventID))
    for request in requests.sorted(by: { $0.receivedAt < $1.receivedAt }) where !known.contains(request.eventID) {
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

  /// The log's last word on each of these requests. What was allowed may have been put off because the signer was locked, and waits again.
  /// - Returns: also whether one of which nothing is found was certainly not answered. Where that is not so it may have been, long ago, and an
  ///   app that still wants it asks again.
  private func decisions(on requests: [PendingRequest]) throws -> (last: [Bytes32: AuditEntry], isComplete: Bool) {
    let extent = log.extent
    let waited = try store.waitingKnown().flatMap { $0.log == extent.log && $0.count <= extent.count ? $0.count : nil }
    // By numbers, and not by how many: the log may grow between the two looks.
    let found = try log.reader.lastDecisions(
      on: Set(requests.map(\.eventID)), after: waited ?? 0, limit: waited == nil ? Self.entriesSearched : .max)
    return (found, waited != nil)
  }

  /// How far the log goes, if every request in the vault waits still: then what is decided on them comes behind it.
  var extentWhileAllWait: AuditLog.Extent? {
    let extent = log.extent  // before the look: what is answered after it is decided behind this
    guard unended.withLock({ $0.names.isEmpty }), let stored = store.storedNames else { return nil }
    return stored.isSubset(of: engine.pendingRequests.map(\.name)) ? extent : nil
  }

  /// Stores a request that waits. Shut, the vault takes nothing: it waits in memory until the owner unlocks.
  /// - Returns: false also where another request waits there under its name. The engine knows of none before the log was read, and an app
  ///   can make ids that begin alike.
  package func store(_ waiting: PendingRequest) -> Bool {
    if vault.isShut { return true }
    do {
      if let other = try store.pendingRequest(waiting.name), other.eventID != waiting.eventID { return false }
    } catch { return false }
    return store.save(waiting)
  }

  /// Stores the requests that began to wait while everything was shut.
  func storeWaiting() {
    guard !vault.isShut else { return }
    changingPairings {
      guard let stored = store.storedNames else { return }
      for request in engine.pendingRequests where !stored.contains(request.name) { _ = store.save(request) }
    }
  }

  /// Answered requests leave the vault. Those that cannot, on a full disk, leave it as soon as they can: until then the log alone says
  /// that they were answered. Without names it tries those again. Call it within `changingPairings`.
  func endPending(_ names: [String] = [], keeping answers: [OwnerAnswer] = []) {
    let kept = unended.withLock { $0 }
    let (allNames, allAnswers) = ((kept.names + names).filter { engine.pendingRequest($0) == nil }, kept.answers + answers)
    guard !allNames.isEmpty else { return }
    let isDone = store.endPending(allNames, keeping: allAnswers)
    unended.withLock { $0 = isDone ? ([], []) : (allNames, allAnswers) }
  }
}
