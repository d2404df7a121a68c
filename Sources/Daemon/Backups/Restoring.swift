internal import AuditLog
public import Ciphers
internal import Encodings
public import JSON
internal import Nostr
public import SecretMemory
internal import Vault

/// What opens a backup.
public enum BackupProof: Sendable {
  case passphrase(SecretBox)
  /// Shares of a recovery kit, one a line, and the passphrase the new home gets.
  case shares(SecretBox)
}

extension Opening {
  /// How a restore or a check goes on: done, of how much; false from it ends the work.
  public typealias Progress = (_ done: UInt64, _ of: UInt64) -> Bool

  /// Opens all of a backup that can be opened and says what is in it. Needs no vault and changes nothing.
  public static func examineBackup(
    file: String, proof: BackupProof, progress: Progress = { _, _ in true }
  ) throws(OperationFailure) -> JSONValue {
    let opened = try open(file, proof)
    let found = try backupFile { () throws(BackupError) in try opened.examine(progress: progress) }
    return .object([.init("file", .string(file)), .init("sound", true)] + found.members)
  }

  /// Makes a new home of a backup.
  ///
  /// What must not live twice is burnt: links, waiting requests, browsers that are told, passkeys of the console. Apps come back
  /// suspended; the log begins anew.
  /// - Parameters:
  ///   - newPassphrase: in the place of all passphrases there were. Needed when shares opened the backup.
  ///   - cost: of the new passphrase; nil measures this machine.
  public static func restoreBackup(
    file: String, home: Home, proof: BackupProof, newPassphrase: SecretBox?, cost: Argon2id.Cost?,
    progress: Progress = { _, _ in true }
  ) throws(OperationFailure) -> JSONValue {
    if hasVault(home) { throw OperationFailure(VaultError.exists) }
    let opened = try open(file, proof)
    let restoration = try backupFile { () throws(BackupError) in
      try Restoration(of: opened, into: home.path, progress: progress)
    }
    let burnt: BurntState
    do {
      burnt = try BurntState.burn(in: restoration.vault, now: Clock.seconds)
      if let newPassphrase { try replacePassphrases(restoration.vault, proof, newPassphrase, cost ?? Argon2Calibration.cost()) }
      try beginLog(of: restoration)
    } catch { throw OperationFailure(error) }
    try backupFile { () throws(BackupError) in try restoration.commit() }
    let names = { (list: [String]) in JSONValue.array(list.map { .string($0) }) }
    return .object([
      .init("home", .string(home.path)), .init("restored", true), .init("made", .integer(restoration.summary.madeAt / 1000)),
      .init("number", .integer(Int64(clamping: restoration.summary.number))), .init("suspended", names(burnt.suspended)),
      .init("dropped", .integer(Int64(burnt.dropped))), .init("without_key", names(burnt.withoutKey)),
      .init("left_out", .integer(Int64(clamping: restoration.summary.leftOut))),
    ])
  }

  static func open(_ file: String, _ proof: BackupProof) throws(OperationFailure) -> OpenedBackup {
    let found = try backupFile { () throws(BackupError) in try BackupFile(path: file) }
    switch proof {
    case .passphrase(let secret):
      return try backupFile { () throws(BackupError) in try found.open(with: PassphraseOpener(secret)) }
    case .shares(let shares):
      let opener = RecoveryOpener(master: try Combined(shares).secret)
      return try backupFile { () throws(BackupError) in try found.open(with: opener) }
    }
  }

  private static func beginLog(of restoration: Restoration) throws {
    let log = try log(Home(restoration.path), restoration.vault, now: Clock.milliseconds)
    defer { log.close() }
    var entry = AuditEntry.event(
      .backupRestored,
      rule: AuditRule(clipping: "made \(restoration.summary.madeAt / 1000), number \(restoration.summary.number)"))
    entry.amount = Int64(clamping: restoration.summary.number)
    _ = try log.appendAndWait(entry)
    if let anchor = log.anchor() { LogRecords.save(anchor, in: restoration.vault) }
  }

  /// Whoever restores by shares has lost the passphrase, or fears that somebody has it: none of the old ones stays.
  private static func replacePassphrases(
    _ vault: Vault, _ proof: BackupProof, _ new: SecretBox, _ cost: Argon2id.Cost
  ) throws {
    let old = try vault.slots.filter { $0.type == .passphrase }.map(\.id)
    let enrolment = try SlotEnrolment.passphrase(new.duplicate(), cost: cost)
    switch proof {
    case .passphrase(let secret):
      try vault.changePassphrase(shown: PassphraseOpener(secret), to: enrolment, now: Clock.milliseconds)
    case .shares(let shares):
      _ = try vault.addSlot(
        enrolment, label: "", provenBy: RecoveryOpener(master: try Combined(shares).secret), now: Clock.milliseconds)
      for id in old { try vault.removeSlot(id, now: Clock.milliseconds) }
    }
  }
}

extension BackupExamination {
  /// What is in it, for people and programs.
  var members: [JSONValue.Member] {
    [
      .init("made", .integer(summary.madeAt / 1000)), .init("number", .integer(Int64(clamping: summary.number))),
      .init("records", .integer(Int64(clamping: summary.records))), .init("left_out", .integer(Int64(clamping: summary.leftOut))),
      .init("opened", .integer(Int64(opened))),
      .init(
        "sealed",
        .object(sealed.sorted { $0.key.rawValue < $1.key.rawValue }.map { .init($0.key.name, .integer(Int64($0.value))) })),
      .init(
        "identities",
        .array(identities.map { .object([.init("name", .string($0.name)), .init("npub", .string($0.publicKey.npub))]) })),
      .init("apps", .array(pairings.compactMap { (try? JSONValue(parsing: $0.value))?["name"] })),
    ]
  }
}
