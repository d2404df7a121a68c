package import AuditLog
internal import Encodings
package import Identities
internal import Platform
import Vault

/// The log's entries for changes of the vault. Each is stored with its change, in one transaction, and stays in the vault until the log has
/// it: neither a crash nor a full disk leaves a change without its entry.
///
/// Entries reach the log in the order in which their changes were made, each once: after a crash the log is searched for those of before. One
/// that a full disk kept out follows when there is room, behind later ones; its time says when its change was made.
/// Where the log cannot be read, because the signer started locked, those wait for the unlocking.
package final class Outbox: Sendable {
  /// The most entries that wait for the log. Beyond them changes are refused.
  static let mostWaiting = 1024
  /// Entries of one new identity: its making, and what it is for.
  private static let mostOfIdentity = 2
  /// How long the end waits for entries to be on the disk, in milliseconds.
  private static let settlingMilliseconds = 5_000

  private let vault: Vault
  private let log: AuditLog
  private let state = Locked(State())
  /// Held while entries are given to the log, so that they come in order.
  private let turn = SerialGuard()

  private struct State {
    var next: UInt64 = 1
    /// Stored with their changes, and not given to the log yet; by number.
    var waiting: [OutboxRow] = []
    /// Rows of before this start, which may be in the log: nobody has looked yet.
    var unsure: [OutboxRow] = []
    var inFlight = 0
    /// Numbers of those that the log has and the vault still keeps.
    var done: [UInt64] = []
    /// Asks for `clear`, soon.
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

  /// A start after a kill searches the log for what the vault still keeps: `clear` is wanted soon.
  /// - Parameter ask: called when there is something to `clear`, once until that was done.
  package func whenClearable(_ ask: @escaping @Sendable () -> Void) { state.withLock { $0.askToClear = ask } }

  /// Makes a change of the vault together with what it says to the log.
  /// - Parameters:
  ///   - failed: what is thrown instead. Called when the change was not made and its entries wait no more, so that what it changes
  ///     itself, as after a wrong passphrase, takes none of them.
  ///   - body: makes the change. The entries go with its first transaction.
  /// - Throws: what the body throws; before it, where the log has no room for the entries.
  package func recording<Result, Failure: Error>(
    _ entries: AuditEntry..., failed: (Failure) -> any Error = { $0 },
    body: () throws(Failure) -> Result
  ) throws -> Result {
    try recording(entries.count, { _ in entries }, failed, body)
  }

  /// The same for a new identity, whose public key is not known before it is made.
  /// - Parameter entries: what is recorded of it, at most `mostOfIdentity`.
  package func recordingIdentity<Result>(
    _ entries: @escaping @Sendable (Identity) -> [AuditEntry], body: () throws -> Result
  ) throws -> Result {
    try recording(Self.mostOfIdentity, { $0.lazy.compactMap(\.newIdentity).first.map(entries) ?? [] }, { $0 }, body)
  }

  /// The same for changes that only say whether they were stored.
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
    // A change that made no transaction of its own, such as one of a file: it is said all the same.
    if !companions.areStored { for entry in entries([]) { log.append(entry) { _ in } } }
    return result
  }

  /// For a change that is not the owner's and must be made although the log may have no room, as the closing of a class: an entry to be
  /// stored with it. `stored` follows when it is.
  func row(for entry: AuditEntry) -> OutboxRow {
    let number = state.withLock { state in
      defer { state.next += 1 }
      return state.next
    }
    return OutboxRow(number: number, log: log.extent, entry: entry)
  }

  /// The row is on the disk: its entry goes to the log.
  func stored(_ row: OutboxRow) { take([row], []) }

  /// Room in the log and numbers for entries, and what can be taken out of the vault with them.
  private func reserve(_ count: Int) throws(SignerError) -> (first: UInt64, done: [UInt64]) {
    // A change of what may be an older vault would be undone with it, unnoticed: until all of the log was read, the log takes no mark.
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

  /// Gives the log what waits. What it cannot take is tried again the next time.
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

  /// After a start: looks which entries of before it the log has, and gives it the others.
  /// - Throws: `.locked` where the log cannot be read; then they wait on.
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
    // No other entry is kept: behind a row of an older vault that was accepted there may be millions.
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

  /// Takes out of the vault what the log has.
  /// - Parameter isEnd: whether to wait first for what is on its way to the log.
  package func clear(isEnd: Bool = false) {
    deliver()
    if isEnd { _ = state.wait(milliseconds: Self.settlingMilliseconds) { $0.inFlight == 0 ? true : nil } }
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
