/// Why an item, or a way to unlock, did not give what it keeps. Named as Swift programmers know them from Apple's Keychain and
/// LocalAuthentication. No case carries a secret or what was typed.
public enum KeyStoreError: Error, Sendable, Equatable {
  /// There is no such item (`errSecItemNotFound`).
  case itemNotFound
  /// An item of this name exists (`errSecDuplicateItem`).
  case duplicateItem
  /// The passphrase, PIN or passkey is wrong (`errSecAuthFailed`). The tries left before the device locks itself, if it reports
  /// them, and the seconds to wait before the next.
  case authenticationFailed(triesLeft: Int?, waitSeconds: Int)
  /// The person said no (`LAError.userCancelled`).
  case userCancelled
  /// Locked, and nobody may be asked (`errSecInteractionNotAllowed`).
  case interactionNotAllowed
  /// No passkey or other verification of the person is set up for this, or this machine has none.
  case biometryNotAvailable
  /// There is a device, and nobody is enrolled.
  case biometryNotEnrolled
  /// The device has locked itself after wrong attempts.
  case biometryLockout
  /// A finger or passkey was added or removed meanwhile. Another slot has to enrol again.
  case biometryChanged
  /// The token, keyring or service is not there now. Says which.
  case notPresent(StaticString)
  /// It is there and failed. Names the step; `code` is its own number.
  case deviceFailed(StaticString, code: UInt64)
  /// What was stored is not what is found.
  case corrupt(StaticString)
  /// The vault refused.
  case vault(VaultError)

  /// `StaticString` has no equality of its own.
  public static func == (left: KeyStoreError, right: KeyStoreError) -> Bool { "\(left)" == "\(right)" }
}
