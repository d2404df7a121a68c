/// When a key can be used, and whether it is bound to this device. The JSON calls it a class.
public enum KeyProtection: String, Word {
  /// From the first unlock until the signer stops, even while the session is locked.
  case afterFirstUnlock = "after-first-unlock"
  /// While the session is unlocked.
  case whenUnlocked = "when-unlocked"
  /// For one use, with a passphrase or a token's PIN.
  case devicePasscode = "device-passcode"
  /// For one use, with a passkey.
  case biometricAny = "biometric-any"
  /// For one use, with a passkey that was enrolled when the key was encrypted.
  case biometricRequired = "biometric-required"
  /// For one use, with a passphrase, a token's PIN or a passkey.
  case biometricOrPasscode = "biometric-or-passcode"
  /// Like `afterFirstUnlock`, bound to this device and in no backup. The same holds for the following ones.
  case afterFirstUnlockThisDeviceOnly = "after-first-unlock,this-device-only"
  case whenUnlockedThisDeviceOnly = "when-unlocked,this-device-only"
  case devicePasscodeThisDeviceOnly = "device-passcode,this-device-only"
  case biometricAnyThisDeviceOnly = "biometric-any,this-device-only"
  case biometricRequiredThisDeviceOnly = "biometric-required,this-device-only"
  case biometricOrPasscodeThisDeviceOnly = "biometric-or-passcode,this-device-only"
}
