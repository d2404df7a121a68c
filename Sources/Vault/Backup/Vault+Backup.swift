import Ciphers
import Encodings
import SecretMemory

extension Vault {
  /// Writes everything that is not bound to this device into one new file, mode 0600, durable when this returns.
  ///
  /// Needs only the class `afterFirstUnlock`: records of the other classes are copied sealed. Other calls wait meanwhile, so that
  /// the backup shows the vault at one moment. Holds at most one record and one piece in memory.
  /// - Parameters:
  ///   - path: the file to make. Nothing is overwritten.
  ///   - number: one more than that of the last backup.
  ///   - now: milliseconds since 1970-01-01 UTC.
  ///   - progress: called with how many bytes of how many were written. If it returns false, writing ends.
  /// - Throws: `.exists`, `.io`, `.cancelled`, `.vault`. Then there is no file.
  @discardableResult
  public func writeBackup(
    to path: String, number: UInt64, now: Int64, progress: (_ done: UInt64, _ of: UInt64) -> Bool = { _, _ in true }
  ) throws(BackupError) -> BackupSummary {
    let file = try NewFile(at: path)
    let written = try backupStep { () throws(VaultError) in
      try withOpen { open in Self.result { () throws(BackupError) in try open.writeBackup(file, number, now, progress) } }
    }
    let summary = try written.get()
    try file.finish()
    return summary
  }

  // The vault's lock lends itself to calls that throw the vault's errors.
  private static func result(_ body: () throws(BackupError) -> BackupSummary) -> Result<BackupSummary, BackupError> {
    do { return .success(try body()) } catch { return .failure(error) }
  }
}

/// Runs a step of the vault and throws a backup's error.
func backupStep<Result: ~Copyable>(_ body: () throws(VaultError) -> Result) throws(BackupError) -> Result {
  do { return try body() } catch { throw .vault(error) }
}

extension Vault.Open {
  fileprivate func writeBackup(
    _ file: NewFile, _ number: UInt64, _ now: Int64, _ progress: (UInt64, UInt64) -> Bool
  ) throws(BackupError) -> BackupSummary {
    let classKey = try backupStep { () throws(VaultError) in try keys.key(.afterFirstUnlock) }
    let (counts, bytes) = try backupStep { () throws(VaultError) in try table.countForBackup() }
    let summary = BackupSummary(
      madeAt: now, generation: header.generation, number: number, records: counts.taken, leftOut: counts.leftOut)
    let length = UInt64(BackupSummary.length) + bytes
    let copy = try backupStep { () throws(VaultError) in try HeaderEditor.withoutDevice(header, keys) }
    let prologue = BackupPrologue(
      salt: SystemRandom.bytes(BackupPrologue.saltLength), length: length, header: copy.bytes)
    try file.write(prologue.bytes + (try prologue.code(under: classKey)))
    var writer = PieceWriter(file, under: try prologue.contentsKey(under: classKey))
    try writer.write(summary.bytes)
    var done = UInt64(BackupSummary.length)
    let rows = try backupStep { () throws(VaultError) in try table.rowsForBackup() }
    while let row = try backupStep({ () throws(VaultError) in try rows.next() }) {
      let bytes = row.bytes
      try writer.write(bytes)
      done += UInt64(bytes.count)
      guard progress(done, length) else { throw .cancelled }
    }
    try writer.finish()
    guard done == length else { throw .vault(.corrupt(what: "record")) }
    return summary
  }
}

/// The rows that go into a backup, one after the other.
struct RowsForBackup {
  fileprivate let statement: Statement

  func next() throws(VaultError) -> SealedRow? {
    guard try statement.step() else { return nil }
    guard let kind = UInt16(exactly: statement.integer(0)), let protection = UInt8(exactly: statement.integer(2)) else {
      throw .corrupt(what: "record")
    }
    let row = SealedRow(
      kind: kind, name: statement.bytes(1), protection: protection, version: UInt64(bitPattern: statement.integer(3)),
      wrapped: statement.bytes(4), sealed: statement.bytes(5))
    guard row.name.count == 32, row.wrapped.count <= Int(UInt16.max), row.sealed.count <= SealedRow.maximumSealed
    else { throw .corrupt(what: "record") }
    return row
  }
}

// Classes from 17 on are bound to the device; what this version does not know is left where it is.
extension RecordTable {
  fileprivate func countForBackup() throws(VaultError) -> (rows: (taken: UInt64, leftOut: UInt64), bytes: UInt64) {
    let taken = try database.prepare(
      "SELECT count(*), coalesce(sum(length(wrapped) + length(sealed)), 0) FROM records WHERE kind <> 0 AND class BETWEEN 1 AND 15"
    )
    let all = try database.prepare("SELECT count(*) FROM records WHERE kind <> 0")
    guard try taken.step(), try all.step() else { throw .corrupt(what: "the vault file") }
    let rows = UInt64(max(0, taken.integer(0)))
    let bytes = UInt64(max(0, taken.integer(1))) + rows * UInt64(SealedRow.length(wrapped: 0, sealed: 0))
    return ((rows, UInt64(max(0, all.integer(0))) - rows), bytes)
  }

  fileprivate func rowsForBackup() throws(VaultError) -> RowsForBackup {
    RowsForBackup(
      statement: try database.prepare(
        "SELECT kind, name, class, version, wrapped, sealed FROM records WHERE kind <> 0 AND class BETWEEN 1 AND 15 ORDER BY kind, name"
      ))
  }
}
