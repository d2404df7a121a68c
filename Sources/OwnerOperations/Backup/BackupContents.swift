import AuditLog
import JSON
import Nostr
package import OwnerAPI
import Vault

// What a backup that was opened has in it.

extension BackupContents {
  init(_ found: BackupExamination) {
    self.init()
    (facts, opened) = (BackupFacts(found.summary), Int64(found.opened))
    sealed = .object(
      found.sealed.sorted { $0.key.rawValue < $1.key.rawValue }.map { .init($0.key.name, .integer(Int64($0.value))) })
    identities = found.identities.map { BackedUpIdentity($0.name, $0.publicKey.npub) }
    apps = found.pairings.compactMap { (try? JSONValue(parsing: $0.value))?["name"]?.string }
    slots = found.slots.map { Slot($0) }
  }
}

extension BackedUpIdentity {
  fileprivate init(_ name: String, _ npub: String) {
    self.init()
    (self.name, self.npub) = (name, npub)
  }
}

extension RestorableBackup {
  /// Opens all of it that can be opened and says what is in it. Changes nothing.
  package func examine(progress: Opening.Progress = { _, _ in true }) throws(OperationError) -> BackupVerify.Response {
    let found = try backupFile { () throws(BackupError) in try opened.examine(progress: progress) }
    var response = BackupVerify.Response()
    (response.file, response.contents) = (source.shown, BackupContents(found))
    return response
  }
}
