package import AuditLog
package import Vault

/// Wrong passphrases that the log knows and the vault does not: they were tried on another copy of this vault.
///
/// Somebody may have restored the file to guess without waiting. It may also be the owner, who tried a newer passphrase on an
/// older file and then restored the right file. Therefore the vault is accepted, and everything is suspended until the owner
/// resumes.
package struct ForgottenAttempts: Equatable {
  /// How many the log knows since the vault was last opened.
  let known: Int
  /// How many the vault knows.
  let found: Int

  /// Compares an opened vault with its log, as both were found at opening.
  ///
  /// An attempt is counted in the vault before it is made, and recorded afterwards, so the log never knows more attempts than the
  /// vault. A correct secret clears the count, and in the same step the vault notes the log's end, so clocks do not matter.
  /// - Returns: nil when the vault knows all of them.
  package init?(_ vault: Vault, _ log: AuditLog) throws {
    guard let opening = vault.openedBy else { return nil }
    let counted = Set([SlotType.passphrase, .recovery].map { AuditRule(clipping: $0.name) })
    known = try log.failedAttempts(after: vault.foundExtent.map { ($0.log, $0.count) }, codes: counted)
    found = opening.failedAttempts
    guard known > found else { return nil }
  }

  /// For the owner.
  package var sentence: String {
    let many = known == 1 ? "1 wrong passphrase was" : "\(known) wrong passphrases were"
    return """
      \(many) tried on another copy of this vault since you last opened it. If that was not you, somebody who can write this \
      folder is guessing your passphrase.
      """
  }

  /// Makes the next start suspended, and records that in the log.
  package func record(_ home: Home, _ log: AuditLog) throws {
    try Suspension(home).markOrThrow()
    var entry = AuditEntry.event(.incidentCritical, rule: "wrong passphrases were tried on another copy", code: Self.code)
    entry.amount = Int64(known)
    try log.appendAndWait(entry)
  }

  /// The rule in the log, for programs.
  static let code: AuditRule = "attempts-forgotten"
}
