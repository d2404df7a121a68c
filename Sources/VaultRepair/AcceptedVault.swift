import AuditLog
import Curve
import Encodings
import EntrustedShares
import Platform
import RemoteSigning
package import Signer
package import Vault

/// Compares a vault with its log while no signer runs, and accepts an older vault.
extension Opening {
  /// Says whether the vault is the one that the log knows, and what an older one lacks. It changes only what every opening
  /// changes.
  package static func checkVault(home: Home, opener: any SlotOpener) throws -> VaultComparison {
    try withBoth(home, opener) { vault, log in
      guard let found = try RollbackFinding.look(at: vault, log) else {
        try goOn(vault, log, home)
        return .latest(tried: try noted(ForgottenAttempts(vault, log), home, log))
      }
      try found.keepShut(home, vault, log)
      return .putBack(found, try missing(found, vault, log))
    }
  }

  /// Accepts an older vault. Needs the owner's credential. Changes that the log knows are repeated as far as possible: apps whose
  /// pairing ended are removed, and rotated identities are retired. The other apps come back suspended, links and waiting
  /// requests are dropped, shares that are kept for others wait for consent again, and everything stays locked down until the
  /// owner resumes.
  package static func acceptVault(
    home: Home, opener: any SlotOpener
  ) throws -> (vault: AcceptedVault, found: RollbackFinding, missing: MissingChanges) {
    guard opener.type != .keyring else { throw SignerError.keyringIsNoProof }
    return try withBoth(home, opener) { vault, log in
      guard let found = try RollbackFinding.look(at: vault, log) else { throw VaultRepairError.nothingPutBack }
      guard !vault.isLocked else { throw SignerError.locked }
      try found.keepShut(home, vault, log)
      let missing = try missing(found, vault, log)
      try missing.retireRotated(in: vault)
      let accepted = try AcceptedVault(vault, missing, now: Clock.seconds)
      var entry = AuditEntry.event(.vaultAccepted, rule: AuditRule(clipping: found.sort.rawValue), code: RollbackFinding.code)
      entry.amount = Int64(clamping: found.found)
      try log.appendAndWait(entry)
      let undecided = RecordChange.delete(kind: .setting, id: RollbackFinding.setting)
      // The log may have more entries since this was found, from use of the newer vault.
      let known = max(found.known, try log.knownVault()?.revision ?? 0)
      try vault.raiseRevision(above: known, with: accepted.changes + [undecided, StateWhileLocked.removal])
      log.followVault()
      return (accepted, found, missing)
    }
  }

  private static func missing(_ found: RollbackFinding, _ vault: Vault, _ log: AuditLog) throws -> MissingChanges {
    guard !vault.isLocked else { throw SignerError.locked }
    return try MissingChanges(of: found, vault, log)
  }

  private static func withBoth<Result>(
    _ home: Home, _ opener: any SlotOpener, _ body: (Vault, AuditLog) throws -> Result
  ) throws -> Result {
    let vault = try vault(home, opener)
    defer { vault.close() }
    let log = try log(home, vault, now: Clock.milliseconds)
    defer { log.close() }
    return try body(vault, log)
  }
}

/// What came of comparing the vault of a home with its log.
package enum VaultComparison {
  /// It is the one that the log knows. Passphrases may have been tried on another copy of it.
  case latest(tried: ForgottenAttempts?)
  /// It is another one, and lacks some changes.
  case putBack(RollbackFinding, MissingChanges)
}

/// The changes to an older vault that is accepted: the same as for one from a backup, and its links are closed.
package struct AcceptedVault {
  let changes: [RecordChange]
  private let past: PastVault
  private let shares: RestoredShares

  /// - Parameters:
  ///   - missing: the changes that the log knows; nil when it cannot be read.
  ///   - now: seconds since 1970.
  init(_ vault: Vault, _ missing: MissingChanges?, now: Int64) throws {
    let store = Store(vault)
    shares = try RestoredShares(vault, revoked: nil, now: now)
    past = try PastVault(vault, also: shares.changes, now: now) { pairing in
      missing?.hasEnded(pairing) == true ? store.ending(of: [pairing.remoteSigner], .byOwner) : nil
    }
    // A link may have been used or withdrawn since then. Nobody can pair with it; an app that tries gets an error.
    changes = past.changes + store.retiring(try vault.ids(.link).compactMap { Bytes32($0).map { PublicKey($0) } }, at: now)
  }

  /// Names of apps whose pairing ended.
  package var revoked: [String] { past.revoked }
  /// Names of apps that wait for their owner.
  package var suspended: [String] { past.suspended }
  /// Shares kept for others that wait for consent again.
  package var offered: Int { shares.offered }
}
