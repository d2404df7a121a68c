/// When a key can be used, and whether it is bound to this device. The JSON calls it a class.
public enum KeyProtection: String, Word {
  /// From the first unlock until the signer ends, also while it is locked.
  case afterFirstUnlock = "after-first-unlock"
  /// While the signer is unlocked.
  case whenUnlocked = "when-unlocked"
  /// For one use, by a passphrase or a token's PIN.
  case devicePasscode = "device-passcode"
  /// For one use, by a passkey.
  case biometricAny = "biometric-any"
  /// For one use, by a passkey that was enrolled when the key was sealed.
  case biometricRequired = "biometric-required"
  /// For one use, by a passphrase, a token's PIN or a passkey.
  case biometricOrPasscode = "biometric-or-passcode"
  /// As `afterFirstUnlock`, bound to this device and in no backup. So are those that follow.
  case afterFirstUnlockThisDeviceOnly = "after-first-unlock,this-device-only"
  case whenUnlockedThisDeviceOnly = "when-unlocked,this-device-only"
  case devicePasscodeThisDeviceOnly = "device-passcode,this-device-only"
  case biometricAnyThisDeviceOnly = "biometric-any,this-device-only"
  case biometricRequiredThisDeviceOnly = "biometric-required,this-device-only"
  case biometricOrPasscodeThisDeviceOnly = "biometric-or-passcode,this-device-only"
}
