/// Reports which fingers are enrolled now.
public protocol FingerprintSource: Sendable {
  /// Looks. Must return within a few seconds, whatever the service does; the vault waits for it.
  func look() -> FingerprintReading
}

/// The result of reading the enrolled fingers.
public enum FingerprintReading: Sendable, Equatable {
  /// These; a reader that is not plugged in is not among them.
  case seen(FingerprintEnrolment)
  /// It is not known. Nothing follows from that.
  case unknown(FingerprintUnknown)
}

/// Why the enrolled fingers are not known.
public enum FingerprintUnknown: Sendable, Equatable, CaseIterable {
  /// Nobody looked yet, or nobody was told to.
  case notLooked
  /// There is no system bus, or no fingerprint service on it.
  case noService
  /// The service did not answer in time, or with an error.
  case noAnswer
  /// What it answered cannot be.
  case nonsense
}

/// The result of checking the enrolled fingers.
public enum FingerprintCheck: Sendable, Equatable {
  /// There is no passkey, so nothing depends on it.
  case notNeeded
  /// The stored set can only be read while the vault is unlocked. The comparison happens then.
  case locked
  case unknown(FingerprintUnknown)
  /// As they were.
  case same(FingerprintEnrolment)
  /// Noted for the first time.
  case noted(FingerprintEnrolment)
  /// Others than before.
  case changed(FingerprintChange)
}

/// The enrolled fingers are others than before.
public struct FingerprintChange: Sendable, Equatable {
  /// Fingers that are new, and that are gone.
  public let added, removed: [FingerprintEnrolment.Finger]
  /// Whether other prints lie behind the names.
  public let arePrintsOthers: Bool
  /// The classes whose keys were taken from the passkeys. Only another slot can enrol them again.
  public let closed: [ProtectionClass]
  /// The classes that only the passkeys have: their keys stay sealed to them and are not used until another slot was shown.
  public let held: [ProtectionClass]
}
