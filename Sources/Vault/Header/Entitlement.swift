/// Which classes a kind of slot opens. Enforced by what is wrapped for it: what is not wrapped, it cannot open.
package enum Entitlement {
  /// The classes whose keys are wrapped for slots of this type.
  static func classes(of type: SlotType) -> [ProtectionClass] {
    ProtectionClass.allCases.filter { isEntitled(type, to: $0) }
  }

  /// The classes that a slot of this type may be used to read. A recovery kit has the key of `biometricRequired` only to enrol
  /// passkeys again.
  static func uses(of type: SlotType) -> [ProtectionClass] {
    classes(of: type).filter { !(type == .recovery && $0.base == .biometricRequired) }
  }

  static func isEntitled(_ type: SlotType, to protection: ProtectionClass) -> Bool {
    switch (type, protection.base) {
    case (.recovery, _): !protection.isThisDeviceOnly
    case (.keyring, let base): base == .afterFirstUnlock
    case (_, .afterFirstUnlock), (_, .whenUnlocked), (_, .biometricOrPasscode): true
    case (.passphrase, let base), (.token, let base): base == .devicePasscode
    case (.passkey, let base): base == .biometricAny || base == .biometricRequired
    }
  }

  /// Whether everything that opens the first class also opens the other, and the first is not available for longer than the other.
  package static func isAsStrict(_ protection: ProtectionClass, as other: ProtectionClass) -> Bool {
    let types = SlotType.allCases.filter { uses(of: $0).contains(protection) }
    return types.allSatisfy { uses(of: $0).contains(other) } && (!other.needsPresence || protection.needsPresence)
      && (!other.isThisDeviceOnly || protection.isThisDeviceOnly)
  }

  /// Whether a vault may be left with slots of these types alone.
  /// - Throws: `.lastSlot`, `.onlyPasskeysLeft`, `.onlyKeyringLeft`.
  static func checkEnough(_ types: [SlotType]) throws(VaultError) {
    guard !types.isEmpty else { throw .lastSlot }
    guard !types.contains(where: { $0 == .passphrase || $0 == .token || $0 == .recovery }) else { return }
    throw types.contains(.passkey) ? .onlyPasskeysLeft : .onlyKeyringLeft
  }

  /// How hard its secret is to guess by trying here: attempts at these are counted and slowed down. Tokens count for themselves.
  static func isGuessable(_ type: SlotType) -> Bool { type == .passphrase || type == .recovery }
}
