import Ciphers
import Encodings

/// The table `header`, and the summary in `records` that belongs to it.
enum HeaderTable {
  /// The header as stored, checked against damage only.
  struct Stored {
    let body: [UInt8]
    let mac: [UInt8]
    let header: Version
  }

  /// The forms a header may have.
  enum Version {
    case one(VersionOneHeader)
    case two(VaultHeader)

    /// Whether there is a revision and a strict summary.
    var isStrict: Bool {
      switch self {
      case .one: false
      case .two(let header): header.isStrict
      }
    }

    var vaultID: [UInt8] {
      switch self {
      case .one(let header): header.vaultID
      case .two(let header): header.vaultID
      }
    }

    var generation: UInt64 {
      switch self {
      case .one(let header): header.generation
      case .two(let header): header.generation
      }
    }
  }

  /// Writes the header and the sealed summary. Call within a transaction.
  /// - Parameters:
  ///   - inventory: of all rows; with the stricter classes for a header that has a strict summary.
  ///   - old: what is stored of the stricter classes.
  /// - Returns: the summary that was written.
  @discardableResult
  static func write(
    _ header: VaultHeader, _ keys: ClassKeys, revision: UInt64, _ inventory: Inventory, after old: StrictInventory? = nil,
    to database: Database
  ) throws(VaultError) -> VaultSummary {
    guard !header.isStrict || inventory.strict != nil else { throw .notEntitled(.whenUnlocked) }
    try database.run(header.isStrict ? "PRAGMA user_version = 3" : "PRAGMA user_version = 2")
    try write(header.bytes, try keys.mac(of: header.bytes, vaultID: header.vaultID), to: database)
    var summary = VaultSummary(
      generation: header.generation, revision: header.isStrict ? revision : nil, inventory: inventory)
    if !header.isStrict { summary.inventory.strict = nil }
    try RecordTable(database, header.vaultID, keys, .own).putSummary(summary, after: old)
    return summary
  }

  /// Writes a header's bytes as they are.
  static func write(_ body: [UInt8], _ mac: [UInt8], to database: Database) throws(VaultError) {
    let row = try database.prepare("INSERT OR REPLACE INTO header VALUES (1, ?, ?, ?)")
    try row.bind(1, body)
    try row.bind(2, SHA256.digest(of: body).array)
    try row.bind(3, mac)
    _ = try row.step()
  }

  /// The header, checked against damage only: there is no key yet.
  static func read(from database: Database) throws(VaultError) -> Stored {
    let row = try database.prepare("SELECT body, digest, mac FROM header WHERE one = 1")
    guard try row.step() else { throw .corrupt(what: "header") }
    let (body, mac) = (row.bytes(0), row.bytes(2))
    guard SHA256.digest(of: body).array == row.bytes(1), mac.count == 32 else { throw .corrupt(what: "header") }
    var reader = ByteReader(body[...])
    let version = try VaultHeader.version(&reader)
    guard version == (try VaultFile.version(of: database)) else { throw .corrupt(what: "header") }
    let header: Version =
      if version == VersionOneHeader.version { .one(try VersionOneHeader(body)) } else { .two(try VaultHeader(body)) }
    return Stored(body: body, mac: mac, header: header)
  }

  /// Checks the header's code under the class keys, and makes the keys ready for use.
  static func authenticate(_ stored: Stored, _ keys: inout ClassKeys) throws(VaultError) {
    let vaultID = stored.header.vaultID
    let (code, olderNames): ([UInt8], [VaultHeader.OlderNames]) =
      switch stored.header {
      case .one: (try VersionOneHeader.mac(of: stored.body, keys, vaultID), [])
      case .two(let header): (try keys.mac(of: stored.body, vaultID: vaultID), header.olderNames)
      }
    guard code == stored.mac else { throw .corrupt(what: "header") }
    try keys.derive(vaultID: vaultID, olderNames: olderNames)
  }

  /// Checks the header under the class keys: that no older header replaced it, and that no record was removed or restored from an
  /// older copy. Prepares the keys for use.
  static func check(
    _ stored: Stored, _ keys: inout ClassKeys, _ kinds: RecordKinds, in database: Database
  ) throws(VaultError) -> VaultSummary {
    try authenticate(stored, &keys)
    let table = RecordTable(database, stored.header.vaultID, keys, kinds)
    var found = try table.summary(hasRevision: stored.header.isStrict)
    guard found.generation == stored.header.generation else { throw .corrupt(what: "generation") }
    if let kind = try table.inventory().firstDifference(from: found.inventory) {
      throw .corrupt(what: kinds.name(of: kind))
    }
    if stored.header.isStrict { found.inventory.strict = try table.checkedStrict() }
    return found
  }
}

/// The table `attempts`.
enum AttemptTable {
  /// Refuses an attempt that comes too early; counts any other as failed until `write` clears it.
  /// - Returns: the count before this attempt.
  static func begin(in database: Database, now: Int64) throws(VaultError) -> Attempts {
    let attempts = try read(from: database)
    let remaining = attempts.remaining(now: now)
    if remaining > 0 {
      // The clock was set back: the wait starts again from here, once.
      if now < attempts.failedAt { try write(Attempts(failures: attempts.failures, failedAt: now), to: database) }
      throw .throttled(waitSeconds: Int((remaining + 999) / 1000))
    }
    try write(Attempts(failures: min(attempts.failures, 1 << 20) + 1, failedAt: now), to: database)
    return attempts
  }

  static func read(from database: Database) throws(VaultError) -> Attempts {
    let row = try database.prepare("SELECT failures, failed_at FROM attempts WHERE one = 1")
    guard try row.step() else { throw .corrupt(what: "attempts") }
    return Attempts(failures: Int(clamping: max(0, row.integer(0))), failedAt: row.integer(1))
  }

  static func write(_ attempts: Attempts, to database: Database) throws(VaultError) {
    let row = try database.prepare("UPDATE attempts SET failures = ?, failed_at = ? WHERE one = 1")
    try row.bind(1, Int64(attempts.failures))
    try row.bind(2, attempts.failedAt)
    _ = try row.step()
  }
}
