// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// The type of a slot.
public enum SlotKind: String, Word {
  case passphrase
  /// Enough shares of a recovery kit.
  case recovery
  case passkey
  /// A PKCS#11 token: TPM, smart card, HSM.
  case token
  /// The desktop's keyring, which opens only keys of the class after-first-unlock.
  case keyring
}

/// A way to open the vault, in a list.
public struct Slot: Fields {
  public var id: Int64 = 0
  public var kind = SlotKind.passphrase
  /// May be empty.
  public var label = ""
  /// Seconds since 1970; nil when unknown. The same holds for the following times, where nil means never.
  public var made: Int64?
  public var lastUsed: Int64?
  public var lastTested: Int64?
  /// The later of the two times.
  public var lastWorked: Int64?
  /// The classes of keys that it opens.
  public var opens: [KeyProtection] = []
  /// The classes of keys that slots of this type open, but this one does not yet.
  public var lacks: [KeyProtection] = []
  public var detail: String?
  public var pamService: String?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.integer("id", &id, "The slot's number.")
    try fields.word("type", &kind, "The type of credential that opens it.")
    try fields.anyText("label", &label, "The owner's name for it; may be empty.")
    try fields.integer("made", &made, "When it was made, in seconds since 1970; null when unknown.")
    try fields.integer("last_used", &lastUsed, "When it last opened the vault, in seconds since 1970; null for never.")
    try fields.integer("last_tested", &lastTested, "When it was last tested, in seconds since 1970; null for never.")
    try fields.integer("last_worked", &lastWorked, "When it was last used or tested, in seconds since 1970; null for never.")
    try fields.words("opens", &opens, "The classes of keys that it opens.")
    try fields.words("lacks", &lacks, "The classes of keys that such a slot opens, but this one does not yet.")
    try fields.text("detail", &detail, "The token, passkey or keyring item; null for others.")
    try fields.text("gate", &pamService, "The PAM service that is asked first; null for none.")
  }
}

/// A slot's id, type and name.
public struct SlotSummary: Fields {
  public var id: Int64 = 0
  public var kind = SlotKind.passphrase
  /// May be empty.
  public var label = ""

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.integer("id", &id, "The slot's number.")
    try fields.word("type", &kind, "The type of credential that opens it.")
    try fields.anyText("label", &label, "The owner's name for it; may be empty.")
  }
}

/// An answer that shows one slot.
public struct SlotAnswer: Fields {
  public var slot = Slot()

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.object("slot", &slot, "The slot's present state.")
  }
}

/// A token of the vault that was missing.
public struct AbsentToken: Fields {
  public var slot: Int64 = 0
  public var token = ""
  public var reason = ""

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.integer("slot", &slot, "The number of the token's slot.")
    try fields.anyText("token", &token, "The token's name.")
    try fields.anyText("why", &reason, "Why it could not be used, in words.")
  }
}
