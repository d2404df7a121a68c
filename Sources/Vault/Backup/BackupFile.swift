import Ciphers
import Encodings
public import SecretMemory

/// A backup file, its beginning read and nothing opened yet.
public struct BackupFile {
  private let path: String
  let header: VaultHeader
  private let prologue: BackupPrologue
  private let code: [UInt8]

  /// Reads the beginning, and whether the file is as long as it says.
  /// - Parameter path: possibly a stranger's file.
  /// - Throws: `.notABackup`, `.newerVersion`, `.headerDamaged`, `.cut`, `.goesOn`, `.io`.
  public init(path: String) throws(BackupError) {
    let source = try BackupSource(path: path)
    self.path = path
    (prologue, code) = try BackupPrologue.read { count throws(BackupError) in try source.read(count) }
    do { header = try VaultHeader(prologue.header) } catch .newerVersion(let found) { throw .newerVersion(found: found) } catch {
      throw .headerDamaged
    }
    let whole = source.position + Piece.sealedLength(of: prologue.length)
    guard source.length >= whole else { throw .cut(missing: whole - source.length) }
    guard source.length == whole else { throw .goesOn }
  }

  /// The id of the vault it was made of, 16 bytes: the same before and after a restore.
  public var vaultID: [UInt8] { header.vaultID }

  /// The slots that open it, as it lists them before anything is opened. Types that this version does not know are left out.
  public var slots: [SlotDescription] {
    header.slots.compactMap { slot in
      SlotType(rawValue: slot.type).map { SlotDescription(id: slot.id, type: $0, parameters: slot.parameters) }
    }
  }

  /// Opens it with a passphrase of the vault.
  /// - Throws: `.opener(.authenticationFailed)`, `.headerNotAuthentic`, `.vault` when the passphrase function cannot run.
  public func open(passphrase: borrowing SecretBytes) throws(BackupError) -> OpenedBackup {
    try open(with: try backupStep { () throws(VaultError) in try PassphraseOpener(copying: passphrase) })
  }

  /// Opens it by any slot of the vault.
  /// - Throws: `.opener` with `.authenticationFailed` and what the opener throws, `.headerNotAuthentic`, `.vault`.
  public func open(with opener: some SlotOpener) throws(BackupError) -> OpenedBackup {
    let proven: ProvenSlot?
    do { proven = try ProvenSlot.find(opener, in: header) } catch .vault(let error) { throw .vault(error) } catch {
      throw .opener(error)
    }
    guard let proven else { throw .opener(.authenticationFailed(triesLeft: nil, waitSeconds: 0)) }
    return try open(try backupStep { () throws(VaultError) in try proven.classKeys(of: header, device: nil) })
  }

  /// Opens it with the keys of an open vault. This does not show that a credential opens it.
  /// - Throws: `.headerNotAuthentic` for a backup of another vault, or from before a rotation of its keys, `.vault(.closed)`.
  public func open(as vault: Vault) throws(BackupError) -> OpenedBackup {
    let keys = try backupStep { () throws(VaultError) in try vault.withOpen { open in open.keys } }
    return try open(keys)
  }

  /// Opens it with what opened another backup of the same vault.
  /// - Throws: `.headerNotAuthentic` for a backup of another vault, or when the class keys were changed between the two.
  public func open(as other: OpenedBackup) throws(BackupError) -> OpenedBackup { try open(other.keys) }

  private func open(_ found: ClassKeys) throws(BackupError) -> OpenedBackup {
    var keys = found
    let classKey = try backupStep { () throws(VaultError) in try found.key(.afterFirstUnlock) }
    let expected = try prologue.code(under: classKey)
    guard expected.withUnsafeBytes({ a in code.withUnsafeBytes { constantTimeEqual(a, $0) } }) else { throw .headerNotAuthentic }
    try backupStep { () throws(VaultError) in try keys.derive(vaultID: header.vaultID, olderNames: header.olderNames) }
    return OpenedBackup(
      path: path, header: header, keys: keys, offset: prologue.bytes.count + code.count, length: prologue.length,
      contentsKey: try prologue.contentsKey(under: classKey))
  }
}

/// A backup whose keys are available. It can be read several times; each time it is read from the file.
public struct OpenedBackup {
  private let path: String
  let header: VaultHeader
  let keys: ClassKeys
  private let offset: Int
  private let length: UInt64
  private let contentsKey: SecretBox

  fileprivate init(path: String, header: VaultHeader, keys: ClassKeys, offset: Int, length: UInt64, contentsKey: SecretBox) {
    (self.path, self.header, self.keys, self.offset) = (path, header, keys, offset)
    (self.length, self.contentsKey) = (length, contentsKey)
  }

  /// The backup's description of itself. Reads nothing after it.
  public func summary() throws(BackupError) -> BackupSummary {
    let source = try BackupSource(path: path)
    _ = try source.read(offset)
    var reader = PieceReader(source, length: length, under: contentsKey)
    return try summary(&reader)
  }

  private func summary(_ reader: inout PieceReader) throws(BackupError) -> BackupSummary {
    guard let start = try reader.take(BackupSummary.length), let summary = BackupSummary(start),
      summary.generation == header.generation
    else { throw .malformed(row: 0) }
    return summary
  }

  /// Passes on every row in order. Rows whose class key is available are opened.
  /// - Parameters:
  ///   - kinds: the kinds of records that the program knows. Rows of other kinds are not opened.
  ///   - progress: called with how many rows of how many were read. If it returns false, reading ends.
  ///   - body: called with the row, and with its kind and record if they are known and not secret.
  /// - Throws: the first error found, after earlier rows were passed on. Bytes after the last row are checked, too.
  @discardableResult
  func eachRow(
    knowing kinds: RecordKinds, progress: (_ done: UInt64, _ of: UInt64) -> Bool = { _, _ in true },
    _ body: (SealedRow, Opened) throws(BackupError) -> Void
  ) throws(BackupError) -> BackupSummary {
    let source = try BackupSource(path: path)
    _ = try source.read(offset)
    var reader = PieceReader(source, length: length, under: contentsKey)
    let summary = try summary(&reader)
    var last: SealedRow?
    var number: UInt64 = 0
    while number < summary.records {
      let read = try SealedRow.read { count throws(BackupError) in try reader.take(count) }
      guard let row = read, last.map({ row.follows($0) }) ?? true else { throw .malformed(row: number) }
      try body(row, try opened(row, number, kinds))
      (last, number) = (row, number + 1)
      guard progress(number, summary.records) else { throw .cancelled }
    }
    guard try reader.isAtEnd() else { throw .malformed(row: number) }
    return summary
  }

  /// What a row holds, as far as it could be looked at.
  enum Opened {
    case record(RecordKind, Record)
    case secret(RecordKind)
    /// Its class key is not available, or this version does not know its class or kind.
    case sealed
  }

  private func opened(_ row: SealedRow, _ number: UInt64, _ kinds: RecordKinds) throws(BackupError) -> Opened {
    guard row.kind != RecordKind.summary.rawValue, row.protection & 16 == 0 else { throw .malformed(row: number) }
    guard let kind = kinds[row.kind], let protection = ProtectionClass(rawValue: row.protection),
      let key = try? keys.key(protection)
    else { return .sealed }
    let place = RecordPlace(
      vaultID: header.vaultID, kind: kind, name: row.name, protection: row.protection, version: row.version)
    let sealed = SealedRecord(wrapped: row.wrapped, sealed: row.sealed)
    do throws(VaultError) {
      let found: (id: [UInt8], opened: Opened)
      if kind.isSecret {
        found = (try sealed.openSecret(at: place, under: key).id, .secret(kind))
      } else {
        let record = try sealed.open(at: place, under: key)
        found = (record.id, .record(kind, record))
      }
      guard try keys.rowName(kind, found.id, protection) == row.name else { throw VaultError.corrupt(what: kind.name) }
      return found.opened
    } catch .outOfMemory { throw .vault(.outOfMemory) } catch { throw .recordDamaged(kind: "\(kind.name)", row: number) }
  }
}
