package import AuditLog
package import Vault

/// Compares a vault with the log's knowledge of it, at the start.
extension Opening {
  /// Suspends everything when the vault is not the one that the log knows.
  /// - Returns: wrong passphrases that were tried on another copy. The next start is suspended then.
  /// - Throws: when it is another vault, with what it lacks.
  static func checkIsLatest(_ vault: Vault, _ log: AuditLog, _ home: Home) throws -> ForgottenAttempts? {
    guard let found = try RollbackFinding.look(at: vault, log) else {
      try goOn(vault, log, home)
      return try noted(ForgottenAttempts(vault, log), home, log)
    }
    log.followVault(false)
    try found.keepShut(home, vault, log)
    let missing = vault.isLocked ? nil : try MissingChanges(of: found, vault, log, limit: MissingChanges.mostTold).sentence
    throw SignerError.otherVault(found, missing: missing)
  }

  /// The vault is the one that the log knows, as far as the log could be read.
  package static func goOn(_ vault: Vault, _ log: AuditLog, _ home: Home) throws {
    if vault.isLocked, log.hasUnread { return try StateWhileLocked.keep(in: vault) }
    if let state = try StateWhileLocked.stored(in: vault) {
      try restoreShutting(since: state, vault, log, home)
      try vault.transaction([StateWhileLocked.removal])
    }
    log.followVault()
  }

  /// Restores a suspension that came while the log recorded no state of the vault: an earlier copy of the file does not contain
  /// it.
  private static func restoreShutting(since state: VaultMark, _ vault: Vault, _ log: AuditLog, _ home: Home) throws {
    guard !vault.isLocked else { return }
    let kinds: Set<AuditEntry.Kind> = [.incidentCritical, .incidentEnded]
    let found = try log.reader.entries(after: state.revision, of: kinds, limit: .max).entries
    if found.last?.kind == .incidentCritical { try Suspension(home).markOrThrow() }
  }

  package static func noted(_ tried: ForgottenAttempts?, _ home: Home, _ log: AuditLog) throws -> ForgottenAttempts? {
    try tried?.record(home, log)
    return tried
  }
}
