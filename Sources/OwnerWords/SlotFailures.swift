import Identities
package import OwnerAPI
package import Vault

/// The vault's errors about slots and classes, as sentences.
extension OperationError {
  /// Why a record of a class cannot be opened or sealed, if unlocking does not help.
  package init(closedClass error: VaultError) {
    switch error {
    case .presenceRequired(let protection):
      self.init(
        .locked, "A key of the class \(protection.name) opens for one use, after you prove that you are there.",
        hint: Self.showing(protection))
    case .notEntitled(let protection):
      self.init(.denied, "This does not open the class \(protection.name).", hint: Self.showing(protection))
    case .noSlotFor(let protection):
      self.init(
        .failed, "No slot opens the class \(protection.name).", hint: "To see what each slot opens: holdfast slot list")
    case .biometryChanged:
      self.init(
        .locked, "A passkey or a finger was added or removed. Keys that need the earlier ones are closed.",
        hint:
          "Let today's passkeys in with the recovery kit: holdfast slot enrol --shares-file FILE. Or with your passphrase, if only passkeys open the keys."
      )
    case .deviceSealed(let fault): self.init(fault)
    case .otherDevice:
      self.init(
        .locked, "This key belongs to another device, or this device has lost its device secret (device.key).",
        hint:
          "Restore this home's device.key, or use the device where the key was made. If both are gone, this command names what is lost "
          + "and binds the vault to this device: holdfast slot bind")
    default: self.init(.failed, "The class cannot be opened.")
    }
  }

  /// Why slots cannot be changed in this way.
  package init(slots error: VaultError) {
    switch error {
    case .noSuchSlot: self.init(.notFound, "There is no such slot.", hint: "See: holdfast slot list")
    case .lastSlot:
      self.init(
        .failed, "This is the only way to open the vault. Without it nobody could open the vault again.",
        hint: "Add another slot first: holdfast slot add")
    case .onlyPasskeysLeft:
      self.init(
        .failed, "Only passkeys would be left, and one click in a browser or phone can delete a passkey.",
        hint: "Also keep a passphrase, a token or a recovery kit: holdfast slot add")
    case .onlyKeyringLeft:
      self.init(
        .failed, "Only the keyring would be left, but it does not open your keys.",
        hint: "Also keep a passphrase, a token or a recovery kit: holdfast slot add")
    case .tooManySlots(let limit):
      self.init(.failed, "A vault has at most \(limit) slots.", hint: "Remove one that you do not use.")
    case .wouldLose(let protection):
      self.init(
        .failed, "Nobody could ever open the class \(protection.name) again.",
        hint:
          "Move its keys to another class first. Or make a recovery kit (holdfast recovery create) and then use a passkey once.")
    default: self.init(.failed, "The slots cannot be changed like this.")
    }
  }

  private static func showing(_ protection: ProtectionClass) -> String {
    switch protection.base {
    case .devicePasscode: "Give your passphrase, or a token and its PIN."
    case .biometricAny, .biometricRequired: "Use a passkey in the console."
    default: "Give your passphrase, a token and its PIN, or a passkey."
    }
  }
}
