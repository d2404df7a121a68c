/// Under which class key a record is sealed, and so when it can be read. The raw value is what is stored: 16 is added for
/// "this device only".
public enum ProtectionClass: UInt8, Sendable, CaseIterable {
  /// From the first unlock until the process ends.
  case afterFirstUnlock = 1
  /// Only while the session is unlocked.
  case whenUnlocked = 2
  /// For one use, by a slot with a code that is typed: a passphrase, or a token's PIN.
  case devicePasscode = 3
  /// For one use, by a passkey that verified its user.
  case biometricAny = 4
  /// For one use, by a passkey of the present enrolment. After a passkey or a finger was added or removed, it is unreadable until
  /// another slot enrols again.
  case biometricRequired = 5
  /// For one use, by either.
  case biometricOrPasscode = 6
  /// As `afterFirstUnlock`; in no backup, and bound to the device secret. So are those that follow.
  case afterFirstUnlockThisDeviceOnly = 17
  case whenUnlockedThisDeviceOnly = 18
  case devicePasscodeThisDeviceOnly = 19
  case biometricAnyThisDeviceOnly = 20
  case biometricRequiredThisDeviceOnly = 21
  case biometricOrPasscodeThisDeviceOnly = 22

  /// Whether it is left out of every backup and bound to the device secret.
  public var isThisDeviceOnly: Bool { rawValue & 16 != 0 }

  /// The same class without the bond to the device.
  public var base: ProtectionClass { ProtectionClass(rawValue: rawValue & 15) ?? self }

  /// The same class, bound to the device.
  public var thisDeviceOnly: ProtectionClass { ProtectionClass(rawValue: rawValue | 16) ?? self }

  /// Whether its key is never kept in memory, but unwrapped for one use each time.
  public var needsPresence: Bool { base.rawValue >= Self.devicePasscode.rawValue }

  /// As it is written in commands and JSON: `when-unlocked`, `biometric-any,this-device-only` …
  public var name: String {
    let name =
      switch base {
      case .afterFirstUnlock: "after-first-unlock"
      case .devicePasscode: "device-passcode"
      case .biometricAny: "biometric-any"
      case .biometricRequired: "biometric-required"
      case .biometricOrPasscode: "biometric-or-passcode"
      default: "when-unlocked"
      }
    return isThisDeviceOnly ? name + ",this-device-only" : name
  }

  /// The class of that name, nil when there is none.
  public init?(name: String) {
    guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = found
  }
}
