package import AuditLog
import Encodings
package import Identities
import Platform
import Vault

/// The log entries for changes of the vault. Each entry is stored with its change in one transaction, and stays in the vault
/// until the log has it. Neither a crash nor a full disk leaves a change without its entry.
///
/// Entries reach the log in the order of their changes, each exactly once: after a crash the log is searched for earlier ones. An
/// entry that did not fit on a full disk follows when there is space, after later ones; its time is that of its change. If the
/// log cannot be read, because the signer started locked, earlier entries wait for the unlock.
package final class Outbox: Sendable {
  /// The most entries that wait for the log. Beyond it, changes are refused.
  static let mostWaiting = 1024
  /// Entries for one new identity: that it was made, and its purpose.
  private static let mostOfIdentity = 2
  /// How long `settle` waits for entries to be on the disk, in milliseconds.
  private static let settlingMilliseconds = 5_000

  private let vault: Vault
  private let log: AuditLog
  private let state = Locked(State())
  /// Held while entries are passed to the log, so that they keep their order.
  private let turn = SerialGuard()

  private struct State {
    var next: UInt64 = 1
    /// Stored with their changes and not passed to the log yet, by number.
    var waiting: [OutboxRow] = []
    /// Rows from before this start, which may already be in the log. They have not been compared yet.
    var unsure: [OutboxRow] = []
    var inFlight = 0
    /// Numbers of rows that the log has and the vault still stores.
    var done: [UInt64] = []
    /// Requests a `clear` soon.
    var askToClear: @Sendable () -> Void = {}
    var hasAsked = false
  }

  init(_ vault: Vault, _ log: AuditLog) throws {
    (self.vault, self.log) = (vault, log)
    let rows = try vault.records(.outbox).map { row in
      guard let row = OutboxRow(row) else { throw VaultError.corrupt(what: RecordKind.outbox.name) }
      return row
    }
    state.withLock { state in
      state.unsure = rows
      state.next = (rows.last?.number ?? 0) + 1
    }
  }

  /// Sets the closure that requests a `clear`. After a kill, a start compares the rows of the vault with the log and needs one
  /// soon.
  /// - Parameter ask: called when there is something to `clear`, once until that is done.
  package func whenClearable(_ ask: @escaping @Sendable () -> Void) { state.withLock { $0.askToClear = ask } }

  /// Makes a change of the vault together with its log entries.
  /// - Parameters:
  ///   - failed: the error to throw instead. Called when the change was not made and its entries no longer wait, so that its own
  ///     changes, such as those after a wrong passphrase, do not include them.
  ///   - body: makes the change. The entries are stored with its first transaction.
  /// - Throws: the error of `body`, or an error before it when the log has no space for the entries.
  package func recording<Result, Failure: Error>(
    _ entries: AuditEntry..., failed: (Failure) -> any Error = { $0 },
    body: () throws(Failure) -> Result
  ) throws -> Result {
    try recording(entries.count, { _ in entries }, failed, body)
  }

  /// The same for any number of entries.
  package func recording<Result>(all entries: [AuditEntry], body: () throws -> Result) throws -> Result {
    try recording(entries.count, { _ in entries }, { $0 }, body)
  }

  /// The same for a new identity, whose public key is known only after it is made.
  /// - Parameter entries: the entries for it, at most `mostOfIdentity`.
  package func recordingIdentity<Result>(
    _ entries: @escaping @Sendable (Identity) -> [AuditEntry], body: () throws -> Result
  ) throws -> Result {
    try recording(Self.mostOfIdentity, { $0.lazy.compactMap(\.newIdentity).first.map(entries) ?? [] }, { $0 }, body)
  }

  /// The same for changes that only return whether they were stored.
  package func recorded(_ entries: AuditEntry..., body: () -> Bool) -> Bool { recorded(entries, body: body) }

  /// The same for any number of entries.
  @discardableResult
  func recorded(_ entries: [AuditEntry], body: () -> Bool) -> Bool {
    do {
      return try recording(entries.count, { _ in entries }, { $0 }) { () throws(SignerError) in
        guard body() else { throw .notStored }
        return true
      }
    } catch { return false }
  }

  private func recording<Result, Failure: Error>(
    _ count: Int, _ entries: @escaping @Sendable ([RecordChange]) -> [AuditEntry], _ failed: (Failure) -> any Error,
    _ body: () throws(Failure) -> Result
  ) throws -> Result {
    let (first, done) = try reserve(count)
    let extent = log.extent
    let rows = Locked<[OutboxRow]>([])
    let companions = CompanionChanges { changes in
      let made = entries(changes).enumerated().map { OutboxRow(number: first + UInt64($0), log: extent, entry: $1) }
      rows.withLock { $0 = made }
      return done.map(OutboxRow.removal) + made.map(\.change)
    }
    defer { if companions.areStored { take(rows.withLock { $0 }, done) } }
    let result: Result
    do { result = try companions.accompany(body) } catch { throw failed(error) }
    // The change made no transaction, for example because it changed a file. It is recorded, too.
    if !companions.areStored { for entry in entries([]) { log.append(entry) { _ in } } }
    return result
  }

  /// An entry for a change that is not the owner's and must be made even if the log has no space, such as closing a class. It is
  /// stored with the change. Call `stored` afterwards.
  func row(for entry: AuditEntry) -> OutboxRow {
    let number = state.withLock { state in
      defer { state.next += 1 }
      return state.next
    }
    return OutboxRow(number: number, log: log.extent, entry: entry)
  }

  /// The row is on the disk. Its entry is passed to the log.
  func stored(_ row: OutboxRow) { take([row], []) }

  /// Reserves space in the log and numbers for entries. Also returns rows that can be removed from the vault in the same
  /// transaction.
  private func reserve(_ count: Int) throws(SignerError) -> (first: UInt64, done: [UInt64]) {
    // If the vault may be an older copy, a change of it could be undone unnoticed. The log accepts no mark before all of it was
    // read.
    guard log.followsVault else { throw .locked }
    do { try log.makeRoom() } catch { throw .notRecordable(error) }
    let reserved: (UInt64, [UInt64])? = state.withLock { state in
      guard state.waiting.count + state.unsure.count < Self.mostWaiting else { return nil }
      defer { state.next += UInt64(count) }
      return (state.next, state.done)
    }
    guard let reserved else { throw .notRecordable(.overloaded) }
    return reserved
  }

  private func take(_ rows: [OutboxRow], _ removed: [UInt64]) {
    state.withLock { state in
      state.waiting = (state.waiting + rows).sorted { $0.number < $1.number }
      state.done.removeAll { removed.contains($0) }
    }
    deliver()
  }

  /// Passes waiting entries to the log. Those that it cannot accept are tried again next time.
  func deliver() {
    turn.withLock {
      let rows: [OutboxRow] = state.withLock { state in
        defer { state.waiting = [] }
        state.inFlight += state.waiting.count
        return state.waiting
      }
      for row in rows { log.append(row.entry) { [weak self] result in self?.answered(row, result) } }
    }
  }

  private func answered(_ row: OutboxRow, _ result: Result<UInt64, AuditLogError>) {
    let ask: (@Sendable () -> Void)? = state.change { state in
      state.inFlight -= 1
      if case .success = result {
        state.done.append(row.number)
        defer { state.hasAsked = true }
        return state.hasAsked ? nil : state.askToClear
      }
      state.waiting = (state.waiting + [row]).sorted { $0.number < $1.number }
      return nil
    }
    ask?()
  }

  /// After a start: finds out which earlier entries the log has, and passes it the others.
  /// - Throws: `.locked` when the log cannot be read; they keep waiting then.
  func compare() throws(AuditLogError) {
    let rows = state.withLock { $0.unsure }
    let there = try found(rows)
    state.withLock { state in
      state.done += there
      state.waiting = rows.filter { !there.contains($0.number) } + state.waiting
      state.unsure = []
    }
    deliver()
  }

  private func found(_ rows: [OutboxRow]) throws(AuditLogError) -> [UInt64] {
    let here = rows.filter { $0.log.log == log.extent.log }
    guard let least = here.map(\.log.count).min() else { return [] }
    // No other entries are collected: after a row of an older accepted vault there may be millions.
    var kept = Dictionary(here.map { ($0.entry.stored, 0) }) { first, _ in first }
    try log.reader.each(behind: least) { record in
      let stored = record.entry.stored
      if let count = kept[stored] { kept[stored] = count + 1 }
    }
    return here.filter { row in
      let left = kept[row.entry.stored] ?? 0
      kept[row.entry.stored] = left - 1
      return left > 0
    }.map(\.number)
  }

  /// Waits for entries on their way to the log, so that a reader of the log finds them.
  package func settle() {
    deliver()
    _ = state.wait(milliseconds: Self.settlingMilliseconds) { $0.inFlight == 0 ? true : nil }
  }

  /// Removes rows from the vault whose entries the log has.
  /// - Parameter isEnd: whether to wait first for entries on their way to the log.
  package func clear(isEnd: Bool = false) {
    if isEnd { settle() } else { deliver() }
    let done = state.withLock { state in
      state.hasAsked = false
      return state.done
    }
    guard !done.isEmpty, (try? vault.transaction(done.map(OutboxRow.removal))) != nil else { return }
    state.withLock { $0.done.removeAll { done.contains($0) } }
  }
}

extension RecordChange {
  fileprivate var newIdentity: Identity? {
    guard case .put(.identity, let id, .bytes(let value), _) = self else { return nil }
    return Identity(Record(id: id, value: value))
  }
}
