import CLinux
public import Ciphers
import Encodings
import Platform
public import SecretMemory

extension Vault {
  /// Whether there is a vault in the folder. Does not look inside.
  public static func exists(home: String) -> Bool { HomeFolder.exists(HomeFolder(path: home).vault) }

  /// Runs `body` while no process has the vault of a folder open, and none can open it.
  /// - Throws: what `body` throws; `.inUse`, `.folderNotPrivate`, `.noVault` without a folder, `.io`.
  package static func whileClosed(home: String, _ body: () throws(VaultError) -> Void) throws(VaultError) {
    let folder = HomeFolder(path: home)
    try folder.check()
    let lock = try HomeLock(folder)
    defer { withExtendedLifetime(lock) {} }
    try body()
  }

  /// The names of device secrets in a home that new vaults did not take: one may be the only secret of a vault that was moved away.
  public static func keptDeviceKeys(home: String) -> [String] {
    HomeFolder.keptDeviceKeys.filter { HomeFolder.exists(home + "/" + $0) }
  }

  /// Makes the folder (0700) and a new vault in it, with one passphrase slot. A crash leaves no vault or a complete one.
  /// - Parameters:
  ///   - passphrase: the bytes as typed, text in any normalisation form.
  ///   - cost: `Argon2Calibration.cost()` for a vault that is to last.
  ///   - now: milliseconds since 1970-01-01 UTC; 0 if it does not matter.
  ///   - sealer: seals the device secret, if it can.
  ///   - kinds: the kinds of records that the program knows.
  ///
  /// A device secret that is already in the folder is kept under another name (`keptDeviceKeys`), and not used.
  /// - Throws: `.exists`, `.inUse`, `.folderNotPrivate`, `.io`, `.outOfMemory`, `.deviceSealed` if the name of the chip cannot be
  ///   read.
  public static func create(
    home: String, passphrase: borrowing SecretBytes, cost: Argon2id.Cost, now: Int64 = 0, sealer: (any DeviceSealer)? = nil,
    kinds: RecordKinds = .own
  ) throws(VaultError) -> Vault {
    let lock = try free(HomeFolder(path: home))
    let first: SlotEnrolment
    do { first = try .passphrase(passphrase, cost: cost) } catch { throw VaultError(error) }
    return try create(
      under: lock, first: first, note: SlotNote(made: now, label: ""), on: .current(sealing: sealer), kinds: kinds)
  }

  /// As above, with a first slot of any type a vault may be left with alone.
  /// - Throws: `.vault` with what the other throws, `.onlyPasskeysLeft`, `.onlyKeyringLeft`, `.tooLong`, `.nameNotAllowed`.
  public static func create(
    home: String, first: consuming SlotEnrolment, label: String, now: Int64, sealer: (any DeviceSealer)? = nil,
    kinds: RecordKinds = .own
  ) throws(KeyStoreError) -> Vault {
    let type = first.type
    return try keyStoreFault { () throws(VaultError) in
      try Entitlement.checkEnough([type])
      let note = try SlotNote(made: now, label: label)
      return try create(
        under: try free(HomeFolder(path: home)), first: first, note: note, on: .current(sealing: sealer), kinds: kinds)
    }
  }

  static func create(
    under lock: HomeLock, first: borrowing SlotEnrolment, note: SlotNote, on machine: Machine, kinds: RecordKinds
  ) throws(VaultError) -> Vault {
    let folder = lock.folder
    let device = try DeviceKeyFile(folder: folder, machine: machine).makeFirst()
    var keys = ClassKeys()
    for protection in [ProtectionClass.afterFirstUnlock, .whenUnlocked] { try keys.setRandom(protection) }
    var editor = HeaderEditor(newVault: keys, device: device)
    try editor.put(first, id: 1)
    try editor.complete()
    let header = try editor.finished()
    keys = editor.keys.only { !$0.needsPresence }
    try keys.derive(vaultID: header.vaultID)
    var inventory = Inventory()
    inventory.strict = .empty
    var summary = VaultSummary(generation: header.generation, revision: 1, inventory: inventory)
    try VaultFile.create(at: folder.vault, in: folder) { database throws(VaultError) in
      try RecordTable(database, header.vaultID, keys, kinds).put(note, of: 1, &inventory)
      summary = try HeaderTable.write(header, keys, revision: 1, inventory, to: database)
    }
    let database = try VaultFile.open(at: folder.vault, under: lock)
    var open = Open(
      folder: folder, machine: machine, kinds: kinds, database: database, header: header, headerCode: [],
      deviceFinding: .found(device),
      keys: keys,
      inventory: inventory)
    open.take(summary)
    try open.took(header)
    return Vault(open, openedBy: SlotOpening(slot: 1, type: first.type, failedAttempts: 0))
  }

  /// The folder, made and locked, if no vault is in it.
  static func free(_ folder: HomeFolder) throws(VaultError) -> HomeLock {
    try folder.make()
    let lock = try HomeLock(folder)
    guard !HomeFolder.exists(folder.vault) else { throw .exists }
    // A log without its file is somebody's vault in an accident; SQLite would apply it, or a journal, to the new one.
    for suffix in ["-wal", "-journal"] where HomeFolder.exists(folder.vault + suffix) {
      throw .corrupt(what: "a file beside vault.db")
    }
    return lock
  }

  /// Opens the vault of a folder by a passphrase. A vault of version 1 is rewritten as one of version 2.
  ///
  /// Each attempt counts as failed, durably, before the passphrase is tried, and the count is cleared when it was right: killing
  /// the program does not save an attempt.
  /// - Parameter now: milliseconds since 1970-01-01 UTC.
  /// - Throws: `.noVault`, `.folderNotPrivate`, `.inUse`, `.newerVersion`, `.corrupt`, `.throttled`, `.wrongPassphrase`, `.io`,
  ///   `.costOutOfRange`, `.outOfMemory`, `.noSuchSlot`. Only `.wrongPassphrase` and `.throttled` change the file, and only the
  ///   count.
  public static func open(
    home: String, passphrase: borrowing SecretBytes, now: Int64, kinds: RecordKinds = .own
  ) throws(VaultError) -> Vault {
    let opener = try PassphraseOpener(copying: passphrase)
    do { return try open(home: home, with: opener, now: now, kinds: kinds) } catch { throw VaultError(error) }
  }

  /// Opens the vault of a folder by any slot. One that does not open the class `whenUnlocked` leaves the vault locked.
  /// - Throws: as above, as `KeyStoreError`: `.authenticationFailed` if the opener opens no slot, `.vault(.noSuchSlot)` if there
  ///   is none of its type, and what the opener throws.
  /// - Parameters:
  ///   - log: asked how far the log beside the vault goes whenever a credential was shown; nil if there is no log.
  ///   - sealer: opens a sealed device secret. If it cannot, the vault opens, but its classes of this device do not.
  ///   - kinds: the kinds of records that the program knows. A change of all keys is refused while there are records of other
  ///     kinds.
  public static func open(
    home: String, with opener: some SlotOpener, now: Int64, log: LogObserver? = nil, sealer: (any DeviceSealer)? = nil,
    kinds: RecordKinds = .own
  ) throws(KeyStoreError) -> Vault {
    try open(home: home, with: opener, now: now, log: log, on: .current(sealing: sealer), kinds: kinds)
  }

  static func open(
    home: String, with opener: some SlotOpener, now: Int64, log: LogObserver? = nil, on machine: Machine, kinds: RecordKinds
  ) throws(KeyStoreError) -> Vault {
    let folder = HomeFolder(path: home)
    let (database, stored, attempt) = try keyStoreFault { () throws(VaultError) in
      let database = try file(in: folder)
      let stored = try HeaderTable.read(from: database)
      return (database, stored, try Attempt(at: opener.type, in: database, now: now))
    }
    let (proven, found) = try prove(opener, stored, attempt, in: database, now: now)
    // What was shown was right: that the vault is damaged behind it is no failed attempt.
    return try keyStoreFault(orElse: { attempt.undo(in: database) }) { () throws(VaultError) in
      var keys = found.only { !$0.needsPresence }
      let summary = try HeaderTable.check(stored, &keys, kinds, in: database)
      var open: Open
      switch stored.header {
      case .one(let header):
        open = try Open(
          rewriting: header, stored, proven.secret, keys, summary.inventory, in: database, folder: folder, machine: machine,
          kinds: kinds)
      case .two(let header):
        open = Open(
          folder: folder, machine: machine, kinds: kinds, database: database, header: header, headerCode: stored.mac,
          deviceFinding: try DeviceKeyFile(folder: folder, machine: machine).secret(for: header), keys: keys,
          inventory: summary.inventory)
        open.take(summary)
      }
      guard let slot = open.header.slot(proven.slot.id) else { throw .corrupt(what: "header") }
      let known = try ProvenSlot(slot, proven.secret, of: open.header.vaultID)
      let all = try known.classKeys(of: open.header, device: open.device)
      let extent = try open.table.logExtent()
      open.log = log
      open.install(try open.used(known, all, attempt, now: now))
      try open.explainRefusals()
      nonisolated(unsafe) let opened = open  // made here, and nobody else has any of it
      return Vault(
        opened, openedBy: SlotOpening(slot: slot.id, type: known.type, failedAttempts: attempt.before.failures),
        found: summary.mark, extent: extent)
    }
  }

  /// The file, with the lock taken.
  static func file(in folder: HomeFolder) throws(VaultError) -> Database {
    try folder.check()
    guard HomeFolder.exists(folder.vault) else { throw .noVault }
    let lock = try HomeLock(folder)
    Salvage.removeLeftovers(in: folder)
    return try VaultFile.open(at: folder.vault, under: lock)
  }

  /// The slow part: tries the opener. What is not the opener's fault is no attempt.
  /// - Returns: the slot, and its class keys but those of this device.
  static func prove(
    _ opener: some SlotOpener, _ stored: HeaderTable.Stored, _ attempt: Attempt, in database: Database, now: Int64
  ) throws(KeyStoreError) -> (ProvenSlot, ClassKeys) {
    let found: (ProvenSlot, ClassKeys)?
    do {
      switch stored.header {
      case .one(let header): found = try ProvenSlot.find(opener, in: header)
      case .two(let header):
        if let proven = try ProvenSlot.find(opener, in: header) {
          found = (
            proven, try keyStoreFault { () throws(VaultError) in try proven.classKeys(of: header, device: nil) }
          )
        } else {
          found = nil
        }
      }
    } catch {
      attempt.undo(in: database)
      throw error
    }
    guard let found else { throw attempt.failure(now: now) }
    return found
  }
}
