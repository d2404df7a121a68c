import Encodings
import Platform

/// What can be saved of a damaged vault, as a complete vault beside it.
///
/// Rows that do not open are left out, and what the vault keeps about all its rows is made again. The damaged file is read and,
/// except for the count of attempts, not written. The file beside it is removed when this object is released, or replaces the
/// damaged one.
public final class Salvage {
  /// Opened and unlocked, with what was shown. Nothing that is changed in it reaches the damaged file.
  public let vault: Vault
  /// What is not in it.
  public let damage: VaultDamage
  /// The ids of the rows that open, by kind.
  public let ids: [RecordKind: Set<[UInt8]>]
  /// The state that the damaged vault said it has; nil when that is lost.
  public let mark: Vault.Mark?
  private let folder: HomeFolder
  private var lock: HomeLock?
  private var original: Database?
  private var isDone = false

  /// Reads a damaged vault. Counts as an attempt at what is shown.
  /// - Parameters:
  ///   - opener: opens the identities' keys, too: a keyring does not.
  ///   - known: ids that records may have, to name those that do not open.
  ///   - now: milliseconds since 1970-01-01 UTC.
  ///   - sealer: as for `Vault.open`.
  ///   - kinds: those that the program knows. Records of others are left out.
  /// - Throws: as `Vault.open`; `.corrupt` for damage that leaves nothing to prove a row by: of the header, of the file's beginning.
  public init(
    of home: String, with opener: some SlotOpener, known: [[UInt8]], now: Int64, sealer: (any DeviceSealer)? = nil,
    kinds: RecordKinds = .own
  ) throws(KeyStoreError) {
    let folder = HomeFolder(path: home)
    let (lock, original, stored, attempt) = try keyStoreFault { () throws(VaultError) in
      try folder.check()
      guard HomeFolder.exists(folder.vault) else { throw .noVault }
      let lock = try HomeLock(folder)
      Self.removeLeftovers(in: folder)
      let original = try VaultFile.openDamaged(at: folder.vault, under: lock)
      let stored = try HeaderTable.read(from: original)
      return (lock, original, stored, try Attempt(at: opener.type, in: original, now: now))
    }
    let (proven, _) = try Vault.prove(opener, stored, attempt, in: original, now: now)
    attempt.undo(in: original)
    do throws(VaultError) {
      let saved = try Self.save(stored, proven, attempt, from: original, known, folder, lock, .current(sealing: sealer), kinds)
      (vault, damage, ids, mark) = (saved.vault, saved.damage, saved.ids, saved.mark)
    } catch {
      Self.removeLeftovers(in: folder)
      throw KeyStoreError(error)
    }
    (self.folder, self.lock, self.original) = (folder, lock, original)
  }

  deinit { discard() }

  /// Closes the vault and removes its file.
  public func discard() {
    guard !isDone else { return }
    isDone = true
    vault.close()
    original = nil
    Self.removeLeftovers(in: folder)
    lock = nil
  }

  /// Replaces the damaged vault by this one, in one step. The damaged file is kept beside it.
  /// - Parameter now: milliseconds since 1970, for the name of the kept file.
  /// - Returns: the path of the kept file.
  /// - Throws: `.io`. Then the damaged vault is still in its place.
  public func replace(now: Int64) throws(VaultError) -> String {
    vault.close()
    original = nil
    guard !HomeFolder.exists(Self.path(in: folder) + "-wal") else { throw .io("closing the new vault", code: EIO) }
    let kept = folder.vault + ".damaged-\(now)"
    guard link(folder.vault, kept) == 0 else { throw .io("keeping the damaged vault", code: errno) }
    chmod(kept, 0o600)
    // SQLite would apply them to the new file.
    for suffix in ["-wal", "-journal"] where rename(folder.vault + suffix, kept + suffix) != 0 && errno != ENOENT {
      throw .io("keeping the damaged vault", code: errno)
    }
    try HomeFolder.sync(folder.path)
    guard rename(Self.path(in: folder), folder.vault) == 0 else { throw .io("naming the new vault", code: errno) }
    isDone = true
    lock = nil
    try HomeFolder.sync(folder.path)
    return kept
  }

  // MARK: the file beside

  private static func path(in folder: HomeFolder) -> String { folder.vault + ".salvaged" }

  /// Removes what a crash left. Call under the home's lock.
  static func removeLeftovers(in folder: HomeFolder) {
    for suffix in ["", "-wal", "-shm", "-journal", ".new", ".new-journal"] { unlink(path(in: folder) + suffix) }
  }
}

extension Salvage {
  private struct Saved {
    let vault: Vault
    let damage: VaultDamage
    let ids: [RecordKind: Set<[UInt8]>]
    let mark: Vault.Mark?
  }

  private static func save(
    _ stored: HeaderTable.Stored, _ proven: ProvenSlot, _ attempt: Attempt, from original: Database, _ known: [[UInt8]],
    _ folder: HomeFolder, _ lock: HomeLock, _ machine: Machine, _ kinds: RecordKinds
  ) throws(VaultError) -> Saved {
    guard case .two(let header) = stored.header else { throw .corrupt(what: "header") }
    let device = try DeviceKeyFile(folder: folder, machine: machine).secret(for: header)
    var keys = try proven.classKeys(of: header, device: device.secret)
    guard keys.has(.whenUnlocked) else { throw .notEntitled(.whenUnlocked) }
    try HeaderTable.authenticate(stored, &keys)
    _ = try HeaderEditor.guards(of: header, keys)
    let table = RecordTable(original, header.vaultID, keys, kinds)
    let summary = try? table.summary(hasRevision: header.isStrict)
    // No damage: an older header was put in the place of this one, with the slots of then.
    if let summary, summary.generation != header.generation { throw .corrupt(what: "generation") }
    var sorting = RowSorting(header.vaultID, keys, kinds)
    var scan = RowScan(original, kinds)
    var inventory = Inventory()
    try VaultFile.create(at: path(in: folder), in: folder) { database throws(VaultError) in
      let new = RecordTable(database, header.vaultID, keys, kinds)
      try scan.each { row throws(VaultError) in if let row = try sorting.take(row) { try new.insert(row) } }
      inventory = try new.inventory()
      try HeaderTable.write(header, keys, revision: try Vault.Open.next(summary?.revision ?? 0), inventory, to: database)
      try AttemptTable.write(attempt.before, to: database)
    }
    let unknown = scan.unknown()
    sorting.compare(summary, try? table.settledStrict(), isStrict: header.isStrict, isCut: scan.isCut)
    try sorting.name(known, unknown: unknown)
    let vault = try opened(header, stored.mac, device, keys, proven, folder, lock, machine, kinds)
    if sorting.damage.concerns(.fingerSet) { try vault.withOpen { open throws(VaultError) in try open.holdFingers() } }
    return Saved(vault: vault, damage: sorting.damage, ids: sorting.ids, mark: summary?.mark)
  }

  private static func opened(
    _ header: VaultHeader, _ code: [UInt8], _ device: DeviceFinding, _ keys: ClassKeys, _ proven: ProvenSlot,
    _ folder: HomeFolder, _ lock: HomeLock, _ machine: Machine, _ kinds: RecordKinds
  ) throws(VaultError) -> Vault {
    let database = try VaultFile.open(at: path(in: folder), under: lock)
    var lasting = keys.only { !$0.needsPresence }
    let summary = try HeaderTable.check(try HeaderTable.read(from: database), &lasting, kinds, in: database)
    var open = Vault.Open(
      folder: folder, machine: machine, kinds: kinds, database: database, header: header, headerCode: code, deviceFinding: device,
      keys: lasting,
      inventory: summary.inventory)
    open.take(summary)
    try open.explainRefusals()
    nonisolated(unsafe) let opened = open  // made here, and nobody else has any of it
    return Vault(opened, openedBy: SlotOpening(slot: proven.slot.id, type: proven.type, failedAttempts: 0))
  }
}

extension RecordTable {
  /// What is stored of the stricter classes, with what was removed since.
  fileprivate func settledStrict() throws(VaultError) -> StrictInventory {
    var stored = try storedStrict()
    try stored.settle(vaultID, keys)
    return stored
  }
}
