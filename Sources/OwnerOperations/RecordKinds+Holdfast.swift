import Backups
import EntrustedShares
import Identities
import KeyRotation
import Notifications
import PushRegistration
import Signer
package import Vault

extension RecordKinds {
  /// All kinds of records that this program stores in a vault. docs/FORMATS.md has the same table.
  package static let holdfast = RecordKinds(
    adding: Identities.recordKinds + Store.recordKinds + ofGuardians + ofBackups + ofNotifications + ofPushRegistration
      + ofKeyRotation)
}
