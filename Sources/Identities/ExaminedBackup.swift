public import Vault

/// What is in a backup of a vault with identities.
public struct ExaminedBackup: Sendable {
  /// The backup's summary and slots, and how many records were opened.
  public let examination: BackupExamination
  /// Its identities, the oldest first.
  public let identities: [Identity]
  /// The records of the kinds that were asked for, in the order of the backup.
  public let records: [RecordKind: [Record]]
}

extension OpenedBackup {
  /// Reads the whole file, opens what can be opened, and reads the identities. Changes nothing.
  /// - Parameters:
  ///   - kinds: the kinds of records that the program knows. Rows of other kinds are not opened.
  ///   - wanted: kinds that are not secret. Their records are returned unchanged.
  ///   - progress: called with how many rows of how many were read. If it returns false, reading ends.
  /// - Throws: the first error found.
  public func examineIdentities(
    knowing kinds: RecordKinds, collecting wanted: Set<RecordKind> = [],
    progress: (_ done: UInt64, _ of: UInt64) -> Bool = { _, _ in true }
  ) throws(BackupError) -> ExaminedBackup {
    var (identities, records) = ([Identity](), [RecordKind: [Record]]())
    let found = try examine(knowing: kinds, progress: progress) { kind, record in
      if wanted.contains(kind) { records[kind, default: []].append(record) }
      guard kind == .identity else { return true }
      guard let identity = Identity(record) else { return false }
      identities.append(identity)
      return true
    }
    return ExaminedBackup(
      examination: found, identities: identities.sorted { ($0.createdAt, $0.name) < ($1.createdAt, $1.name) }, records: records)
  }
}
