internal import CLinux
public import Ciphers
internal import Encodings
import Glibc
public import SecretMemory

extension Vault {
  /// Whether there is a vault in the folder. Does not look inside.
  public static func exists(home: String) -> Bool { HomeFolder.exists(HomeFolder(path: home).vault) }

  /// Makes the folder (0700) and a new vault in it, with one passphrase slot. A crash leaves no vault or a whole one.
  /// - Parameters:
  ///   - passphrase: the bytes as typed; text should be in NFKC form.
  ///   - cost: `Argon2Calibration.cost()` for a vault that is to last.
  /// - Throws: `.exists`, `.inUse`, `.folderNotPrivate`, `.io`, `.outOfMemory`.
  public static func create(
    home: String, passphrase: borrowing SecretBytes, cost: Argon2id.Cost
  ) throws(VaultError) -> Vault {
    let folder = HomeFolder(path: home)
    try folder.make()
    let lock = try HomeLock(folder)
    guard !HomeFolder.exists(folder.vault) else { throw .exists }
    // A log without its file is somebody's vault in an accident; SQLite would apply it to the new one.
    guard !HomeFolder.exists(folder.vault + "-wal") else { throw .corrupt(what: "the vault file") }
    var keys = try ClassKeys.random()
    let vaultID = SystemRandom.bytes(16)
    try keys.derive(vaultID: vaultID)
    let slot = try PassphraseSlot.make(id: 1, generation: 1, vaultID: vaultID, passphrase: passphrase, cost: cost, keys: keys)
    let header = VaultHeader(vaultID: vaultID, generation: 1, slots: [slot])
    try VaultFile.create(at: folder.vault, in: folder) { database throws(VaultError) in
      try HeaderTable.write(header, keys, to: database)
    }
    holdfast_give_memory_back()
    let database = try VaultFile.open(at: folder.vault, under: lock)
    let code = try keys.mac(of: header.bytes, vaultID: vaultID)
    return Vault(
      Open(database: database, header: header, headerCode: code, keys: keys, inventory: Inventory()), failedAttempts: 0)
  }

  /// Opens the vault of a folder.
  ///
  /// Each attempt counts as failed, durably, before the passphrase is tried, and the count is cleared when it was right: killing
  /// the program does not save an attempt.
  /// - Parameter now: milliseconds since 1970-01-01 UTC.
  /// - Throws: `.noVault`, `.folderNotPrivate`, `.inUse`, `.newerVersion`, `.corrupt`, `.throttled`, `.wrongPassphrase`, `.io`,
  ///   `.costOutOfRange`, `.outOfMemory`. Only `.wrongPassphrase` and `.throttled` change the file, and only the count.
  public static func open(home: String, passphrase: borrowing SecretBytes, now: Int64) throws(VaultError) -> Vault {
    let folder = HomeFolder(path: home)
    try folder.check()
    guard HomeFolder.exists(folder.vault) else { throw .noVault }
    let lock = try HomeLock(folder)
    let database = try VaultFile.open(at: folder.vault, under: lock)
    let (header, stored) = try HeaderTable.read(from: database)
    let attempts = try AttemptTable.begin(in: database, now: now)
    let opened: ClassKeys?
    do { opened = try unlock(header, passphrase) } catch {
      // Nothing was learnt about the passphrase: this was no attempt.
      try? AttemptTable.write(attempts, to: database)
      throw error
    }
    holdfast_give_memory_back()  // what the passphrase function took
    guard var keys = opened else {
      throw .wrongPassphrase(waitSeconds: Attempts(failures: attempts.failures + 1, failedAt: now).wait)
    }
    let inventory = try HeaderTable.check(header, stored, &keys, in: database)
    try AttemptTable.write(Attempts(failures: 0, failedAt: 0), to: database)
    return Vault(
      Open(database: database, header: header, headerCode: stored.mac, keys: keys, inventory: inventory),
      failedAttempts: attempts.failures)
  }

  /// - Returns: nil when the passphrase opens no slot.
  static func unlock(_ header: VaultHeader, _ passphrase: borrowing SecretBytes) throws(VaultError) -> ClassKeys? {
    for slot in header.slots {
      if let keys = try PassphraseSlot.open(slot, of: header.vaultID, passphrase: passphrase) { return keys }
    }
    return nil
  }
}
