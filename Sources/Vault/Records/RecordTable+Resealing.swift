import Encodings

extension RecordTable {
  /// Seals every record of some classes again, with a new item key and under the class keys of another table. Call it within a
  /// transaction.
  /// - Throws: `.corrupt` naming the kind of a record that does not open.
  func reseal(_ classes: some Sequence<ProtectionClass>, as new: RecordTable) throws(VaultError) {
    for protection in classes {
      let (old, fresh) = (try keys.key(protection), try new.keys.key(protection))
      for (kind, name) in try rows(of: protection) {
        let (place, sealed) = try row(kind, name, protection)
        let plaintext = try sealed.plaintext(at: place, under: old)
        guard try keys.rowName(kind, plaintext.id, protection) == name else { throw .corrupt(what: kind.name) }
        let next = RecordPlace(
          vaultID: vaultID, kind: kind, name: try new.keys.rowName(kind, plaintext.id, protection),
          protection: protection.rawValue, version: place.version &+ 1)
        try removeRow(kind, name)
        try new.insert(next, SealedRecord(plaintext, at: next, under: fresh))
      }
    }
  }

  /// Removes every record of a class, read or not.
  func removeAll(of protection: ProtectionClass) throws(VaultError) {
    let row = try database.prepare("DELETE FROM records WHERE class = ? AND kind <> 0")
    try row.bind(1, Int64(protection.rawValue))
    _ = try row.step()
  }

  /// Kinds and names, so that the rows can be replaced while they are gone through.
  private func rows(of protection: ProtectionClass) throws(VaultError) -> [(RecordKind, [UInt8])] {
    let rows = try database.prepare("SELECT kind, name FROM records WHERE class = ? AND kind <> 0")
    try rows.bind(1, Int64(protection.rawValue))
    var found: [(RecordKind, [UInt8])] = []
    while try rows.step() {
      guard let kind = kinds[column: rows.integer(0)] else { throw .corrupt(what: "record") }
      found.append((kind, rows.bytes(1)))
    }
    return found
  }

  private func row(
    _ kind: RecordKind, _ name: [UInt8], _ protection: ProtectionClass
  ) throws(VaultError) -> (RecordPlace, SealedRecord) {
    let row = try database.prepare("SELECT version, wrapped, sealed FROM records WHERE kind = ? AND name = ?")
    try row.bind(1, Int64(kind.rawValue))
    try row.bind(2, name)
    guard try row.step() else { throw .corrupt(what: kind.name) }
    let place = RecordPlace(
      vaultID: vaultID, kind: kind, name: name, protection: protection.rawValue,
      version: UInt64(bitPattern: row.integer(0)))
    return (place, SealedRecord(wrapped: row.bytes(1), sealed: row.bytes(2)))
  }
}
