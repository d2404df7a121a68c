// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A request that names only an identity.
public struct IdentityName: Fields {
  /// The identity's name, or its public key (npub or hex).
  public var name = ""

  public init() {}
  public init(_ name: String) { self.name = name }

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.text("name", &name, "The identity: its name or public key (npub or hex).")
  }
}

/// A request that may name an identity.
public struct IdentityNameOrDefault: Fields {
  /// The identity's name or public key (npub or hex); nil for the default identity.
  public var name: String?

  public init() {}
  public init(_ name: String?) { self.name = name }

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.text("name", &name, "The identity: its name or public key (npub or hex); without it, the default identity.")
  }
}

/// The name, appearance and protection of a new identity.
public struct IdentityDraft: Fields {
  /// 1 to 64 bytes.
  public var name = ""
  /// Nil for the default: the protection of the identity it is derived from, otherwise `whenUnlocked`.
  public var protection: KeyProtection?
  /// `#rrggbb`, or a colour's name.
  public var colour: String?
  public var emoji: String?
  public var relays: [String] = []
  public var notes: String?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.text("name", &name, "A name that no other identity here has.")
    try fields.word("class", &protection, "When its key can be used (when-unlocked).")
    try fields.text("colour", &colour, "Its colour: #rrggbb, or a name such as teal.")
    try fields.text("emoji", &emoji, "One emoji.")
    try fields.texts("relays", &relays, "The relays that it writes to, as ws:// or wss:// addresses.")
    try fields.text("notes", &notes, "Notes for the owner. They do not leave the vault.")
  }
}
