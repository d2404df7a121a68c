// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// What `holdfast doctor` found.
public struct DoctorReport: Fields {
  public var isSound = false
  public var findings: [DoctorFinding] = []

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.flag("ok", &isSound, "Whether no finding is bad.")
    try fields.objects("findings", &findings, "What each check found, in order.")
  }
}

/// How the object of a check is.
public enum DoctorVerdict: String, Word { case good, warning, bad }

/// What one check found.
public struct DoctorFinding: Fields {
  public var check = ""
  public var verdict = DoctorVerdict.good
  public var found = ""
  /// Nil when there is nothing to do.
  public var advice: String?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("check", &check, "The name of the check.")
    try fields.word("verdict", &verdict, "How it is.")
    try fields.anyText("found", &found, "What was found, in words.")
    try fields.text("advice", &advice, "What to do about it, in words; null when there is nothing to do.")
  }
}
