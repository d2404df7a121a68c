// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A paired app whose requests do not arrive, because none of its relays can be reached.
public struct UnreachedApp: Fields {
  /// The app's public key, 64 hex digits.
  public var pubkey = ""
  public var name = ""
  public var relays: [String] = []

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("pubkey", &pubkey, "The app's public key, 64 hex digits.")
    try fields.anyText("name", &name, "The app's name.")
    try fields.texts("relays", &relays, "Its relays.")
  }
}
