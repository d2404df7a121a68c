import Identities
import Signer
package import Vault

extension RecordKind {
  /// A passkey that signs in to the console: its public key.
  package static let passkey = RecordKind(14, "passkey", validity: .untilPutBack)
  /// A recovery kit that was made: for what, how many shares, when it was tested.
  package static let recoveryKit = RecordKind(20, "recovery kit")
}

extension RecordKinds {
  /// All that this program keeps in a vault; docs/FORMATS.md has the same table.
  package static let holdfast = RecordKinds(
    adding: Identities.recordKinds + Store.recordKinds + ofGuardians + ofBackups + ofNotifications + ofKeyRotation
      + [.passkey, .recoveryKit])
}
