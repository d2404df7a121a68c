internal import Ciphers
internal import Encodings

/// The table `header`, and the summary in `records` that belongs to it.
enum HeaderTable {
  /// The header's bytes as stored, with the code over them.
  struct Stored {
    let body: [UInt8]
    let mac: [UInt8]
  }

  /// Writes the header and the sealed summary. Call within a transaction.
  static func write(_ header: VaultHeader, _ keys: ClassKeys, to database: Database) throws(VaultError) {
    let body = header.bytes
    let row = try database.prepare("INSERT OR REPLACE INTO header VALUES (1, ?, ?, ?)")
    try row.bind(1, body)
    try row.bind(2, SHA256.digest(of: body).array)
    try row.bind(3, try keys.mac(of: body, vaultID: header.vaultID))
    _ = try row.step()
    let table = RecordTable(database, header.vaultID, keys)
    try table.putSummary(VaultSummary(generation: header.generation, inventory: try table.inventory()))
  }

  /// The header, checked against damage only: there is no key yet.
  static func read(from database: Database) throws(VaultError) -> (VaultHeader, Stored) {
    let row = try database.prepare("SELECT body, digest, mac FROM header WHERE one = 1")
    guard try row.step() else { throw .corrupt(what: "header") }
    let stored = Stored(body: row.bytes(0), mac: row.bytes(2))
    guard SHA256.digest(of: stored.body).array == row.bytes(1), stored.mac.count == 32 else { throw .corrupt(what: "header") }
    return (try VaultHeader(stored.body), stored)
  }

  /// Checks the header under the class keys, that no older one was put in its place, and that no record was removed or put
  /// back. Makes the keys ready for use.
  static func check(
    _ header: VaultHeader, _ stored: Stored, _ keys: inout ClassKeys, in database: Database
  ) throws(VaultError) -> Inventory {
    guard try keys.mac(of: stored.body, vaultID: header.vaultID) == stored.mac else { throw .corrupt(what: "header") }
    try keys.derive(vaultID: header.vaultID)
    let table = RecordTable(database, header.vaultID, keys)
    var found: VaultSummary?
    try table.each(.summary, named: try keys.rowName(.summary, [])) { place, sealed, key throws(VaultError) in
      let record = try sealed.open(at: place, under: key)
      found = VaultSummary(record.value)
      return record.id
    }
    guard let found else { throw .corrupt(what: "summary") }
    guard found.generation == header.generation else { throw .corrupt(what: "generation") }
    if let kind = try table.inventory().firstDifference(from: found.inventory) {
      throw .corrupt(what: RecordKind(rawValue: kind)?.name ?? "record")
    }
    return found.inventory
  }
}

/// The table `attempts`.
enum AttemptTable {
  /// Refuses an attempt that comes too early; counts any other as failed until `write` clears it.
  /// - Returns: the count before this attempt.
  static func begin(in database: Database, now: Int64) throws(VaultError) -> Attempts {
    let row = try database.prepare("SELECT failures, failed_at FROM attempts WHERE one = 1")
    guard try row.step() else { throw .corrupt(what: "attempts") }
    let attempts = Attempts(failures: Int(clamping: max(0, row.integer(0))), failedAt: row.integer(1))
    row.reset()
    let remaining = attempts.remaining(now: now)
    if remaining > 0 {
      // The clock was set back: the wait starts again from here, once.
      if now < attempts.failedAt { try write(Attempts(failures: attempts.failures, failedAt: now), to: database) }
      throw .throttled(waitSeconds: Int((remaining + 999) / 1000))
    }
    try write(Attempts(failures: min(attempts.failures, 1 << 20) + 1, failedAt: now), to: database)
    return attempts
  }

  static func write(_ attempts: Attempts, to database: Database) throws(VaultError) {
    let row = try database.prepare("UPDATE attempts SET failures = ?, failed_at = ? WHERE one = 1")
    try row.bind(1, Int64(attempts.failures))
    try row.bind(2, attempts.failedAt)
    _ = try row.step()
  }
}
