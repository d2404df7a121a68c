import Curve
import Encodings
import Platform
import SecretMemory

/// What the extension noted since the app handed its state over.
public struct TakenBack: Sendable {
  /// One for each request, the oldest first. Those of a wake that was ended in between say how far it got.
  public let entries: [JournalEntry]
  /// The revision that the next state must have at least.
  public let nextRevision: UInt64
  /// Why there may have been more: the journal is missing or was changed. What apps used up since is not known then, and answers that were
  /// given are not all in `entries`.
  public let fault: ExtensionError?
}

/// The app's side. Hold the lock for each call, and while the app itself answers requests.
extension ExtensionFolder {
  /// Takes over what the extension noted, and ends its right to answer: without a state it does nothing. Call it when the app comes to the
  /// foreground, before it answers anything.
  /// - Parameter store: stores what was taken over, durably. If it throws, everything stays as it was, and the next call gives the same entries.
  ///   An app that is ended after it also gets them again: entries are told apart by their `eventID`.
  /// - Throws: what `store` throws; `ExtensionError` when a file could not be read or replaced.
  public func takeBack(with key: ExtensionKey, holding lock: ExtensionLock, _ store: (TakenBack) throws -> Void) throws {
    let taken = try takenBack(key)
    try store(taken)
    // A state that somebody puts back is older than this journal.
    try begin(JournalHead(revision: taken.nextRevision - 1, id: .fresh()), key)
    guard unlink(path(.state)) == 0 || errno == ENOENT else { throw ExtensionError.io(.state, code: errno) }
  }

  private func takenBack(_ key: ExtensionKey) throws -> TakenBack {
    do throws(ExtensionError) {
      let scan = try JournalScan(try FileBytes.read(.journal, of: self, most: ExtensionJournal.longest), key)
      return TakenBack(entries: scan.entries, nextRevision: Self.next(scan.head.revision), fault: scan.fault)
    } catch {
      if case .io = error { throw error }
      if case .outOfMemory = error { throw error }
      let revision = (try? ExtensionState.read(self, key))?.state.revision
      // Before the first state there is neither file.
      let isFirst = error == .notThere(.journal) && revision == nil
      return TakenBack(entries: [], nextRevision: Self.next(revision ?? 0), fault: isFirst ? nil : error)
    }
  }

  // Higher by two: the journal in between has a revision of its own.
  private static func next(_ revision: UInt64) -> UInt64 { revision < .max - 2 ? revision + 2 : .max }

  /// Hands a state over: from then on the extension answers by it. Call it when the app goes to the background, then let go of the lock.
  /// - Parameter state: with a revision of `TakenBack.nextRevision` or more.
  /// - Throws: `.notTakenBack` when there is a state; `.olderState` when its revision is not higher than the journal's; `.tooLong`; `.io`.
  public func handOver(_ state: ExtensionState, with key: ExtensionKey, holding lock: ExtensionLock) throws(ExtensionError) {
    guard access(path(.state), F_OK) != 0 else { throw .notTakenBack }
    let head = JournalHead(revision: state.revision, id: .fresh())
    let sealed = try state.sealed(with: key, journal: head.id)
    if let known = try? JournalScan(FileBytes.read(.journal, of: self, most: ExtensionJournal.longest), key).head.revision {
      guard state.revision > known else { throw .olderState }
    }
    try begin(head, key)
    try FileBytes.replace(.state, of: self, with: sealed)
  }

  private func begin(_ head: JournalHead, _ key: ExtensionKey) throws(ExtensionError) {
    let seal = try JournalSeal(head, key)
    try FileBytes.replace(.journal, of: self, with: head.bytes + seal.sealed(JournalRecord.begun.plaintext))
  }
}
