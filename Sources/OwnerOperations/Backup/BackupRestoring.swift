package import Backups
package import OwnerAPI
import Signer
import Vault

// What a restore came to, in the words of the contract.

extension BackupRestore.Response {
  package init(_ restored: RestoredBackup) {
    self.init()
    let (summary, burnt) = (restored.summary, restored.burnt)
    (home, made, number) = (restored.home.path, summary.madeAt / 1000, Int64(clamping: summary.number))
    (paused, revoked, withoutKey) = (burnt.suspended, burnt.revoked, burnt.withoutKey)
    (dropped, offered, leftOut) = (Int64(burnt.dropped), Int64(burnt.offered), Int64(clamping: summary.leftOut))
    revocations = RevocationsRead(restored.revocations)
  }
}

extension RevocationsRead {
  fileprivate init(_ outcome: RevocationListOutcome) {
    self.init()
    state = RevocationsState(outcome.state)
    (asOf, entries) = (outcome.list.map { $0.writtenAt / 1000 }, Int64(outcome.list?.entries.count ?? 0))
  }
}

extension RevocationsState {
  fileprivate init(_ state: RevocationListOutcome.State) {
    self =
      switch state {
      case .read: .read
      case .missing: .missing
      case .older: .older
      case .damaged: .damaged
      case .otherVault: .otherVault
      case .unreachable: .unreachable
      case .unknown: .unknown
      }
  }
}
