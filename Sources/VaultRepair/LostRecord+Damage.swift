package import Signer
package import Vault

extension LostRecord {
  /// All that is lost of a vault, the rows first.
  /// - Parameter names: of apps and identities, by the ids of their records.
  package static func all(_ damage: VaultDamage, _ names: [[UInt8]: String]) -> [LostRecord] {
    let rows = damage.rows.map { row in
      LostRecord(.row(row.kind, id: row.id), row: row.row, of: row.id.flatMap { name(of: $0, row.kind, names) })
    }
    let kinds = damage.isSummaryLost ? [] : damage.unproven.sorted { $0.rawValue < $1.rawValue }
    let unproven = kinds.map { kind in LostRecord(.unproven(kind, isListed: damage.rows.contains { $0.kind == kind })) }
    return rows + unproven + (damage.isSummaryLost ? [LostRecord(.summary)] : []) + (damage.isPageLost ? [LostRecord(.page)] : [])
  }

  private static func name(of id: [UInt8], _ kind: RecordKind?, _ names: [[UInt8]: String]) -> String? {
    if let name = names[id] { return name }
    if kind == .slotNote, id.count == 4 { return "slot \(id.reduce(0) { $0 << 8 | Int($1) })" }
    return knownIDs.contains(id) && kind != .summary ? String(decoding: id, as: UTF8.self) : nil
  }

  /// The ids of single records, so that their damaged rows can be named.
  static let knownIDs: [[UInt8]] =
    ([
      "suspended", "session", "plan", "backup", "list", "vapid", "put back", "found while locked", "answered until", "sealing",
      "sealing key", "signing", "anchor", "retention", "coordinates bounded", "coordinates closed", "usage counted",
      "waiting known", "policy", "former apps", "identity.default",
    ].map { Array($0.utf8) }) + [[]] + (0...UInt8(64)).map { [0, 0, 0, $0] }
}
