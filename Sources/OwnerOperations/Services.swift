package import Backups
package import Guardians
package import Notifications
import OwnerAPI
import OwnerWords
package import PushRegistration
package import Signer

/// The services besides signing, over one opened home.
package struct Services: Sendable {
  /// The browsers that get Web Push.
  package let pushes: PushBook
  /// The push proxy that wakes this device.
  package let registrations: PushRegistrations
  /// Shares with guardians, and those kept for others.
  package let guardians: GuardianBook
  package let backups: Backups
  /// Backups that browsers send to have them checked.
  package let uploads: BackupUploads

  package init(_ home: OpenedHome) {
    pushes = PushBook(home.vault, home.outbox)
    registrations = PushRegistrations(home.vault, home.outbox, home.engine)
    guardians = GuardianBook(home.vault, home.outbox)
    let backups = Backups(home: home.folder, vault: home.vault, log: home.log, describe: { OperationError($0).error }) {
      [sessionLock = home.sessionLock] in
      sessionLock.report(.backupFailing)
    }
    // Weak: the session lock that `backups` reports to holds these events. A reference cycle would keep keys of a closed home.
    home.signerEvents.subscribe { [weak backups] signerEvent in
      if case .revocationsChanged = signerEvent { backups?.revocationsChanged() }
    }
    let uploads = BackupUploads(in: home.folder.path)
    // An unlock drops them, too. Nothing is lost by it: a locked signer takes no uploads.
    home.signerEvents.subscribe { [weak uploads] signerEvent in if case .lockChanged = signerEvent { uploads?.dropAll() } }
    (self.backups, self.uploads) = (backups, uploads)
  }
}
