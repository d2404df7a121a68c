package import AuditLog
import JSON
package import Vault

/// The result of comparing the vault with the log's knowledge of it.
package struct RollbackFinding: Equatable, Sendable {
  /// How the two differ. Raw values are stored.
  package enum Sort: String, Sendable {
    /// The vault is older than something the log knows.
    case older
    /// The vault has the same number of changes as the log knows, but different ones.
    case other
  }

  package let sort: Sort
  /// The vault's revision as found; 0 when it had none.
  package let found: UInt64
  /// The revision that the log knows.
  package let known: UInt64

  package init(sort: Sort, found: UInt64, known: UInt64) { (self.sort, self.found, self.known) = (sort, found, known) }

  /// One line for the owner.
  package var sentence: String {
    switch self.sort {
    case .older:
      "The vault is older than the log: this vault.db ends at state \(found), the log knows state \(known). It is an older copy that replaced the newer file."
    case .other:
      "The vault is not the one that the log knows: both are at state \(found), but their contents differ."
    }
  }

  /// The rule in the log, for programs.
  package static let code: AuditRule = "vault-put-back"
}

extension RollbackFinding {
  // The setting `put back` of the vault, until the owner has decided: sort, found, known.
  package static let setting = Array("put back".utf8)

  var record: [UInt8] {
    JSONValue.object([
      .init("sort", .string(sort.rawValue)), .init("found", .integer(Int64(clamping: found))),
      .init("known", .integer(Int64(clamping: known))),
    ]).serialized()
  }

  init?(record: [UInt8]) {
    guard let value = try? JSONValue(parsing: record), let sort = value["sort"]?.string.flatMap(Sort.init),
      let found = value["found"]?.integer, let known = value["known"]?.integer, found >= 0, known >= 0
    else { return nil }
    self.init(sort: sort, found: UInt64(found), known: UInt64(known))
  }

  /// A finding that the owner has not decided on yet.
  package static func stored(in vault: Vault) throws -> RollbackFinding? {
    guard let stored = try vault.value(.setting, id: setting) else { return nil }
    guard let found = RollbackFinding(record: stored) else { throw VaultError.corrupt(what: RecordKind.setting.name) }
    return found
  }

  /// Compares an opened vault with its log, as both were found at opening. Until the owner has decided, an earlier finding stays.
  ///
  /// While the entries after the log's head cannot be decrypted, the head's state is used. The state found by a locked start
  /// counts until they are decrypted.
  /// - Returns: nil when the vault is the one that the log knows, or a newer one.
  package static func look(at vault: Vault, _ log: AuditLog) throws -> RollbackFinding? {
    if let stored = try stored(in: vault) { return stored }
    return try compare(
      StateWhileLocked.stored(in: vault) ?? vault.foundMark.flatMap { VaultMark($0) }, with: log.knownVault())
  }

  /// - Parameter known: nil for a log that knows nothing of its vault yet.
  package static func compare(_ vault: VaultMark?, with known: VaultMark?) -> RollbackFinding? {
    guard let known else { return nil }
    let found = vault?.revision ?? 0
    if found < known.revision { return RollbackFinding(sort: .older, found: found, known: known.revision) }
    // A newer vault: the signer was killed between a change and its entry.
    guard found == known.revision, vault != known else { return nil }
    return RollbackFinding(sort: .other, found: found, known: known.revision)
  }

  /// Suspends everything in three places: in the vault, so that opening it repeatedly does not make it newer than the log knows;
  /// for the next start, until the owner resumes; and in the log.
  package func keepShut(_ home: Home, _ vault: Vault, _ log: AuditLog) throws {
    guard try vault.value(.setting, id: Self.setting) == nil else { return }
    _ = Suspension(home).mark()
    try vault.transaction([.put(.setting, Self.setting, record)])
    var entry = AuditEntry.event(.incidentCritical, rule: "an older vault was put back", code: Self.code)
    entry.amount = Int64(clamping: found)
    try log.appendAndWait(entry)
  }
}

extension VaultMark {
  /// The mark as the vault stores it.
  package init?(_ mark: Vault.Mark) { self.init(revision: mark.revision, generation: mark.generation, digest: mark.digest) }
}

extension RollbackFinding {
  /// The text for the owner.
  /// - Parameter missing: the log's summary of the time since; nil when it cannot be read.
  package func text(missing: String?) -> String { sentence + " Nothing is signed." + (missing.map { " " + $0 } ?? "") }
}
