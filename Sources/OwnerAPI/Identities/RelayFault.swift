// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A relay, and why it could not be read or did not accept something.
public struct RelayFault: Fields {
  public var relay = ""
  public var why = ""

  public init() {}
  public init(relay: String, why: String) { (self.relay, self.why) = (relay, why) }

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("relay", &relay, "The relay's address.")
    try fields.anyText("why", &why, "What went wrong, or the relay's own message.")
  }
}
