// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// One part of what a request would do. `type` determines its members; the others are nil and left out.
public struct RequestPart: Fields {
  /// The kind of part.
  public enum Kind: String, Word {
    /// `label`, `text`, `isTruncated`: a text of the app, possibly with several lines.
    case text
    /// `label`, `npub`, `pubkey`, `isSelf`, `name`, `isNameShared`.
    case peer
    /// `label`, `url`, `host`, `method`.
    case url
    /// `label`, `url`.
    case relay
    /// `label`, `id`: another event, or a coordinate.
    case reference
    /// `label`, `time`.
    case date
    /// `label`, `value`: one line.
    case fact
    /// `text`, `about`: a sentence of the signer.
    case warning
    /// `label`, `added`, `removed`, `addedCount`, `removedCount`, `kept`, `hasBaseline`.
    case listChange = "list-diff"
    /// `label`, `changes`, `hasBaseline`.
    case fieldChange = "field-diff"
  }

  public var type = Kind.fact
  public var label: String?
  public var text: String?
  public var isTruncated: Bool?
  /// Of a warning that programs act on; nil for others.
  public var about: WarningSubject?
  public var npub: String?
  /// 64 hex digits.
  public var pubkey: String?
  /// Nil if no name is known, or if names are off.
  public var name: String?
  /// Whether somebody else uses the same name.
  public var isNameShared: Bool?
  /// Whether it is the owner's own key.
  public var isSelf: Bool?
  /// As the app wrote it, cleaned and shortened.
  public var url: String?
  /// Lower case, with its port; empty if the address contains none.
  public var host: String?
  /// The HTTP method of a login; nil for none.
  public var method: String?
  public var id: String?
  /// Seconds since 1970.
  public var time: Int64?
  public var value: String?
  public var added: [ListEntry]?
  public var removed: [ListEntry]?
  public var addedCount: Int64?
  public var removedCount: Int64?
  public var kept: Int64?
  public var changes: [FieldChange]?
  /// Whether the previous state is known.
  public var hasBaseline: Bool?

  public init() {}
  public init(_ type: Kind) { self.type = type }

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.word("type", &type, "The type of the part. The members that follow depend on it.")
    try fields.leftOut.text("label", &label, "What the part is about.")
    try fields.leftOut.text("text", &text, "A text of the app, or a warning of the signer.")
    try fields.leftOut.flag("truncated", &isTruncated, "Whether the text was cut.")
    try fields.leftOut.word("about", &about, "What the warning is about, for programs that act on it.")
    try fields.leftOut.text("npub", &npub, "A person's public key as an npub.")
    try fields.leftOut.text("pubkey", &pubkey, "The same key, 64 hex digits.")
    try fields.leftOut.text("name", &name, "What the person calls himself in his profile. Anybody can take any name.")
    try fields.leftOut.flag("name_shared", &isNameShared, "Whether somebody else here uses the same name.")
    try fields.leftOut.flag("self", &isSelf, "Whether it is the owner's own key.")
    try fields.leftOut.text("url", &url, "An address, as the app wrote it.")
    try fields.leftOut.text("host", &host, "The host that it leads to; empty if it contains none.")
    if type == .url || fields.mode == .describing {
      try fields.text("method", &method, "The HTTP method of a login; null for none.")
    }
    try fields.leftOut.text("id", &id, "The id or address of an event.")
    try fields.leftOut.integer("time", &time, "A time, in seconds since 1970.")
    try fields.leftOut.text("value", &value, "A fact, in one line.")
    try visitChanges(fields)
  }

  private mutating func visitChanges(_ fields: FieldVisitor) throws(FieldError) {
    try fields.leftOut.objects("added", &added, "The first entries that are added to a list.")
    try fields.leftOut.objects("removed", &removed, "The first entries that are removed from it.")
    try fields.leftOut.integer("added_count", &addedCount, "How many entries are added.")
    try fields.leftOut.integer("removed_count", &removedCount, "How many entries are removed.")
    try fields.leftOut.integer("kept", &kept, "How many entries stay.")
    try fields.leftOut.objects("fields", &changes, "The fields that change.")
    try fields.leftOut.flag("baseline", &hasBaseline, "Whether the previous state is known.")
  }
}

/// A member of a list: a person, a relay, or any other text.
public struct ListEntry: Fields {
  public var text = ""
  /// Nil for an entry that is not a person; so is `pubkey`.
  public var npub: String?
  public var pubkey: String?
  /// Nil if no name is known, or if names are off.
  public var name: String?
  /// Whether somebody else uses the same name.
  public var isNameShared: Bool?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("text", &text, "The entry, in one line.")
    try fields.leftOut.text("npub", &npub, "A person's public key as an npub.")
    try fields.leftOut.text("pubkey", &pubkey, "The same key, 64 hex digits.")
    try fields.leftOut.text("name", &name, "What the person calls himself in his profile. Anybody can take any name.")
    try fields.leftOut.flag("name_shared", &isNameShared, "Whether somebody else here uses the same name.")
  }
}

/// A field of a profile that changes.
public struct FieldChange: Fields {
  public var name = ""
  /// Nil when it did not exist.
  public var before: String?
  /// Nil when it is removed.
  public var after: String?
  /// A sentence of the signer; nil for most fields.
  public var warning: String?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("name", &name, "The field's name.")
    try fields.anyText("before", &before, "The previous value; null when there was none.")
    try fields.anyText("after", &after, "The new value; null when the field is removed.")
    try fields.leftOut.text("warning", &warning, "A warning about this field, such as that payments would go elsewhere.")
  }
}
