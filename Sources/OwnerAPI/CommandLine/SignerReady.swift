// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// What `holdfast up` says once apps can pair.
public struct SignerReady: Fields {
  public var isReady = true
  /// Nil if the owner must unlock before a link can be made, or if standard output goes to the journal.
  public var bunker: String?
  /// 64 hex digits.
  public var pubkey = ""
  public var npub = ""
  public var identity = ""
  public var relay = ""
  public var console = ""
  public var process: Int64 = 0
  public var home = ""
  public var trust = ""
  public var isSuspended = false
  public var remarks: [String] = []
  /// Nil unless this is a trial.
  public var signIn: String?
  public var isThisMachineOnly = false

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.flag("ready", &isReady, "Whether apps can pair: true.")
    try fields.text(
      "bunker", &bunker,
      "The link to pair an app with; null if you must unlock first, or if the output goes to the journal, which others can read.")
    try fields.anyText("pubkey", &pubkey, "The identity's public key, 64 hex digits.")
    try fields.anyText("npub", &npub, "The same as an npub.")
    try fields.anyText("identity", &identity, "The identity's name.")
    try fields.anyText("relay", &relay, "The first relay of the link.")
    try fields.anyText("console", &console, "The address of the console.")
    try fields.integer("pid", &process, "The number of the signer's process.")
    try fields.anyText("home", &home, "The folder of the vault.")
    try fields.anyText("trust", &trust, "The trust of an app that pairs with the link.")
    try fields.flag("shut", &isSuspended, "Whether the signer is locked down, until the owner resumes.")
    try fields.texts("remarks", &remarks, "What else the owner should know, in words.")
    try fields.flag(
      "this_machine_only", &isThisMachineOnly,
      "Whether every relay of the link is on this machine, so that apps on other machines cannot use it.")
    try fields.text("signin", &signIn, "A link that signs in to the console once; null unless this is a trial.")
  }
}
