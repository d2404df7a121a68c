import AuditLog
import Curve
import Encodings
import EntrustedShares
import Identities
import JSON
import Platform
import RemoteSigning
import Signer
import Vault

/// The changes to a damaged vault that is continued with its intact records: the same as for an older vault that is accepted, and
/// stricter where a rule, a limit or a revocation may be lost. Somebody who can damage a record must gain nothing by it.
struct RepairedVault {
  let losses: [LostRecord]
  /// Whether a new log must be begun: the old one's keys or its known length are lost, or it cannot be read.
  let isLogLost: Bool
  /// Why nothing shows that this is the newest vault; nil where the log shows that it is.
  let doubt: VaultDoubt?
  private let salvage: Salvage
  private let mended: Salvage.Mended
  private let past: PastVault
  /// Names of apps whose permissions may not be the latest ones. They must ask for everything.
  private let reset: [String]
  /// Names of apps whose pairing ends, because its key, its grant or its identity is lost.
  private let ended: [String]
  private let settingsReset: Bool

  /// Changes the salvaged copy. The damaged vault stays as it is.
  /// - Parameter now: seconds since 1970.
  init(_ salvage: Salvage, _ home: Home, now: Int64) throws {
    self.salvage = salvage
    let (vault, damage) = (salvage.vault, salvage.damage)
    mended = try salvage.mend(now: now)
    let half = try Self.halves(salvage)
    try vault.transaction(half.changes)
    losses = LostRecord.all(damage, try Self.names(salvage, mended))
    let told = LogWord(of: try? Opening.log(home, vault, now: Clock.milliseconds), vault, home)
    doubt = try told.doubt(of: salvage)
    isLogLost = try told.missing == nil || Self.isLogHit(salvage)
    if isLogLost { try vault.transaction(try vault.ids(.logKey).map { .delete(kind: .logKey, id: $0) }) }
    reset = try Self.reset(vault, damage, isDoubtful: doubt != nil)
    let (past, ended) = try Self.past(vault, mended, told.missing, now)
    (self.past, self.ended) = (past, half.ended + ended)
    try told.missing?.retireRotated(in: vault)
    settingsReset = doubt != nil || Self.areSettingsLost(damage)
    let links = try vault.ids(.link).compactMap { Bytes32($0).map { PublicKey($0) } }
    let changes =
      past.changes + Store(vault).retiring(links, at: now) + (settingsReset ? Self.strictSettings : []) + [
        Suspension.record(milliseconds: now * 1000), .delete(kind: .setting, id: RollbackFinding.setting),
        StateWhileLocked.removal,
      ]
    try vault.raiseRevision(above: max(told.revision, salvage.mark?.revision ?? 0), with: changes)
  }

  /// What the log knows about the vault.
  private struct LogWord {
    /// Changes that an older record may have undone. Nil if the log cannot be read.
    let missing: MissingChanges?
    /// The latest state that it knows. Nil if it cannot be read or knows none.
    let known: VaultMark?
    /// The highest revision it knows.
    let revision: UInt64

    /// - Parameter log: is closed here.
    init(of log: AuditLog?, _ vault: Vault, _ home: Home) {
      defer { log?.close() }
      let told = try? log.map {
        (try MissingChanges(of: RollbackFinding(sort: .older, found: 0, known: 0), vault, $0), try $0.knownVault())
      }
      (missing, known) = (told?.0, told?.1)
      revision = max(LogRecords.headRevision(home, vault), known?.revision ?? 0)
    }

    /// Why nothing confirms that the saved records are the newest vault. Nil if the log confirms it.
    func doubt(of salvage: Salvage) throws -> VaultDoubt? {
      if let stored = try RollbackFinding.stored(in: salvage.vault) { return .putBack(stored) }
      guard let found = salvage.mark else { return .markLost }
      if try RepairedVault.isLogHit(salvage) { return .anchorLost }
      guard missing != nil else { return .logUnreadable }
      if Self.isStateLost(salvage.damage) { return .settingLost }
      // A vault that was used while locked is newer than at the time it was restored.
      let state = try StateWhileLocked.stored(in: salvage.vault) ?? VaultMark(found)
      return RollbackFinding.compare(state, with: known).map { .putBack($0) }
    }

    /// Whether a record is lost that may have said that the vault is not the newest.
    private static func isStateLost(_ damage: VaultDamage) -> Bool {
      damage.unproven.contains(.setting)
        || damage.rows.contains { row in
          row.kind == .setting && (row.id == nil || row.id == RollbackFinding.setting || row.id == StateWhileLocked.setting)
        }
    }
  }

  /// Whether the log's keys, or the record of how far the log went, are lost or unproven. The signer does not continue such a
  /// log, because it may have been cut. When the summary itself is lost, no record is proven. Then the log is continued if its
  /// keys open it and it goes at least as far as that record says.
  private static func isLogHit(_ salvage: Salvage) throws -> Bool {
    if salvage.damage.rows.contains(where: { $0.kind == .logKey }) { return true }
    // The state is part of the summary: if it is there, the summary was read.
    return salvage.mark == nil ? try LogRecords.anchor(salvage.vault) == nil : salvage.damage.unproven.contains(.logKey)
  }

  /// - Returns: the changes as for an older vault, and the names of apps whose identity is lost.
  private static func past(
    _ vault: Vault, _ mended: Salvage.Mended, _ missing: MissingChanges?, _ now: Int64
  ) throws -> (PastVault, [String]) {
    let (store, lost) = (Store(vault), Set((mended.gone + mended.renamed).map(\.publicKey)))
    let revoked = Set(try Revocations(vault: vault).entries().map(\.key))
    var ended: [String] = []
    let shares = try RestoredShares(vault, revoked: nil, now: now)
    let past = try PastVault(vault, also: shares.changes, now: now) { pairing in
      if missing?.hasEnded(pairing) == true || revoked.contains(pairing.remoteSigner.bytes.array) {
        return store.ending(of: [pairing.remoteSigner], .byOwner) + store.keepingRevoked(pairing, now: now)
      }
      guard lost.contains(pairing.identity) else { return nil }
      ended.append(pairing.name)
      return store.ending(of: [pairing.remoteSigner], .identityDeleted)
    }
    return (past, ended)
  }

  /// - Returns: the names of apps that must ask for everything from now on.
  private static func reset(_ vault: Vault, _ damage: VaultDamage, isDoubtful: Bool) throws -> [String] {
    guard isDoubtful || !damage.unproven.isDisjoint(with: permitting) else { return [] }
    let pairings = try Store(vault).pairings().map(\.value)
    try vault.transaction(pairings.map(asked))
    return pairings.map(\.name)
  }

  /// Stores the entry that the log gets at the next start.
  func record(in home: Home) throws {
    let vault = salvage.vault
    let names = losses.map { $0.kind + ($0.of.map { " \($0)" } ?? "") }.joined(separator: ", ")
    var entry = AuditEntry.event(.vaultAccepted, rule: AuditRule(clipping: "without " + names), code: Self.code)
    entry.amount = Int64(losses.count)
    let last = try vault.records(.outbox).compactMap { OutboxRow($0)?.number }.max() ?? 0
    let none: AuditLog.Extent = (Bytes32(), 0)
    let extent = isLogLost ? none : ((try? AuditLog.extent(folder: home.log)) ?? nil) ?? none
    try vault.transaction([OutboxRow(number: last + 1, log: extent, entry: entry).change])
  }

  /// The code in the log.
  static let code: AuditRule = "vault-repaired"

  // MARK: what belongs together

  /// Removes pairings, links and ended pairings whose keys are lost, and keys whose pairing is lost.
  private static func halves(_ salvage: Salvage) throws -> (changes: [RecordChange], ended: [String]) {
    let keys = salvage.ids[.pairingKey] ?? []
    let users = Set([RecordKind.pairing, .link, .endedPairing].flatMap { salvage.ids[$0] ?? [] })
    var ended: [String] = []
    for record in try salvage.vault.records(.pairing) where !keys.contains(record.id) {
      ended.append(try Pairing(record: record.value).name)
    }
    let halves = users.symmetricDifference(keys).compactMap { Bytes32($0).map { PublicKey($0) } }
    return (Store.removal(of: halves) + (try keptShares(salvage)), ended)
  }

  /// Removes the notes of kept shares whose words are lost.
  private static func keptShares(_ salvage: Salvage) throws -> [RecordChange] {
    guard salvage.damage.concerns(.heldShare) else { return [] }
    return try salvage.vault.records(.guardian).compactMap { record in
      guard let note = EntrustedShare(id: record.id, record: record.value), note.side == .kept,
        try salvage.vault.protection(of: .heldShare, id: note.id) == nil
      else { return nil }
      return .delete(kind: .guardian, id: record.id)
    }
  }

  // MARK: what may be older

  /// The records that decide what an app may do unasked: its pairing, and the class of the key it uses, which may come from its
  /// words.
  private static let permitting: Set<RecordKind> = [.pairing, .identityKey, .identityWords]

  private static func asked(_ pairing: Pairing) -> RecordChange {
    var pairing = pairing
    // What was not let in, or was revoked, stays so: then all that it asks waits for the owner.
    if !pairing.grant.isFirstUse { pairing.grant = Grant(trust: .low, isSuspended: true) }
    return .put(.pairing, pairing.remoteSigner.bytes.array, pairing.record)
  }

  private static func areSettingsLost(_ damage: VaultDamage) -> Bool {
    damage.unproven.contains(.setting)
      || damage.rows.contains { row in
        row.kind == .setting && (row.id == nil || row.id == SessionSettings.id || row.id == Store.policySetting)
      }
  }

  /// The strictest settings, which hold until the owner sets others.
  private static var strictSettings: [RecordChange] {
    var session = SessionSettings()
    (session.lockAfter, session.locksOnSuspend, session.locksOnDesktopLock) = (strictLockAfter, true, true)
    return [
      .put(.setting, Store.policySetting, PolicySettings(defaultTrust: .low, followShare: 0).record),
      .put(.setting, SessionSettings.id, JSONValue.object(session.members).serialized()), LogRetention.change(to: nil),
    ]
  }

  /// In seconds without an operation of the owner.
  static let strictLockAfter: Int64 = 60

  // MARK: for the owner

  private static func names(_ salvage: Salvage, _ mended: Salvage.Mended) throws -> [[UInt8]: String] {
    var names: [[UInt8]: String] = [:]
    for pairing in try salvage.vault.records(.pairing).map({ try Pairing(record: $0.value) }) {
      names[pairing.remoteSigner.bytes.array] = pairing.name
    }
    for identity in try Identities(salvage.vault).all + mended.gone { names[identity.publicKey.bytes.array] = identity.name }
    return names
  }

  /// What is lost, and what becomes of the rest.
  var report: DamageReport {
    DamageReport(
      losses: losses, records: salvage.damage.records, isLogLost: isLogLost, doubt: doubt, areSettingsReset: settingsReset,
      renamed: mended.renamed.map(\.name), derived: mended.derived.map { ($0.name, $0.protection) },
      gone: mended.gone.map(\.name), ended: ended, revoked: past.revoked.filter { !ended.contains($0) },
      suspended: past.suspended, reset: reset)
  }
}
