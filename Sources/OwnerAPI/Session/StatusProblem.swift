// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Possible problems of a running signer. They reveal nothing private.
public enum ProblemName: String, Word {
  case locked
  case suspended
  case vaultDamaged = "vault-damaged"
  case noRelay = "no-relay"
  case relayFull = "relay-full"
  case tooManyRequests = "too-many-requests"
  case connectionsShort = "connections-short"
  case notRecording = "not-recording"
  case diskNearlyFull = "disk-nearly-full"
  case clockImplausible = "clock-implausible"
  case backupFailing = "backup-failing"
  case checkpointFailing = "checkpoint-failing"
  case retentionFailing = "retention-failing"
  case logHeadFailing = "log-head-failing"
}

/// A present problem, with what to do.
public struct StatusProblem: Fields {
  public var name = ProblemName.locked
  public var text = ""
  public var hint = ""

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.word("name", &name, "The problem, for programs.")
    try fields.anyText("text", &text, "What it means.")
    try fields.anyText("hint", &hint, "What to do.")
  }
}
