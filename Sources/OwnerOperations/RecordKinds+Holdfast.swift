import Backups
import EntrustedShares
import Identities
import KeyRotation
import Notifications
import Signer
package import Vault

extension RecordKinds {
  /// All that this program keeps in a vault; docs/FORMATS.md has the same table.
  package static let holdfast = RecordKinds(
    adding: Identities.recordKinds + Store.recordKinds + ofGuardians + ofBackups + ofNotifications + ofKeyRotation)
}
