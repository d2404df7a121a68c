import Encodings
import SecretMemory

/// The table `records` with the keys to read and write it.
struct RecordTable {
  let database: Database
  let vaultID: [UInt8]
  let keys: ClassKeys
  /// Those that the program knows.
  let kinds: RecordKinds

  init(_ database: Database, _ vaultID: [UInt8], _ keys: ClassKeys, _ kinds: RecordKinds) {
    (self.database, self.vaultID, self.keys, self.kinds) = (database, vaultID, keys, kinds)
  }

  func put(
    _ kind: RecordKind, _ id: [UInt8], _ value: RecordValue, _ protection: ProtectionClass, _ inventory: inout Inventory
  ) throws(VaultError) {
    guard id.count <= Vault.maximumIDLength else { throw .tooLong(limit: Vault.maximumIDLength) }
    guard value.count <= Vault.maximumValueLength else { throw .tooLong(limit: Vault.maximumValueLength) }
    if case .bytes = value, kind.isSecret { throw .kindIsSecret }
    let classKey = try keys.key(protection)
    let old = try remove(kind, id, &inventory)
    let name = try keys.rowName(kind, id, protection)
    let place = RecordPlace(
      vaultID: vaultID, kind: kind, name: name, protection: protection.rawValue, version: (old ?? 0) &+ 1)
    let sealed = try SealedRecord(id: id, value: value, at: place, under: classKey)
    try insert(place, sealed)
    if kind != .summary { try inventory.add(place, sealed.wrapped, keys) }
  }

  /// Writes a row as it is.
  func insert(_ place: RecordPlace, _ sealed: SealedRecord) throws(VaultError) {
    try insert(
      SealedRow(
        kind: place.kind, name: place.name, protection: place.protection, version: place.version, wrapped: sealed.wrapped,
        sealed: sealed.sealed), orReplace: true)
  }

  /// Writes a sealed row. If it exists already, that is an error of the database, unless it may be replaced.
  func insert(_ row: SealedRow, orReplace: Bool = false) throws(VaultError) {
    let statement = try database.prepare(
      orReplace
        ? "INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?, ?, ?)" : "INSERT INTO records VALUES (?, ?, ?, ?, ?, ?)")
    try statement.bind(1, Int64(row.kind))
    try statement.bind(2, row.name)
    try statement.bind(3, Int64(row.protection))
    try statement.bind(4, Int64(bitPattern: row.version))
    try statement.bind(5, row.wrapped)
    try statement.bind(6, row.sealed)
    _ = try statement.step()
  }

  func delete(_ kind: RecordKind, _ id: [UInt8], _ inventory: inout Inventory) throws(VaultError) {
    try remove(kind, id, &inventory)
  }

  /// - Returns: the version of the row that was there, nil when there was none.
  @discardableResult
  private func remove(_ kind: RecordKind, _ id: [UInt8], _ inventory: inout Inventory) throws(VaultError) -> UInt64? {
    var version: UInt64?
    for name in try keys.rowNames(kind, id) {
      guard let found = try takeOut(kind, name, &inventory) else { continue }
      version = max(version ?? 0, found)
      try removeRow(kind, name)
    }
    return version
  }

  func removeRow(_ kind: RecordKind, _ name: [UInt8]) throws(VaultError) {
    let row = try database.prepare("DELETE FROM records WHERE kind = ? AND name = ?")
    try row.bind(1, Int64(kind.rawValue))
    try row.bind(2, name)
    _ = try row.step()
  }

  /// Seals what the vault keeps about itself. Part of every transaction.
  /// - Parameter old: what is stored of the stricter classes.
  func putSummary(_ summary: VaultSummary, after old: StrictInventory?) throws(VaultError) {
    var none = Inventory()
    try put(.summary, [], .bytes(summary.bytes), .afterFirstUnlock, &none)
    try putStrict(summary.inventory.strict, after: old)
  }

  /// What the vault keeps about itself, without the stricter classes.
  /// - Parameter hasRevision: false in a vault of version 2.
  func summary(hasRevision: Bool) throws(VaultError) -> VaultSummary {
    var found: VaultSummary?
    try each(.summary, id: []) { place, sealed, key throws(VaultError) in
      let record = try sealed.open(at: place, under: key)
      found = VaultSummary(record.value, hasRevision: hasRevision)
      return record.id
    }
    guard let found else { throw .corrupt(what: "summary") }
    return found
  }

  /// The value of one record, in guarded memory.
  /// - Throws: `.notFound`, `.corrupt`, and why its class cannot be opened.
  func secret(_ kind: RecordKind, _ id: [UInt8]) throws(VaultError) -> SecretBox {
    var value: SecretBox?
    try each(kind, id: id) { place, sealed, key throws(VaultError) in
      let record = try sealed.openSecret(at: place, under: key)
      value = record.value
      return record.id
    }
    guard let value else { throw .notFound }
    return value
  }

  /// The value of one record that is not secret, nil when there is none.
  func value(_ kind: RecordKind, _ id: [UInt8]) throws(VaultError) -> [UInt8]? {
    var value: [UInt8]?
    try each(kind, id: id) { place, sealed, key throws(VaultError) in
      let record = try sealed.open(at: place, under: key)
      value = record.value
      return record.id
    }
    return value
  }

  /// The class of a record as its row has it, nil when there is none.
  func protection(_ kind: RecordKind, _ id: [UInt8]) throws(VaultError) -> ProtectionClass? {
    for name in try keys.rowNames(kind, id) {
      let row = try database.prepare("SELECT class FROM records WHERE kind = ? AND name = ?")
      try row.bind(1, Int64(kind.rawValue))
      try row.bind(2, name)
      guard try row.step() else { continue }
      guard let raw = UInt8(exactly: row.integer(0)), let found = ProtectionClass(rawValue: raw) else {
        throw .corrupt(what: kind.name)
      }
      return found
    }
    return nil
  }

  /// The classes of which there are rows.
  func classesInUse() throws(VaultError) -> Set<ProtectionClass> {
    let rows = try database.prepare("SELECT DISTINCT class FROM records")
    var classes: Set<ProtectionClass> = []
    while try rows.step() {
      if let raw = UInt8(exactly: rows.integer(0)), let found = ProtectionClass(rawValue: raw) { classes.insert(found) }
    }
    return classes
  }

  /// Passes on every record of a kind, or the one with that id.
  /// - Parameter body: opens the record and returns the id found inside, which must match the row's name.
  func each(
    _ kind: RecordKind, id: [UInt8]? = nil, _ body: (RecordPlace, SealedRecord, SecretBox) throws(VaultError) -> [UInt8]
  ) throws(VaultError) {
    guard let id else { return try each(kind, try database.prepare(Self.all), body) }
    for name in try keys.rowNames(kind, id) {
      let rows = try database.prepare(Self.one)
      try rows.bind(2, name)
      try each(kind, rows, body)
    }
  }

  private func each(
    _ kind: RecordKind, _ rows: Statement, _ body: (RecordPlace, SealedRecord, SecretBox) throws(VaultError) -> [UInt8]
  ) throws(VaultError) {
    try rows.bind(1, Int64(kind.rawValue))
    while try rows.step() {
      guard let raw = UInt8(exactly: rows.integer(1)), let protection = ProtectionClass(rawValue: raw) else {
        throw .corrupt(what: kind.name)
      }
      let place = RecordPlace(
        vaultID: vaultID, kind: kind, name: rows.bytes(0), protection: raw,
        version: UInt64(bitPattern: rows.integer(2)))
      let sealed = SealedRecord(wrapped: rows.bytes(3), sealed: rows.bytes(4))
      let id = try body(place, sealed, try keys.key(protection))
      guard try keys.rowName(kind, id, protection) == place.name else { throw .corrupt(what: kind.name) }
    }
  }

  /// The inventory of the rows that exist, including the stricter classes if the strict key is available. Opens none of them.
  func inventory() throws(VaultError) -> Inventory {
    var inventory = Inventory()
    let strictKey = try keys.strictKey(vaultID: vaultID)
    if strictKey != nil { inventory.strict = .empty }
    let key = try keys.inventoryKey()
    let rows = try database.prepare("SELECT kind, name, class, version, wrapped FROM records WHERE kind <> 0")
    while try rows.step() {
      guard let kind = UInt16(exactly: rows.integer(0)) else { throw .corrupt(what: "record") }
      guard let protection = UInt8(exactly: rows.integer(2)) else { throw .corrupt(what: kinds.name(of: kind)) }
      let place = RecordPlace(
        vaultID: vaultID, kind: kind, name: rows.bytes(1), protection: protection,
        version: UInt64(bitPattern: rows.integer(3)))
      let wrapped = rows.bytes(4)
      inventory.toggle(place, wrapped: wrapped, under: key)
      if let strictKey, place.isStrict { inventory.strict?.toggle(place, wrapped, strictKey) }
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
      vaultID: vaultID, kind: kind, name: name, protection: UInt8(truncatingIfNeeded: row.integer(0)), version: version)
    try inventory.takeOut(place, row.bytes(2), keys)
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
