import AuditLog
import Curve
import Nostr
import OwnerAPI
import OwnerWords
import Signer
import Vault
import VaultRepair

// What came of looking at, accepting or repairing a vault where no signer runs, in the words of the contract.

extension VaultCheck.Response {
  init(_ found: VaultComparison) {
    self.init()
    switch found {
    case .latest(let tried):
      var attempts = ForgottenAttemptsNote()
      attempts.sentence = tried?.sentence
      (isSound, self.attempts) = (true, attempts)
    case .putBack(let found, let missing): older = OlderVault(found, missing)
    }
  }
}

extension VaultAccept.Response {
  init(_ accepted: AcceptedVault, _ found: RollbackFinding, _ missing: MissingChanges) {
    self.init()
    (revoked, paused, offered) = (accepted.revoked, accepted.suspended, Int64(accepted.offered))
    older = OlderVault(found, missing)
  }
}

extension LogRenew.Response {
  init(_ renewed: RenewedLog) {
    self.init()
    (kept, isVouched) = (renewed.kept, renewed.accepted == nil)
    accepted = renewed.accepted.map { AcceptedOlderVault($0) }
  }
}

extension VaultRepair.Response {
  init(_ outcome: VaultRepairOutcome) {
    self.init()
    (isRepaired, isPlan, losses) = (outcome.kept != nil, outcome.kept == nil, VaultLosses(outcome.report))
    kept = outcome.kept.map { KeptFiles($0.vault, $0.log) }
  }
}

extension AcceptedOlderVault {
  fileprivate init(_ accepted: AcceptedVault) {
    self.init()
    (revoked, suspended, offered) = (accepted.revoked, accepted.suspended, Int64(accepted.offered))
  }
}

extension OlderVault {
  fileprivate init(_ found: RollbackFinding, _ missing: MissingChanges) {
    self.init()
    difference =
      switch found.sort {
      case .older: .older
      case .other: .other
      }
    (self.found, known, sentence) = (Int64(clamping: found.found), Int64(clamping: found.known), found.sentence)
    since = missing.since.map { $0 / 1000 }
    self.missing = missing.entries.map { MissingChange($0, missing) }
  }
}

extension MissingChange {
  fileprivate init(_ entry: AuditEntry, _ missing: MissingChanges) {
    self.init()
    (time, self.entry) = (entry.time / 1000, LogEntryKind(entry.kind))
    app = entry.client.map { client in
      var app = MissingChangeApp()
      (app.pubkey, app.name) = (client.hex, missing.apps[client])
      return app
    }
    identity = entry.identity.map { missing.identities[$0] ?? $0.npub }
    rule = entry.rule?.description
  }
}

extension KeptFiles {
  fileprivate init(_ vault: String, _ log: String?) {
    self.init()
    (self.vault, self.log) = (vault, log)
  }
}

extension VaultLosses {
  init(_ report: DamageReport) {
    self.init()
    (damaged, records) = (report.losses.map { DamagedRecord($0) }, Int64(report.records))
    (isLogLost, doubt, areSettingsReset) = (report.isLogLost, report.doubt?.sentence, report.areSettingsReset)
    derived = report.derived.map { "\($0.name) (class \($0.protection.name))" }
    (renamed, gone, ended) = (report.renamed, report.gone, report.ended)
    (revoked, paused, reset) = (report.revoked, report.suspended, report.reset)
  }
}

extension DamagedRecord {
  init(_ lost: LostRecord) {
    self.init()
    (kind, row, of, meaning) = (lost.kind, lost.row, lost.of, lost.meaning)
  }
}
