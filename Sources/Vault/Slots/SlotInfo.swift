/// A slot as its owner sees it.
public struct SlotInfo: Sendable, Equatable {
  /// Distinguishes it from the vault's other slots; never used twice.
  public let id: UInt32
  /// What kind of thing opens it.
  public let type: SlotType
  /// What its maker wrote down for opening it. Not secret.
  public let parameters: [UInt8]
  /// What the owner calls it; may be empty.
  public let label: String
  /// When it was made, milliseconds since 1970-01-01 UTC; 0 when it is not known.
  public let made: Int64
  /// When it last opened the vault, or was shown for something; nil when it never was.
  public let lastUsed: Int64?
  /// When its owner last tried whether it opens; nil when that was never.
  public let lastTested: Int64?
  /// The classes it can be used to read, in the order of their raw values.
  public let opens: [ProtectionClass]
  /// The classes a slot of its type could be used to read and this one cannot: who made it had not their keys, or another passkey
  /// came since. What is left to give is given when a slot that has it is used.
  public let lacks: [ProtectionClass]

  init(_ slot: Keyslot, _ type: SlotType, _ note: SlotNote) {
    (id, self.type, parameters, label, made) = (slot.id, type, slot.parameters, note.label, note.made)
    lastUsed = note.lastUsed == 0 ? nil : note.lastUsed
    lastTested = note.lastTested == 0 ? nil : note.lastTested
    let uses = Entitlement.uses(of: type)
    opens = uses.filter { slot.wrap(of: $0) != nil }
    lacks = uses.filter { slot.wrap(of: $0) == nil }
  }
}

/// What an opener opened.
public struct SlotOpening: Sendable, Equatable {
  /// The slot that was opened.
  public let slot: UInt32
  /// Its type.
  public let type: SlotType
  /// How many attempts with a wrong secret came before.
  public let failedAttempts: Int
}
