import Encodings
import JSON
import Signer
package import Vault

/// What the vault stores about its backups: the plan, and how many were made.
package struct BackupRecords: Sendable {
  private static let plan = Array("plan".utf8)
  private static let number = Array("backup.number".utf8)
  private static let tested = Array("backup".utf8)
  let vault: Vault

  package func plan() throws(VaultError) -> BackupPlan? {
    guard let stored = try vault.value(.backupPlan, id: Self.plan) else { return nil }
    guard let plan = BackupPlan(record: stored) else { throw .corrupt(what: RecordKind.backupPlan.name) }
    return plan
  }

  func save(_ plan: BackupPlan) throws(VaultError) { try vault.transaction([Self.change(plan)]) }

  package static func change(_ plan: BackupPlan) -> RecordChange { .put(.backupPlan, Self.plan, plan.json.serialized()) }
  package static var removal: RecordChange { .delete(kind: .backupPlan, id: plan) }

  /// The next backup's number. It is stored before it is used, so that no number is used twice.
  func nextNumber() throws(VaultError) -> UInt64 {
    let last = try lastNumber()
    let next = last == .max ? last : last + 1
    try vault.transaction([Self.change(lastNumber: next)])
    return next
  }

  /// The number of the last backup; 0 for none.
  func lastNumber() throws(VaultError) -> UInt64 {
    let stored = try vault.value(.setting, id: Self.number) ?? []
    var reader = ByteReader(stored[...])
    return reader.integer() ?? 0
  }

  static func change(lastNumber: UInt64) -> RecordChange {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: lastNumber)
    return .put(.setting, number, bytes)
  }

  /// Stores when a backup was last opened with a credential that only the owner has.
  /// - Parameter now: seconds since 1970.
  package func noteTest(now: Int64) throws(VaultError) {
    try vault.transaction([.put(.testedClaim, Self.tested, Array("\(now)".utf8))])
  }

  /// Seconds since 1970.
  package func lastTest() throws(VaultError) -> Int64? {
    try vault.value(.testedClaim, id: Self.tested).flatMap { Int64(String(decoding: $0, as: UTF8.self)) }
  }
}
