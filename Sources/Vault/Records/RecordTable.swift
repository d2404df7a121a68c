internal import Encodings
internal import SecretMemory

/// The table `records` with the keys to read and write it.
struct RecordTable {
  let database: Database
  let vaultID: [UInt8]
  let keys: ClassKeys

  init(_ database: Database, _ vaultID: [UInt8], _ keys: ClassKeys) {
    (self.database, self.vaultID, self.keys) = (database, vaultID, keys)
  }

  func put(
    _ kind: RecordKind, _ id: [UInt8], _ value: RecordValue, _ protection: ProtectionClass, _ inventory: inout Inventory
  ) throws(VaultError) {
    guard id.count <= Vault.maximumIDLength else { throw .tooLong(limit: Vault.maximumIDLength) }
    guard value.count <= Vault.maximumValueLength else { throw .tooLong(limit: Vault.maximumValueLength) }
    if case .bytes = value, kind.isSecret { throw .kindIsSecret }
    let name = try keys.rowName(kind, id)
    let old = try takeOut(kind, name, &inventory)
    let place = RecordPlace(
      vaultID: vaultID, kind: kind.rawValue, name: name, protection: protection.rawValue, version: (old ?? 0) &+ 1)
    let sealed = try SealedRecord(id: id, value: value, at: place, under: try keys.key(protection))
    let row = try database.prepare("INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?, ?, ?)")
    try row.bind(1, Int64(place.kind))
    try row.bind(2, name)
    try row.bind(3, Int64(place.protection))
    try row.bind(4, Int64(bitPattern: place.version))
    try row.bind(5, sealed.wrapped)
    try row.bind(6, sealed.sealed)
    _ = try row.step()
    if kind != .summary { inventory.toggle(place, wrapped: sealed.wrapped, under: try keys.inventoryKey()) }
  }

  func delete(_ kind: RecordKind, _ id: [UInt8], _ inventory: inout Inventory) throws(VaultError) {
    let name = try keys.rowName(kind, id)
    guard try takeOut(kind, name, &inventory) != nil else { return }
    let row = try database.prepare("DELETE FROM records WHERE kind = ? AND name = ?")
    try row.bind(1, Int64(kind.rawValue))
    try row.bind(2, name)
    _ = try row.step()
  }

  /// Seals what the vault keeps about itself. Part of every transaction.
  func putSummary(_ summary: VaultSummary) throws(VaultError) {
    var none = Inventory()
    try put(.summary, [], .bytes(summary.bytes), .afterFirstUnlock, &none)
  }

  /// Hands over every record of a kind, or the one with that name.
  /// - Parameter body: opens the record and returns the id found inside, which must be the one the row is named for.
  func each(
    _ kind: RecordKind, named name: [UInt8]?,
    _ body: (RecordPlace, SealedRecord, SecretBox) throws(VaultError) -> [UInt8]
  ) throws(VaultError) {
    let rows = try name == nil ? database.prepare(Self.all) : database.prepare(Self.one)
    try rows.bind(1, Int64(kind.rawValue))
    if let name { try rows.bind(2, name) }
    while try rows.step() {
      guard let raw = UInt8(exactly: rows.integer(1)), let protection = ProtectionClass(rawValue: raw) else {
        throw .corrupt(what: kind.name)
      }
      let place = RecordPlace(
        vaultID: vaultID, kind: kind.rawValue, name: rows.bytes(0), protection: raw,
        version: UInt64(bitPattern: rows.integer(2)))
      let sealed = SealedRecord(wrapped: rows.bytes(3), sealed: rows.bytes(4))
      let id = try body(place, sealed, try keys.key(protection))
      guard try keys.rowName(kind, id) == place.name else { throw .corrupt(what: kind.name) }
    }
  }

  /// The inventory of the rows that are there. Opens none of them.
  func inventory() throws(VaultError) -> Inventory {
    var inventory = Inventory()
    let key = try keys.inventoryKey()
    let rows = try database.prepare("SELECT kind, name, class, version, wrapped FROM records WHERE kind <> 0")
    while try rows.step() {
      guard let kind = UInt16(exactly: rows.integer(0)) else { throw .corrupt(what: "record") }
      guard let protection = UInt8(exactly: rows.integer(2)) else {
        throw .corrupt(what: RecordKind(rawValue: kind)?.name ?? "record")
      }
      let place = RecordPlace(
        vaultID: vaultID, kind: kind, name: rows.bytes(1), protection: protection,
        version: UInt64(bitPattern: rows.integer(3)))
      inventory.toggle(place, wrapped: rows.bytes(4), under: key)
    }
    return inventory
  }

  private static let all: StaticString = "SELECT name, class, version, wrapped, sealed FROM records WHERE kind = ?"
  private static let one: StaticString =
    "SELECT name, class, version, wrapped, sealed FROM records WHERE kind = ? AND name = ?"

  /// Takes a row that is to be replaced or deleted out of the inventory.
  /// - Returns: its version, nil when there is no such row.
  private func takeOut(_ kind: RecordKind, _ name: [UInt8], _ inventory: inout Inventory) throws(VaultError) -> UInt64? {
    let row = try database.prepare("SELECT class, version, wrapped FROM records WHERE kind = ? AND name = ?")
    try row.bind(1, Int64(kind.rawValue))
    try row.bind(2, name)
    guard try row.step() else { return nil }
    let version = UInt64(bitPattern: row.integer(1))
    guard kind != .summary else { return version }
    let place = RecordPlace(
      vaultID: vaultID, kind: kind.rawValue, name: name, protection: UInt8(truncatingIfNeeded: row.integer(0)), version: version)
    inventory.toggle(place, wrapped: row.bytes(2), under: try keys.inventoryKey())
    return version
  }
}

extension RecordValue {
  /// Length in bytes.
  var count: Int {
    switch self {
    case .bytes(let bytes): bytes.count
    case .secret(let secret): secret.count
    }
  }
}
