/// Under which class key a record is sealed, and so when it can be read. The raw value is what is stored.
public enum ProtectionClass: UInt8, Sendable, CaseIterable {
  /// From the first unlock until the process ends.
  case afterFirstUnlock = 1
  /// Only while the session is unlocked.
  case whenUnlocked = 2
}
