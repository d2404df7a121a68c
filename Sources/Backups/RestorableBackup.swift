package import Ciphers
import Encodings
package import Identities
import ObjectStorage
import Platform
package import SecretMemory
package import Signer
package import Vault

/// A backup that was opened, and what lies beside it.
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
    /// When it was made, seconds since 1970; of a name that a place shows, as it says.
    package let made: Int64
  }

  /// The newest of those beside it that are newer.
  ///
  /// In a folder of this machine every backup of the vault is looked into. At a server names have to do, which it may make up: what
  /// comes of it is a question.
  package func newer() throws -> Newer? {
    let summary = try opened.summary()
    guard let files = try? source.place.list(TransferControl()) else { return nil }
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

  /// The most files of other names that are looked into.
  private static let mostLookedInto = 1000

  /// When it was made, seconds since 1970.
  package func made() throws -> Int64 {
    try opened.summary().madeAt / 1000
  }

  /// As its owner calls it.
  package var shown: String { source.shown }

  /// Opens all of it that can be opened and says what is in it. Changes nothing.
  /// - Parameter kinds: those that the program knows.
  package func examination(
    knowing kinds: RecordKinds, progress: Opening.Progress = { _, _ in true }
  ) throws -> ExaminedBackup {
    try opened.examineIdentities(knowing: kinds, collecting: [.pairing], progress: progress)
  }

  /// Makes a new home of it.
  ///
  /// What must not live twice is burnt: links, waiting requests, browsers that are told, passkeys of the console. Apps that were
  /// revoked, as far as the list beside the backup says, are gone; the others come back suspended; the log begins anew.
  /// - Parameters:
  ///   - newPassphrase: in the place of all passphrases there were. Needed when shares opened the backup.
  ///   - cost: of the new passphrase; nil measures this machine.
  ///   - isRehearsal: the home is thrown away, so that no TPM is asked to seal anything for it.
  package func restore(
    to home: Home, newPassphrase: SecretBox?, cost: Argon2id.Cost?, isRehearsal: Bool = false,
    progress: Opening.Progress = { _, _ in true }
  ) throws -> RestoredBackup {
    if Opening.hasVault(home) { throw VaultError.exists }
    let beside = RevocationListOutcome.fetch(from: source.place, vaultID)
    let restoration = try Restoration(
      of: opened, into: home.path, sealer: isRehearsal ? nil : DeviceChip.sealer, kinds: home.kinds, progress: progress)
    let list = try beside.opened(in: restoration.vault, newestNumber: newestNumber(restoration.summary))
    let burnt = try BurntState.burn(in: restoration.vault, revoked: list.list, now: Clock.seconds)
    if let newPassphrase {
      try Opening.replacePassphrases(restoration.vault, proof, newPassphrase, cost ?? Argon2Calibration.cost())
    }
    try Opening.beginLog(of: restoration)
    try restoration.commit()
    return RestoredBackup(home: home, summary: restoration.summary, burnt: burnt, revocations: list)
  }

  /// The number of the newest backup that lies there, as its name says: the list is written before each.
  private func newestNumber(_ summary: BackupSummary) -> UInt64 {
    let files = (try? source.place.list(TransferControl())) ?? []
    return files.compactMap { BackupName.parts($0.name, vaultID: vaultID)?.number }.max().map { max($0, summary.number) }
      ?? summary.number
  }
}
