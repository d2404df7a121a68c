package import Backups
import Identities
import JSON
import Nostr
package import OwnerAPI
import OwnerWords
package import Signer
package import Vault

// The contents of an opened backup.

extension BackupContents {
  init(_ backup: ExaminedBackup) {
    self.init()
    let found = backup.examination
    (facts, opened) = (BackupFacts(found.summary), Int64(found.opened))
    sealed = .object(
      found.sealed.sorted { $0.key.rawValue < $1.key.rawValue }.map { .init($0.key.name, .integer(Int64($0.value))) })
    identities = backup.identities.map { BackedUpIdentity($0.name, $0.publicKey.npub) }
    apps = (backup.records[.pairing] ?? []).compactMap { (try? JSONValue(parsing: $0.value))?["name"]?.string }
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
  /// Opens every record that can be opened and returns what was found. Changes nothing.
  /// - Parameter kinds: the kinds of records that the program knows.
  package func examine(
    knowing kinds: RecordKinds, progress: Opening.Progress = { _, _ in true }
  ) throws(OperationError) -> BackupVerify.Response {
    var response = BackupVerify.Response()
    response.file = shown
    do { response.contents = BackupContents(try examination(knowing: kinds, progress: progress)) } catch {
      throw OperationError(error)
    }
    return response
  }
}
