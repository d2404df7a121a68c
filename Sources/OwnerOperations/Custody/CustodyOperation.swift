import AuditLog
import Backups
import Curve
import Identities
import OwnerAPI
import Platform
import RemoteSigning
import Signer
import Sockets
import Vault

/// `custody/overview`: what opens each key, and what is still to do.
extension Operations {
  static let custodyHandlers: [OperationHandler] = [
    .init(CustodyOverview.self) { operations, _, _ in try operations.custodyOverview() }
  ]

  private func custodyOverview() throws -> CustodyOverview.Response {
    let facts = try custodyFacts()
    var response = CustodyOverview.Response()
    (response.ways, response.keys) = (facts.ways, facts.custodyKeys)
    // Nothing in a trial outlives it, so there is nothing to do about it.
    response.steps = home.isTrial ? [] : facts.steps
    return response
  }

  /// Why the checklist does not call the backups good; nil if it does, and while the log is sealed.
  func backupWarning() -> String? {
    guard !home.isTrial, let step = (try? custodyFacts())?.backupFresh, !step.isDone else { return nil }
    return step.text
  }

  private func custodyFacts() throws -> CustodyFacts {
    var facts = CustodyFacts(now: Clock.seconds)
    (facts.slots, facts.kits) = (try waysIn(), try kits().filter(\.isHandedOut))
    facts.keys = home.identities.all.map { ($0, $0.protection) }
    facts.exported = try lastExports()
    facts.backups = try knownBackups(since: facts.now - CustodyFacts.freshFor)
    if facts.backups.made == nil { facts.olderBackups = try olderBackups() }
    facts.isReachable = running.map { !$0.linkRelays.areThisMachineOnly }
    return facts
  }

  /// How many of the last entries are searched for a backup.
  static let entriesSearched = 50_000

  /// When a copy of each key last left, in seconds since 1970, as far as the last entries of the log say.
  private func lastExports() throws -> [PublicKey: Int64] {
    let entries = try home.log.tail(
      Self.exportsRead, matching: AuditFilter(kinds: [.keyExported]), lookingAt: Self.entriesSearched)
    var last: [PublicKey: Int64] = [:]
    for record in entries { if let key = record.entry.identity { last[key] = record.entry.time / 1000 } }
    return last
  }

  /// More exports than somebody makes.
  private static let exportsRead = 1000

  /// The backups that were made since that time, in seconds since 1970, as far as the last entries of the log say.
  private func knownBackups(since: Int64) throws -> KnownBackups {
    let entries = try home.log.tail(
      Self.backupsRead, matching: AuditFilter(kinds: KnownBackups.kinds, since: since * 1000), lookingAt: Self.entriesSearched)
    return try knownBackups(entries.map(\.entry), since: since)
  }

  private func olderBackups() throws -> CustodyFacts.OlderBackups {
    if try isOnlyRestored() { return .restored }
    return try lacksAnyBackup() ? .none : .some
  }

  /// Whether no backup was ever made: the log goes back to the first identity and knows none, nor does the schedule.
  private func lacksAnyBackup() throws -> Bool {
    guard try services.backups.records.plan()?.lastDone == nil, home.log.count <= UInt64(Self.entriesSearched) else {
      return false
    }
    let begins = try home.log.read(from: 1, limit: 1).first?.entry.time
    let first = home.identities.all.map(\.createdAt).min() ?? .max
    // The first identity is made as the log begins, before or after its first entry.
    guard let begins, begins / 1000 - 60 <= first else { return false }
    return try home.log.tail(1, matching: AuditFilter(kinds: [.backupMade])).isEmpty
  }

  /// Whether a restore is the last that the log says of backups.
  private func isOnlyRestored() throws -> Bool {
    let filter = AuditFilter(kinds: [.backupMade, .backupRestored])
    return try home.log.tail(1, matching: filter, lookingAt: Self.entriesSearched).last?.entry.kind == .backupRestored
  }

  /// One every 15 minutes, which is the shortest period, makes as many in 30 days.
  static let backupsRead = 3000
}
