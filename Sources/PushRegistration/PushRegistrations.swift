import AuditLog
import Curve
import Encodings
import Platform
package import RemoteSigning
package import Signer
package import Vault

/// The push proxy that the owner named, and what it acknowledged for each app. Read from the vault when first needed.
package final class PushRegistrations: Sendable {
  private static let planID = Array("plan".utf8)

  private struct Contents {
    var certificates: String?
    var book = RegistrationBook()
    var isRead = false
    var changed: @Sendable () -> Void = {}
  }

  private let vault: Vault
  private let outbox: Outbox
  private let engine: SigningEngine
  private let contents = Locked(Contents())

  package init(_ vault: Vault, _ outbox: Outbox, _ engine: SigningEngine) {
    (self.vault, self.outbox, self.engine) = (vault, outbox, engine)
  }

  // MARK: the owner

  /// What the owner wants; nil for nothing.
  package var plan: PushPlan? { (try? reading { $0.plan }) ?? nil }

  /// What is registered, or is to be, of all apps.
  /// - Parameter now: seconds since 1970.
  package func all(now: Int64) -> [Registration] {
    // Compared in a copy: looking changes nothing.
    var book = (try? reading { $0 }) ?? RegistrationBook()
    _ = book.compare(keys, usable: usable, now: now, chance: { 0 })
    return Array(book.entries.values)
  }

  /// Sets or removes the plan, with its entry in the log. What failed before is asked again soon.
  /// - Parameter now: seconds since 1970.
  package func set(_ plan: PushPlan?, now: Int64) throws {
    let change: RecordChange = plan.map { .put(.pushPlan, Self.planID, $0.record) } ?? .delete(kind: .pushPlan, id: Self.planID)
    let rule: AuditRule = plan == nil ? "apps are unregistered from the push proxy" : "apps are registered at a push proxy"
    let changed = try contents.withLock { contents in
      try read(&contents)
      try outbox.recording(.event(.settingChanged, rule: rule)) { try vault.transaction([change]) }
      contents.book.plan = plan
      contents.book.askAgain(now: now) { Double.random(in: 0..<1) }
      return contents.changed
    }
    changed()
  }

  /// Has what failed before asked again soon: whoever registers again, or starts the signer again, may have put right what was wrong.
  /// - Parameter now: seconds since 1970.
  package func askAgain(now: Int64) {
    let changed = contents.withLock { contents in
      contents.book.askAgain(now: now) { Double.random(in: 0..<1) }
      return contents.changed
    }
    changed()
  }

  // MARK: the registrar

  /// Sets the closure that is called when there may be something to do.
  func whenChanged(_ changed: @escaping @Sendable () -> Void) { contents.withLock { $0.changed = changed } }

  /// A PEM file of certificates that the proxy is checked against instead of the system's.
  package var certificates: String? { contents.withLock { $0.certificates } }

  func trust(_ certificates: String?) { contents.withLock { $0.certificates = certificates } }

  /// Whether nothing is to be done, now or later. True for a vault that cannot be read.
  var isEmpty: Bool { (try? reading { $0.isEmpty }) ?? true }

  /// When something is to be asked next, in seconds since 1970; nil for never.
  var nextDue: Int64? { (try? reading { $0.nextDue }) ?? nil }

  /// What is to be asked now, noted in the vault as begun: if the signer is killed, it is known that the proxy may have it.
  /// - Returns: nil for nothing, also when the vault cannot be written.
  func begin(now: Int64) -> (entry: Registration, step: Registration.Step)? {
    try? contents.withLock { contents in
      try read(&contents)
      try compare(&contents, now: now)
      guard let (id, step) = contents.book.due(now: now), var entry = contents.book.entries[id] else { return nil }
      let before = entry
      entry.begin(step)
      if entry != before { try vault.transaction([.put(.pushRegistration, id.array, entry.record)]) }
      contents.book.entries[id] = entry
      return (entry, step)
    }
  }

  /// Takes the result of what `begin` gave. If the vault cannot be written, the proxy is asked once more after the next start.
  func settle(_ entry: Registration, _ step: Registration.Step, _ failure: ProxyFailure?, now: Int64) {
    contents.withLock { contents in
      guard var entry = contents.book.entries[entry.id] else { return }
      let chance = Double.random(in: 0..<1)
      if let failure { entry.fail(failure, now: now, chance: chance) } else { entry.succeed(step, now: now, chance: chance) }
      let isOver = !entry.isWanted && entry.isSettled
      contents.book.entries[entry.id] = isOver ? nil : entry
      try? vault.transaction([
        isOver ? .delete(kind: .pushRegistration, id: entry.id.array) : .put(.pushRegistration, entry.id.array, entry.record)
      ])
    }
  }

  private func compare(_ contents: inout Contents, now: Int64) throws {
    var book = contents.book
    let changes = book.compare(keys, usable: usable, now: now, chance: { Double.random(in: 0..<1) })
    guard !changes.isEmpty else { return }
    let stored = changes.stored.compactMap { id in
      book.entries[id].map { RecordChange.put(.pushRegistration, id.array, $0.record) }
    }
    try vault.transaction(stored + changes.removed.map { .delete(kind: .pushRegistration, id: $0.array) })
    contents.book = book
  }

  /// The keys of apps that ask over relays.
  private var keys: [AppKey] {
    engine.pairings.filter { $0.caller == nil }.map { pairing in
      AppKey(signer: pairing.remoteSigner, client: pairing.client, relays: pairing.relays.map(\.text))
    }
  }

  private var usable: Set<PublicKey> { Set(engine.transportKeys.map(\.publicKey)) }

  // MARK: the vault

  private func reading<Result>(_ body: (RegistrationBook) -> Result) throws -> Result {
    try contents.withLock { contents in
      try read(&contents)
      return body(contents.book)
    }
  }

  private func read(_ contents: inout Contents) throws {
    guard !contents.isRead else { return }
    contents.book.plan = try vault.value(.pushPlan, id: Self.planID).flatMap { PushPlan(record: $0) }
    let entries = try vault.records(.pushRegistration).compactMap { Registration(record: $0.value) }
    contents.book.entries = Dictionary(entries.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    contents.isRead = true
  }
}
