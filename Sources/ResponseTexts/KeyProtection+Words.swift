package import OwnerAPI

extension KeyProtection {
  /// When the key can be used, in words.
  package var meaning: String { isOfDevice ? "\(use); in no backup, and bound to this device" : use }

  private var isOfDevice: Bool { rawValue.hasSuffix(",this-device-only") }

  private var use: String {
    switch self {
    case .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly: "usable from the first unlock until the signer stops"
    case .whenUnlocked, .whenUnlockedThisDeviceOnly: "usable while the signer is unlocked"
    case .devicePasscode, .devicePasscodeThisDeviceOnly: "each use asks for the passphrase or a token's PIN"
    case .biometricAny, .biometricAnyThisDeviceOnly: "each use asks for a passkey"
    case .biometricRequired, .biometricRequiredThisDeviceOnly:
      "each use asks for a passkey that was there when the key was encrypted"
    case .biometricOrPasscode, .biometricOrPasscodeThisDeviceOnly: "each use asks for the passphrase, a token's PIN or a passkey"
    }
  }
}
