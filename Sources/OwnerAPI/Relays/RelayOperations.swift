// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Lists the relays for a new link.
public enum RelayList: OwnerOperation {
  public static let properties = OperationProperties.look(
    "relay/list", "List the relays that a new link names, and some public ones.", from: .session)
  public typealias Request = Nothing

  public struct Response: Fields {
    public var relays: [String] = []
    public var isThisMachineOnly = false
    public var suggested: [String] = []
    public var used: [RelayUse] = []
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.texts("relays", &relays, "The relays that a new link names if you name none.")
      try fields.flag(
        "this_machine_only", &isThisMachineOnly, "Whether all of them are on the signer's machine, so that no phone reaches them."
      )
      try fields.texts("suggested", &suggested, "Public relays that one could try. Nobody has tried them for you.")
      try fields.objects("used", &used, "Each relay that a paired app or an unused link names.")
    }
  }
}

/// Who names a relay, and so has the signer use it.
public struct RelayUse: Fields {
  public var url = ""
  public var apps: [String] = []
  public var links: [String] = []
  public init() {}
  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("url", &url, "The relay's address.")
    try fields.texts("apps", &apps, "The signer's keys for the paired apps that name it, 64 hex digits each.")
    try fields.texts("links", &links, "The public keys of the unused links that name it, 64 hex digits each.")
  }
}

/// Tries whether a relay passes on requests and answers.
public enum RelayTry: OwnerOperation {
  public static let properties = OperationProperties.look(
    "relay/try", "Try whether a relay passes on the messages between apps and the signer.", from: .recentSignIn, lane: .beside)

  public struct Request: Fields {
    public var url = ""
    public init() {}
    public init(_ url: String) { self.url = url }
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.text("url", &url, "The relay's address: wss://… or ws://….")
    }
  }

  public struct Response: Fields {
    public var url = ""
    public var delivers = false
    /// Nil if it did not deliver.
    public var milliseconds: Int64?
    /// Nil if it delivered.
    public var why: String?
    /// What it says about itself (NIP-11); nil for nothing. So are the next three.
    public var name: String?
    public var longestMessage: Int64?
    public var needsLogin: Bool?
    public var needsPayment: Bool?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.anyText("url", &url, "The relay's address.")
      try fields.flag("delivers", &delivers, "Whether a message of kind 24133 that was sent there came back to a subscriber.")
      try fields.integer("milliseconds", &milliseconds, "How long that took, in milliseconds; null if it did not come back.")
      try fields.text("why", &why, "Why it did not, in words; null if it did.")
      try fields.text("name", &name, "The name that the relay gives itself; null for none.")
      try fields.integer(
        "longest_message", &longestMessage, "The longest message the relay says it accepts, in bytes; null if it says nothing.")
      try fields.flag("login", &needsLogin, "Whether the relay says that it requires a login; null if it says nothing.")
      try fields.flag("payment", &needsPayment, "Whether the relay says that it requires payment; null if it says nothing.")
    }
  }
}
