public import SecretMemory

/// A record of a kind that is not secret.
public struct Record: Sendable, Equatable {
  /// Distinguishes it from others of its kind.
  public let id: [UInt8]
  /// The bytes that were put.
  public let value: [UInt8]

  package init(id: [UInt8], value: [UInt8]) { (self.id, self.value) = (id, value) }
}

/// What to keep: secret kinds take `.secret`, the others `.bytes`.
public enum RecordValue: Sendable {
  case secret(SecretBox)
  case bytes([UInt8])
}

/// One change within a transaction.
public enum RecordChange: Sendable {
  /// Makes the record, or replaces it.
  case put(kind: RecordKind, id: [UInt8], value: RecordValue, class: ProtectionClass)
  /// Removes the record if it is there.
  case delete(kind: RecordKind, id: [UInt8])

  /// Makes or replaces a record that is not secret.
  public static func put(
    _ kind: RecordKind, _ id: [UInt8], _ value: [UInt8], _ class: ProtectionClass = .afterFirstUnlock
  ) -> Self {
    .put(kind: kind, id: id, value: .bytes(value), class: `class`)
  }

  /// Makes or replaces a secret record.
  public static func put(_ kind: RecordKind, _ id: [UInt8], _ value: SecretBox, _ class: ProtectionClass) -> Self {
    .put(kind: kind, id: id, value: .secret(value), class: `class`)
  }
}
