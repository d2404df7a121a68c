// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// An account that `holdfast identity import` or `identity accounts` made an identity.
public struct TakenAccount: Fields {
  public var account: Int64 = 0
  public var name = ""
  public var npub = ""

  public init() {}

  public init(account: Int64, name: String, npub: String) { (self.account, self.name, self.npub) = (account, name, npub) }

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.integer("account", &account, "The account's number.")
    try fields.anyText("name", &name, "The new identity's name.")
    try fields.anyText("npub", &npub, "Its public key as an npub.")
  }
}
