import Identities
import OwnerAPI
import Vault

/// What the vault says about slots and classes, in words for people.
extension OperationError {
  /// Why a record of a class cannot be opened or sealed, where unlocking does not help.
  init(closedClass error: VaultError) {
    switch error {
    case .presenceRequired(let protection):
      self.init(
        .locked, "This is kept under the class \(protection.name): it opens for one use, when you show that you are there.",
        hint: Self.showing(protection))
    case .notEntitled(let protection):
      self.init(.denied, "What you showed does not open the class \(protection.name).", hint: Self.showing(protection))
    case .noSlotFor(let protection):
      self.init(
        .failed, "There is no slot that opens the class \(protection.name).", hint: "See what opens what: holdfast slot list")
    case .biometryChanged:
      self.init(
        .locked, "A passkey or a finger was added or removed since: what needs those of then cannot be opened.",
        hint:
          "Enrol the present ones with the recovery kit: holdfast slot enrol --shares-file FILE; or with your passphrase, where "
          + "only passkeys have the key.")
    case .deviceSealed(let fault): self.init(fault)
    case .otherDevice:
      self.init(
        .locked, "This was kept for another device, or this one has lost its device secret (device.key).",
        hint:
          "Put back the device.key of this folder, or use it on the device it was made on. If both are gone, this names what is lost "
          + "and binds the vault to this device: holdfast slot bind")
    default: self.init(.failed, "The class cannot be opened.")
    }
  }

  /// Why slots cannot be changed like this.
  init(slots error: VaultError) {
    switch error {
    case .noSuchSlot: self.init(.notFound, "There is no such slot.", hint: "See: holdfast slot list")
    case .lastSlot:
      self.init(
        .failed, "This is the only way into the vault: without it nobody could open it again.",
        hint: "Add another slot first: holdfast slot add")
    case .onlyPasskeysLeft:
      self.init(
        .failed, "Only passkeys would be left, and a passkey can be lost with one click in a browser or phone.",
        hint: "Keep a passphrase, a token or a recovery kit, too: holdfast slot add")
    case .onlyKeyringLeft:
      self.init(
        .failed, "Only the keyring would be left, and it does not open the identities' keys.",
        hint: "Keep a passphrase, a token or a recovery kit, too: holdfast slot add")
    case .tooManySlots(let limit): self.init(.failed, "A vault has at most \(limit) slots.", hint: "Remove one you do not use.")
    case .wouldLose(let protection):
      self.init(
        .failed, "Nobody could ever read again what is kept under the class \(protection.name).",
        hint: "Move it to another class first. Or make a recovery kit (holdfast recovery create) and then use a passkey once.")
    default: self.init(.failed, "The slots cannot be changed like this.")
    }
  }

  private static func showing(_ protection: ProtectionClass) -> String {
    switch protection.base {
    case .devicePasscode: "Show your passphrase, or a token and its PIN."
    case .biometricAny, .biometricRequired: "Use a passkey in the console."
    default: "Show your passphrase, a token and its PIN, or a passkey."
    }
  }
}
