// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// What would become unreadable after a change of slots.
public struct KeyLoss: Fields {
  public var classes: [KeyProtection] = []
  public var identities: [LostIdentity] = []
  public var wordsOf: [String] = []
  public var items: Int64 = 0

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.words("classes", &classes, "The classes of keys that nothing would open.")
    try fields.objects("identities", &identities, "The identities whose key would be lost.")
    try fields.texts("words_of", &wordsOf, "The names of identities that would keep their key but lose its words.")
    try fields.integer("items", &items, "How many items of other programs would be lost.")
  }
}

/// An identity whose key would be lost.
public struct LostIdentity: Fields {
  public var name = ""
  public var npub = ""
  public var protection = KeyProtection.whenUnlocked

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("name", &name, "The identity's name.")
    try fields.anyText("npub", &npub, "Its public key, as npub.")
    try fields.word("class", &protection, "The class of its key.")
  }
}
