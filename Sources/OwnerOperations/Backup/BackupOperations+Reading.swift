import AuditLog
import Backups
import Encodings
import Identities
import JSON
import ObjectStorage
package import OwnerAPI
import OwnerWords
import Platform
import SecretMemory
import Signer
import Vault

/// Checks and lists existing backups.
extension Operations {
  /// With a credential, this shows that the owner can open it. Without one, it shows that the file is complete.
  func verifyBackup(_ request: BackupVerify.Request, _ call: OperationCall) throws -> BackupVerify.Response {
    let source = try backupToVerify(request, call.channel)
    let isHere = try isOnVaultsDisk(request, source)
    return try verifyBackup(at: source.path, shown: source.shown, isOnVaultsDisk: isHere, request.credential, call)
  }

  /// - Parameters:
  ///   - shown: the file's name for the owner.
  ///   - isOnVaultsDisk: whether it is lost together with the vault. Nobody knows it of a file that a browser sends.
  func verifyBackup(
    at path: String, shown: String, isOnVaultsDisk: Bool = false, _ credential: Credential, _ call: OperationCall
  ) throws -> BackupVerify.Response {
    let file = try BackupFile(path: path)
    // A backup of another vault says nothing about this one.
    let isOurs = file.vaultID == home.vault.id
    let proof = call.hasProof ? try BackupProof(credential) : nil
    let isProven = proof?.isOwners ?? false
    let opened = if let proof { try open(file, proof, isOurs: isOurs, call.channel) } else { try file.open(as: home.vault) }
    let found = try opened.examineIdentities(knowing: home.vault.kinds, collecting: [.pairing])
    if isOurs, isCredible(file, call.channel) { try noteVerified(found, isProven: isProven, isOnVaultsDisk: isOnVaultsDisk) }
    var response = BackupVerify.Response()
    (response.file, response.contents) = (shown, BackupContents(found))
    (response.isProven, response.isOfThisVault) = (isProven, isOurs)
    return response
  }

  /// Whoever sits at an open browser can make a file that names this vault and opens with a passphrase of their own. It must not count as
  /// the owner's test.
  private func isCredible(_ file: BackupFile, _ channel: OwnerChannel) -> Bool {
    channel != .console || (try? file.open(as: home.vault)) != nil
  }

  /// Whether the backup that is read is lost together with the vault.
  private func isOnVaultsDisk(_ request: BackupVerify.Request, _ source: ReadableBackup) throws -> Bool {
    if request.file != nil { return VaultsDisk.has(path: source.path, home: home.folder.path) }
    let place = try request.place.to == nil ? services.backups.records.plan()?.place : request.place.text()
    return VaultsDisk.has(try? place?.place(), home: home.folder.path)
  }

  private func noteVerified(_ found: ExaminedBackup, isProven: Bool, isOnVaultsDisk: Bool) throws {
    if isProven { try services.backups.records.noteTest(now: Clock.seconds) }
    services.backups.note(
      .backupVerified, found.examination.summary,
      BackupReason.checked(isProven: isProven, isOnVaultsDisk: isOnVaultsDisk))
  }

  /// Opens a backup with a credential. For a backup of this vault, the credential is first tried at the vault: there a wrong one is counted
  /// and recorded, and the next attempt has to wait. So nobody can use a backup to guess the passphrase. A credential that the vault no longer
  /// accepts may still open an older backup.
  private func open(_ file: BackupFile, _ proof: BackupProof, isOurs: Bool, _ channel: OwnerChannel) throws -> OpenedBackup {
    // A keyring slot may have a PAM check, which would try login passwords. Without a credential a page sees the same contents.
    guard channel != .console || proof.isOwners else { throw OperationError.keyringIsNoProof }
    guard isOurs else {
      if channel == .console { throw OperationError.otherVaultsBackup }
      return try Opening.open(file, proof)
    }
    guard proof.isOwners else { return try openCounting(file, proof) }
    if let refusal = try refusal(of: proof) {
      if refusal.isUntried { return try openCounting(file, proof) }
      guard refusal.isCounted else { throw SignerError.notOpened(refusal) }
    }
    return try Opening.open(file, proof)
  }

  /// Why the vault does not accept the credential; nil if it does.
  private func refusal(of proof: BackupProof) throws -> OpeningError? {
    do { try home.sessionLock.verify(proof.opener) } catch {
      guard case SignerError.notOpened(let refusal) = error else { throw error }
      return refusal
    }
    return nil
  }

  /// Opens a backup of this vault with a credential that was not tried at the vault. The vault counts it all the same.
  private func openCounting(_ file: BackupFile, _ proof: BackupProof) throws -> OpenedBackup {
    let opener = proof.opener
    return try home.sessionLock.attempt(atBackup: opener) {
      do { return try Opening.open(file, opener) } catch BackupsError.opensNothing { return nil }
    }
  }

  /// A file, a backup at a place, or one at the plan's place.
  private func backupToVerify(_ request: BackupVerify.Request, _ channel: OwnerChannel) throws -> ReadableBackup {
    if let file = request.file {
      guard channel != .console, file.hasPrefix("/") else {
        throw OperationError.usage("The file must be an absolute path.")
      }
      return ReadableBackup(file: file)
    }
    if request.place.to != nil, !(try isPlanned(request.place)) {
      guard channel != .console else {
        throw OperationError.usage("A browser can only see the backups of the schedule.")
      }
      let (place, store) = try request.place.store()
      return try ReadableBackup(at: store, place, name: request.name, vaultID: nil, spooledIn: home.folder.path) { _, _ in }
    }
    guard let plan = try services.backups.records.plan() else { throw OperationError.noBackupPlan }
    return try ReadableBackup(
      at: try services.backups.store(of: plan), plan.place.place(), name: request.name, vaultID: home.vault.id,
      spooledIn: home.folder.path
    ) { _, _ in }
  }

  /// Whether the named place is the plan's, and no other credential is given for it.
  private func isPlanned(_ place: BackupPlaceRequest) throws -> Bool {
    guard place.password == nil else { return false }
    let text = try place.text()
    return try services.backups.records.plan()?.place.isSamePlace(as: text) == true
  }

  /// What the log says of the backups. While it cannot be read, none are known.
  private var backupsInLog: KnownBackups {
    let filter = AuditFilter(kinds: KnownBackups.kinds)
    let entries = try? home.log.tail(Self.backupsRead, matching: filter, lookingAt: Self.entriesSearched)
    return KnownBackups((entries ?? []).map(\.entry))
  }

  func listBackups(_ request: BackupPlaceRequest, _ call: OperationCall) throws -> BackupList.Response {
    if request.to != nil, call.channel != .console, !(try isPlanned(request)) {
      let (place, store) = try request.store()
      do {
        var response = try BackupList.Response(of: store, at: place)
        try nameWays(of: &response.backups, known: backupsInLog)
        return response
      } catch { throw OperationError(error) }
    }
    var (response, test) = (BackupList.Response(), LastBackupTest())
    test.time = try services.backups.records.lastTest()
    (response.test, response.warning) = (test, backupWarning())
    guard let plan = try services.backups.records.plan() else { return response }
    let store = try services.backups.store(of: plan)
    let known = backupsInLog
    do throws(ObjectStorageError) {
      let files = try store.list(TransferControl())
      response.backups = BackupListed.all(in: files, of: home.vault.id, at: plan.place.to) { file in
        file.name == plan.lastName || known.numbersChecked.contains(Int64(clamping: file.number))
      }
    } catch { response.error = error.text }
    try nameWays(of: &response.backups, known: known)
    return response
  }

  /// Says which of the present slots open each backup of this vault.
  private func nameWays(of backups: inout [BackupListed], known: KnownBackups) throws {
    let (slots, vault) = (try waysIn(), Hex.encode(Array(home.vault.id.prefix(4))))
    for index in backups.indices where backups[index].vault == vault {
      let ways = BackupWays(slots, ofBackupMade: known.time(ofNumber: backups[index].number, named: backups[index].made))
      (backups[index].opensWith, backups[index].notWith) = (ways.open.map(SlotSummary.init), ways.closed.map(SlotSummary.init))
    }
  }
}

extension BackupList.Response {
  /// The backups of any vault at a place.
  fileprivate init(of store: any FileStore, at place: BackupPlace) throws {
    self.init()
    let files = try store.list(TransferControl())
    backups = BackupListed.all(in: files, of: nil, at: place.text) { _ in false }
  }
}

extension BackupListed {
  /// The backups of one vault, or of all, the newest first.
  fileprivate static func all(
    in files: [StoredFile], of vaultID: [UInt8]?, at place: String, isVerified: (BackupName.Parts) -> Bool
  ) -> [BackupListed] {
    let sizes = Dictionary(files.map { ($0.name, $0.size) }) { first, _ in first }
    let found = files.compactMap { file in
      vaultID.map { BackupName.parts(file.name, vaultID: $0) } ?? BackupName.parts(file.name)
    }
    return found.sorted().reversed().map { file in
      var listed = BackupListed()
      (listed.name, listed.place, listed.vault) = (file.name, place, file.vault)
      (listed.made, listed.number) = (file.time, Int64(clamping: file.number))
      listed.size = sizes[file.name].flatMap { $0 }.map { Int64(clamping: $0) }
      listed.isVerified = isVerified(file)
      return listed
    }
  }
}

extension Opening {
  /// The backups of any vault at a place. Needs no vault.
  package static func listBackups(at place: BackupPlaceRequest) throws(OperationError) -> BackupList.Response {
    let (place, store) = try place.store()
    do { return try BackupList.Response(of: store, at: place) } catch { throw OperationError(error) }
  }
}

extension BackupProof {
  /// Whether it proves that the owner is present. The keyring does not: every program of the owner can read it.
  fileprivate var isOwners: Bool { opener.type != .keyring }
}

extension OpeningError {
  /// Whether the credential was not tried, because no slot of the vault is for it.
  fileprivate var isUntried: Bool {
    switch error {
    case .authenticationFailed: isTokenForNoSlot
    case .vault(.noSuchSlot): true
    default: false
    }
  }

  /// Whether the vault counted a wrong credential, which may still open an older backup. Not a wrong PIN: a second try would cost another
  /// attempt at the token.
  fileprivate var isCounted: Bool {
    if case .authenticationFailed = error { type != .token } else { false }
  }
}

extension OperationError {
  fileprivate static let otherVaultsBackup = usage(
    "A browser can only open backups of this vault.", hint: "On the signer's machine: holdfast backup verify")
}
