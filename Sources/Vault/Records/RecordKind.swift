/// What a record is about: a number, which is stored in clear, and what the vault has to know about all records of that kind.
///
/// Each module declares the kinds of its own records in an extension. Two kinds with the same number are the same. Numbers are never used
/// again for something else; docs/FORMATS.md lists them.
public struct RecordKind: Sendable {
  /// What is stored.
  public let rawValue: UInt16
  /// For `VaultError.corrupt(what:)`.
  public let name: StaticString
  /// Whether its values are only ever handed out as `SecretBytes`.
  public let isSecret: Bool
  /// Under which classes its records may be sealed.
  public let classes: Classes
  /// When its records lose their meaning.
  public let validity: Validity

  /// A kind of records.
  /// - Parameters:
  ///   - rawValue: a number that no other kind has, and none had before.
  ///   - name: in plain words.
  public init(
    _ rawValue: UInt16, _ name: StaticString, isSecret: Bool = false, classes: Classes = .afterFirstUnlock,
    validity: Validity = .lasting
  ) {
    (self.rawValue, self.name, self.isSecret) = (rawValue, name, isSecret)
    (self.classes, self.validity) = (classes, validity)
  }
}

extension RecordKind: Hashable {
  /// Whether both have the same number.
  public static func == (left: RecordKind, right: RecordKind) -> Bool { left.rawValue == right.rawValue }

  /// Hashes the number.
  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

extension RecordKind {
  /// Which classes the records of a kind may have. A repair takes over no record of another class that it cannot open: one row that is
  /// never read would keep all others of its kind from being read.
  public enum Classes: Sendable {
    /// Only `afterFirstUnlock`, and its twin of this device.
    case afterFirstUnlock
    /// These, and those that every slot but a keyring opens.
    case unlocked
    /// All that need no presence.
    case withoutPresence
    /// All.
    case any

    /// Whether records may be of a stricter class than `afterFirstUnlock`.
    var includeStrict: Bool { self != .afterFirstUnlock }

    /// Whether a record may be of a class that a proof of the owner's does not open.
    func mayBeClosed(_ protection: ProtectionClass) -> Bool {
      switch self {
      case .any: true
      case .withoutPresence: !protection.needsPresence
      case .afterFirstUnlock, .unlocked: false
      }
    }
  }

  /// How long records of a kind are valid. The vault keeps them all. A restored backup, or an accepted older vault, loses those
  /// that must not exist twice.
  public enum Validity: Sendable {
    /// Permanently.
    case lasting
    /// Until the vault is restored from a backup.
    case untilRestored
    /// Until the vault is restored from a backup, or an older file of it is put in its place.
    case untilPutBack
  }
}
