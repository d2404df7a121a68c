package import Ciphers
import Encodings
package import Identities
import ObjectStorage
import Platform
package import SecretMemory
package import Signer
package import Vault

/// An opened backup, and what is beside it.
package final class RestorableBackup {
  let source: ReadableBackup
  let opened: OpenedBackup
  private let vaultID: [UInt8]
  private let proof: BackupProof

  /// Opens it.
  package init(_ source: ReadableBackup, _ proof: BackupProof) throws {
    (self.source, self.proof) = (source, proof)
    let file = try BackupFile(path: source.path)
    (opened, vaultID) = (try Opening.open(file, proof), file.vaultID)
  }

  /// A newer backup of the same vault.
  package struct Newer {
    /// Its name at the place.
    package let name: String
    /// When it was made, seconds since 1970. If only its name was read, as the name says.
    package let made: Int64
  }

  /// The newest of the backups beside it that are newer.
  ///
  /// In a folder of this machine, every backup of the vault is read. At a server only names are read, which the server can
  /// invent. The only consequence is that the owner is asked.
  package func newer() throws -> Newer? {
    let summary = try opened.summary()
    guard let files = try? source.place?.list(TransferControl()) else { return nil }
    var found: [BackupName.Parts] = []
    for file in files where file.name != source.name {
      if let parts = BackupName.parts(file.name, vaultID: vaultID) {
        found.append(parts)
      } else if let folder = source.folder, file.name.hasSuffix(BackupName.suffix), found.count < Self.mostLookedInto,
        let other = try? BackupFile(path: folder + "/" + file.name), other.vaultID == vaultID,
        let told = try? other.open(as: opened).summary()
      {
        found.append(BackupName.Parts(name: file.name, vault: "", time: told.madeAt / 1000, number: told.number))
      }
    }
    let newer = found.filter { $0.number > summary.number || $0.time > summary.madeAt / 1000 }
    return newer.max().map { Newer(name: $0.name, made: $0.time) }
  }

  /// The most files with other names that are read.
  private static let mostLookedInto = 1000

  /// When it was made, seconds since 1970.
  package func made() throws -> Int64 {
    try opened.summary().madeAt / 1000
  }

  /// Its name for the owner.
  package var shown: String { source.shown }

  /// Opens every record that can be opened and returns what was found. Changes nothing.
  /// - Parameter kinds: the kinds of records that the program knows.
  package func examination(
    knowing kinds: RecordKinds, progress: Opening.Progress = { _, _ in true }
  ) throws -> ExaminedBackup {
    try opened.examineIdentities(knowing: kinds, collecting: [.pairing], progress: progress)
  }

  /// Makes a new home from it.
  ///
  /// What must not exist twice is removed: links, waiting requests, browsers with notifications, passkeys of the console. Apps
  /// that were revoked according to the list beside the backup are removed, the others come back suspended, and a new log begins.
  /// - Parameters:
  ///   - newPassphrase: replaces all earlier passphrases. Needed when shares opened the backup.
  ///   - cost: the cost of the new passphrase; nil measures this machine.
  ///   - list: the list of revoked apps, if the owner gave it; nil takes the one beside the backup. One that does not open is an error.
  ///   - isRehearsal: the home will be thrown away, so that no TPM seals anything for it.
  package func restore(
    to home: Home, newPassphrase: SecretBox?, cost: Argon2id.Cost?, list given: [UInt8]? = nil,
    isRehearsal: Bool = false, progress: Opening.Progress = { _, _ in true }
  ) throws -> RestoredBackup {
    if Opening.hasVault(home) { throw VaultError.exists }
    let beside = given.map(RevocationListOutcome.given) ?? .fetch(from: source.place, vaultID)
    let restoration = try Restoration(
      of: opened, into: home.path, sealer: isRehearsal ? nil : DeviceChip.sealer, kinds: home.kinds, progress: progress)
    let list = try beside.opened(in: restoration.vault, newestNumber: newestNumber(restoration.summary))
    if given != nil, list.list == nil { throw RevocationListMismatch() }
    let burnt = try BurntState.burn(in: restoration.vault, revoked: list.list, now: Clock.seconds)
    if let newPassphrase {
      try Opening.replacePassphrases(restoration.vault, proof, newPassphrase, cost ?? Argon2Calibration.cost())
    }
    try Opening.beginLog(of: restoration)
    try restoration.commit()
    return RestoredBackup(home: home, summary: restoration.summary, burnt: burnt, revocations: list)
  }

  /// The number of the newest backup there, according to its name. The list is written before each backup.
  private func newestNumber(_ summary: BackupSummary) -> UInt64 {
    let files = (try? source.place?.list(TransferControl())) ?? []
    return files.compactMap { BackupName.parts($0.name, vaultID: vaultID)?.number }.max().map { max($0, summary.number) }
      ?? summary.number
  }
}

/// The list of revoked apps that the owner gave is none of this vault's, or is damaged.
package struct RevocationListMismatch: Error {}
