import AuditLog
import Platform
package import Signer
package import Vault

/// A log that was begun anew.
package struct RenewedLog {
  /// The folder of the old log.
  package let kept: String
  /// What became of the vault, which nothing vouched for; nil where the old log did.
  package let accepted: AcceptedVault?
}

/// Begins a new log when the old one can no longer be used.
extension Opening {
  /// Begins a new log. Needs the owner's credential. The old folder is kept beside it, with the time in its name.
  ///
  /// A log that can be read to its end confirms that the vault is the newest one, or shows that it is older. In both cases no new
  /// log is begun. A log that cannot be read confirms nothing, so the vault may be an older copy. It is then accepted as by
  /// `acceptVault`: apps come back suspended, everything stays locked down until the owner resumes, and the new log begins with
  /// that.
  ///
  /// Requests of the last minutes that only the old log has are not recognized as answered.
  package static func renewLog(home: Home, opener: any SlotOpener) throws -> RenewedLog {
    guard opener.type != .keyring else { throw SignerError.keyringIsNoProof }
    let vault = try vault(home, opener)
    defer { vault.close() }
    guard !vault.isLocked else { throw SignerError.locked }
    let accepted = try isVouchedFor(vault, home) ? nil : AcceptedVault(vault, nil, now: Clock.seconds)
    if accepted != nil { try Suspension(home).markOrThrow() }
    return try begin(home, vault, accepted)
  }

  /// Whether the log can be read as far as needed, and the vault is the one that it knows.
  /// - Throws: when the log knows another vault. The owner decides that with `vault accept`.
  private static func isVouchedFor(_ vault: Vault, _ home: Home) throws -> Bool {
    guard let old = try? log(home, vault, now: Clock.milliseconds) else { return false }
    defer { old.close() }
    let found: (RollbackFinding, MissingChanges)?
    do {
      found = try RollbackFinding.look(at: vault, old).map { found in
        (found, try MissingChanges(of: found, vault, old, limit: MissingChanges.mostTold))
      }
    } catch is AuditLogError { return false }
    guard let (putBack, missing) = found else {
      try ForgottenAttempts(vault, old)?.record(home, old)
      return true
    }
    try putBack.keepShut(home, vault, old)
    throw SignerError.otherVault(putBack, missing: missing.sentence)
  }

  // If this is killed at any step, the next start finds a log that is not the vault's, and this is done again. The vault learns
  // of the new log only after the log has its first entries.
  private static func begin(_ home: Home, _ vault: Vault, _ accepted: AcceptedVault?) throws -> RenewedLog {
    let known = knownRevision(home, vault)
    let kept = "\(home.log)-\(Clock.milliseconds)"
    guard rename(home.log, kept) == 0 || errno == ENOENT else {
      throw VaultRepairError.logNotRenamed
    }
    let log = try log(home, vault, isNew: true, now: Clock.milliseconds)
    defer { log.close() }
    if accepted != nil { try log.appendAndWait(.event(.vaultAccepted, rule: "the log could not be read", code: unvouchedCode)) }
    try log.appendAndWait(.event(.incidentMinor, rule: "the log was begun anew"))
    guard let anchor = log.anchor(), let change = LogRecords.change(to: anchor) else {
      throw VaultRepairError.logNotBegun
    }
    try vault.raiseRevision(
      above: known,
      with: (accepted?.changes ?? []) + [change, .delete(kind: .setting, id: RollbackFinding.setting), StateWhileLocked.removal])
    log.followVault()
    return RenewedLog(kept: kept, accepted: accepted)
  }

  /// The highest revision of the vault that any readable record names.
  private static func knownRevision(_ home: Home, _ vault: Vault) -> UInt64 {
    max(LogRecords.headRevision(home, vault), ((try? RollbackFinding.stored(in: vault)) ?? nil)?.known ?? 0)
  }

  /// The code in the log: nothing could confirm that the vault is the newest one.
  static let unvouchedCode: AuditRule = "vault-unvouched"
}
