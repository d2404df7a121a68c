// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A program on this machine that asks over the apps' socket, as the kernel describes it.
public struct LocalProgram: Fields {
  public var path = ""
  public var sha256 = ""
  /// The user's number.
  public var user: Int64 = 0
  public var unit: String?
  public var sandbox: String?
  public var isInterpreter = false

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("path", &path, "The path of its executable file.")
    try fields.anyText(
      "sha256", &sha256, "SHA-256 of that file, 64 hex digits. An updated program has another one, and asks anew.")
    try fields.integer("user", &user, "The number of the user it runs as.")
    try fields.text("unit", &unit, "The systemd service it is part of; null for none.")
    try fields.text(
      "sandbox", &sandbox,
      "What confines it: “flatpak:NAME”, “snap:NAME”, or “container” if it sees other files than the signer; null for nothing.")
    try fields.flag("interpreter", &isInterpreter, "Whether it runs any script, so that the file does not show what is done.")
  }
}

/// Lists the programs on this machine that asked.
public enum LocalList: OwnerOperation {
  public static let properties = OperationProperties.look(
    "local/list", "List the programs on this machine that asked for signatures.", from: .session)
  public typealias Request = Nothing

  public struct Response: Fields {
    public var programs: [AppSummary] = []
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.objects("programs", &programs, "Each program, once for each identity that it asked for.")
    }
  }
}

/// Lets a program in, with a trust level.
public enum LocalTrust: OwnerOperation {
  public static let properties = OperationProperties.action(
    "local/trust", "Let a program on this machine in, and set its trust level.", from: .recentSignIn)
  public typealias Request = AppTrust.Request
  public typealias Response = AppDetail
}

/// Forgets a program.
public enum LocalRevoke: OwnerOperation {
  public static let properties = OperationProperties.action(
    "local/revoke", "Take back what a program on this machine may do. If it asks again, the owner is asked as at its first use.",
    from: .session)
  public typealias Request = AppRequest
  public typealias Response = AppRevoke.Response
}
