package import Vault

extension RecordKind {
  /// Where backups go, and how often.
  package static let backupPlan = RecordKind(24, "backup plan")
  /// The credential for the place where backups go.
  package static let backupCredential = RecordKind(25, "backup credential", isSecret: true, classes: .unlocked)
}

extension RecordKinds {
  /// Those of backups.
  package static let ofBackups: [RecordKind] = [.backupPlan, .backupCredential]
}
