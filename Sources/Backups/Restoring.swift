internal import AuditLog
internal import Ciphers
internal import Encodings
internal import Identities
internal import JSON
internal import Nostr
internal import OwnerAPI
internal import Platform
package import SecretMemory
internal import Signer
internal import Vault

/// What opens a backup.
package enum BackupProof {
  case passphrase(SecretBox)
  /// Shares of a recovery kit, one a line, and its recovery code if it has one.
  case shares(SecretBox, code: SecretBox?)
  /// Another way in, as a token.
  case other(ShownCredential)
}

extension Opening {
  /// How a restore or a check goes on: done, of how much; false from it ends the work.
  package typealias Progress = (_ done: UInt64, _ of: UInt64) -> Bool

  static func open(_ file: BackupFile, _ proof: BackupProof) throws(OperationError) -> OpenedBackup {
    let opener: any SlotOpener
    switch proof {
    case .passphrase(let secret): opener = PassphraseOpener(secret)
    case .shares(let shares, let code):
      opener = RecoveryOpener(master: try OperationError.wrapping { try CombinedShares(shares, code: code, leavingOut: true) }.secret)
    case .other(let evidence): opener = evidence.opener
    }
    do throws(BackupError) { return try file.open(with: opener) } catch .opener(.authenticationFailed) {
      throw .opensNot(file)
    } catch .opener(let error) { throw OperationError(error, by: opener.type) } catch { throw OperationError(error) }
  }

  static func beginLog(of restoration: Restoration) throws {
    let log = try log(Home(restoration.path, kinds: restoration.vault.kinds), restoration.vault, now: Clock.milliseconds)
    log.followVault()
    defer { log.close() }
    var entry = AuditEntry.event(
      .backupRestored,
      rule: AuditRule(clipping: "made \(restoration.summary.madeAt / 1000), number \(restoration.summary.number)"))
    entry.amount = Int64(clamping: restoration.summary.number)
    _ = try log.appendAndWait(entry)
    if let anchor = log.anchor() { LogRecords.save(anchor, in: restoration.vault) }
  }

  /// Whoever restores by shares has lost the passphrase, or fears that somebody has it: none of the old ones stays.
  static func replacePassphrases(
    _ vault: Vault, _ proof: BackupProof, _ new: SecretBox, _ cost: Argon2id.Cost
  ) throws {
    let old = try vault.slots.filter { $0.type == .passphrase }.map(\.id)
    let enrolment = try SlotEnrolment.passphrase(new.duplicate(), cost: cost)
    switch proof {
    case .passphrase(let secret):
      try vault.changePassphrase(shown: PassphraseOpener(secret), to: enrolment, now: Clock.milliseconds)
      return
    case .shares(let shares, let code):
      let opener = RecoveryOpener(
        master: try OperationError.wrapping { try CombinedShares(shares, code: code, leavingOut: true) }.secret)
      _ = try vault.addSlot(enrolment, label: "", provenBy: opener, now: Clock.milliseconds)
    case .other(let evidence):
      _ = try vault.addSlot(enrolment, label: "", provenBy: evidence.opener, now: Clock.milliseconds)
    }
    for id in old { try vault.removeSlot(id, now: Clock.milliseconds) }
  }
}

extension ExaminedBackup {
  /// What is in it, for people and programs.
  var members: [JSONValue.Member] {
    let (summary, sealed) = (examination.summary, examination.sealed)
    return [
      .init("made", .integer(summary.madeAt / 1000)), .init("number", .integer(Int64(clamping: summary.number))),
      .init("records", .integer(Int64(clamping: summary.records))), .init("left_out", .integer(Int64(clamping: summary.leftOut))),
      .init("opened", .integer(Int64(examination.opened))),
      .init(
        "sealed",
        .object(sealed.sorted { $0.key.rawValue < $1.key.rawValue }.map { .init($0.key.name, .integer(Int64($0.value))) })),
      .init(
        "identities",
        .array(identities.map { .object([.init("name", .string($0.name)), .init("npub", .string($0.publicKey.npub))]) })),
      .init("apps", .array((records[.pairing] ?? []).compactMap { (try? JSONValue(parsing: $0.value))?["name"] })),
      .init("slots", .array(examination.slots.map { Operations.describe($0) })),
    ]
  }
}

extension OperationError {
  /// What was shown opens none of its slots. What would is in clear at its beginning.
  static func opensNot(_ file: BackupFile) -> OperationError {
    var names: [String] = []
    for name in file.slots.map({ $0.type.wayAtRestore }) where !names.contains(name) { names.append(name) }
    let ways = names.isEmpty ? "" : " This one opens with: \(names.joined(separator: ", "))."
    return OperationError(
      .locked, "This does not open the backup.", hint: "A backup opens with what opened the vault when it was made." + ways)
  }
}

extension SlotType {
  /// What to do with one at a restore, for people who are asked for it.
  fileprivate var wayAtRestore: String {
    switch self {
    case .passphrase: "a passphrase"
    case .recovery: "shares of a recovery kit (--shares-file FILE)"
    case .passkey: "a passkey (in a console, after the restore)"
    case .token: "a token (--token)"
    case .keyring: "the desktop's keyring (after the restore)"
    }
  }
}
