internal import AuditLog
internal import Identities
package import JSON
internal import ObjectStorage
package import OwnerAPI
internal import Platform
package import SecretMemory
internal import Signer
internal import Vault

/// Backups that are there: looked into, and listed.
extension Operations {
  /// With what the owner has, it is shown that he can open it; without, that the file is whole.
  func verifyBackup(_ given: Parameters) throws -> JSONValue {
    let source = try backupToVerify(given)
    let file = try backupFile { () throws(BackupError) in try BackupFile(path: source.path) }
    // A backup of another vault proves nothing about this one.
    let isOurs = file.vaultID == core.vault.id
    let proof = try given.backupProof()
    let opened =
      if let proof {
        try Opening.open(file, proof)
      } else {
        try backupFile { () throws(BackupError) in try file.open(as: core.vault) }
      }
    let found = try backupFile { () throws(BackupError) in
      try opened.examineIdentities(knowing: core.vault.kinds, collecting: [.pairing])
    }
    if proof != nil, isOurs { try services.backups.records.noteTest(now: Clock.seconds) }
    if isOurs {
      services.backups.note(
        .backupVerified, found.examination.summary, proof == nil ? "read by the signer" : "opened by the owner")
    }
    return .object(
      [
        .init("file", .string(source.shown)), .init("sound", true), .init("proven", .bool(proof != nil)),
        .init("this_vault", .bool(isOurs)),
      ] + found.members)
  }

  /// A file, one at a place, or one where the plan brings them.
  private func backupToVerify(_ given: Parameters) throws -> ReadableBackup {
    if let file = try given.optionalText("file") {
      guard given.channel != .console, file.hasPrefix("/") else {
        throw OperationError.usage("The file must be named from the root.")
      }
      return ReadableBackup(file: file)
    }
    let name = try given.optionalText("name")
    if try given.optionalText("to") != nil, !(try isPlanned(given)) {
      guard given.channel != .console else {
        throw OperationError.usage("Only where the plan brings them is looked from a browser.")
      }
      let (place, store) = try given.store()
      return try ReadableBackup(at: store, place, name: name, vaultID: nil, spooledIn: core.home.path) { _, _ in }
    }
    guard let plan = try services.backups.records.plan() else { throw OperationError.noBackupPlan }
    let place: BackupPlace
    place = try plan.place.place()
    return try ReadableBackup(
      at: try services.backups.store(of: plan), place, name: name, vaultID: core.vault.id, spooledIn: core.home.path
    ) { _, _ in }
  }

  /// Whether the place that is meant is the plan's, and no other credentials are given for it.
  private func isPlanned(_ given: Parameters) throws -> Bool {
    guard given.secret("password") == nil else { return false }
    let text = try given.placeText()
    return try services.backups.records.plan()?.place.isSamePlace(as: text) == true
  }

  func listBackups(_ given: Parameters) throws -> JSONValue {
    if try given.optionalText("to") != nil, given.channel != .console, !(try isPlanned(given)) {
      let (place, store) = try given.store()
      return try BackupList.json(of: store, at: place)
    }
    let tested = try services.backups.records.lastTest()
    var members: [JSONValue.Member] = [.init("last_tested", tested.map { .integer($0) } ?? .null)]
    guard let plan = try services.backups.records.plan() else {
      return .object(members + [.init("backups", .array([]))])
    }
    let store = try services.backups.store(of: plan)
    do throws(ObjectStorageError) {
      let files = try store.list(TransferControl())
      members.append(
        .init("backups", BackupList.json(files, of: core.vault.id, at: plan.place.to, lastRead: plan.lastName)))
    } catch { members += [.init("backups", .array([])), .init("error", .string(error.text))] }
    return .object(members)
  }
}

/// What lies at a place.
enum BackupList {
  /// The backups of one vault, or of all, the newest first.
  static func json(_ files: [StoredFile], of vaultID: [UInt8]?, at place: String, lastRead: String?) -> JSONValue {
    let sizes = Dictionary(files.map { ($0.name, $0.size) }) { first, _ in first }
    let found = files.compactMap { file in
      vaultID.map { BackupName.parts(file.name, vaultID: $0) } ?? BackupName.parts(file.name)
    }
    return .array(
      found.sorted().reversed().map { file in
        .object([
          .init("name", .string(file.name)), .init("to", .string(place)), .init("vault", .string(file.vault)),
          .init("made", .integer(file.time)), .init("number", .integer(Int64(clamping: file.number))),
          .init("size", sizes[file.name].flatMap { $0 }.map { .integer(Int64(clamping: $0)) } ?? .null),
          .init("verified", .bool(file.name == lastRead)),
        ])
      })
  }

  static func json(of store: any FileStore, at place: BackupPlace) throws -> JSONValue {
    let files = try transferred { () throws(ObjectStorageError) in try store.list(TransferControl()) }
    return .object([.init("backups", json(files, of: nil, at: place.text, lastRead: nil))])
  }
}

extension Opening {
  /// The backups at a place, of any vault. Needs none.
  /// - Parameters:
  ///   - place: as `backup/schedule` takes it.
  ///   - secrets: `user` and `password`.
  package static func listBackups(
    at place: JSONValue, secrets: [String: SecretBox]
  ) throws(OperationError) -> JSONValue {
    try OperationError.wrapping {
      let (place, store) = try Parameters(place, secrets: secrets, channel: .command).store()
      return try BackupList.json(of: store, at: place)
    }
  }
}

extension Parameters {
  /// What is to open a backup; nil when nothing was shown.
  func backupProof() throws -> BackupProof? {
    if let shares = secret("shares") { return .shares(shares, code: secret("recovery_code")) }
    if let passphrase = secret("passphrase") { return .passphrase(passphrase) }
    guard ShownCredential.isIn(object, secrets: allSecrets) else { return nil }
    return .other(try ShownCredential(object, secrets: allSecrets))
  }
}
