// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import SecretMemory

/// Makes a recovery kit. Its shares are only in the answer and are not stored.
public enum RecoveryCreate: OwnerOperation {
  public static let properties = OperationProperties.action(
    "recovery/create", "Make a recovery kit of the vault or of one identity.", from: .recentSignIn, proof: .always)

  public struct Request: Fields {
    /// The identity's name; nil for a kit of the vault.
    public var identity: String?
    /// With `shares`, instead of groups: 1 to 16.
    public var threshold: Int64?
    public var shares: Int64?
    /// Each as [needed, count]; empty for the single group of `threshold` and `shares`.
    public var groups: [[Int64]] = []
    /// Nil for all groups.
    public var groupThreshold: Int64?
    /// At most 64 bytes.
    public var label: String?
    /// Needed in addition to the shares; nil for a kit without one.
    public var newRecoveryCode: SecretBox?
    public var credential = Credential()
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.text("identity", &identity, "The identity that it restores; without it, the whole vault.")
      try fields.integer("threshold", &threshold, "How many shares are needed, 1 to 16.")
      try fields.integer("shares", &shares, "How many shares to make, 1 to 16.")
      try fields.integerLists(
        "groups", &groups, "Instead of these two: for each group, how many shares are needed and how many to make.")
      try fields.integer("group_threshold", &groupThreshold, "How many of the groups are needed; without it, all.")
      try fields.text("label", &label, "Your name for it, at most 64 bytes.")
      try fields.secret("new_recovery_code", &newRecoveryCode, "A recovery code that is needed in addition to the shares.")
      try credential.visitBesideShares(fields)
    }
  }

  public struct Response: Fields {
    public var kit = KitDetail()
    public var shares: [SecretBox] = []
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.object("kit", &kit, "The kit, with the texts of its pages.")
      try fields.secrets("shares", &shares, "The words of each share, group by group.")
    }
  }
}

/// A kit whose shares the command line wrote as pages.
public struct KitPages: Fields {
  public var kit = KitDetail()
  /// The paths of the pages' files, in the order of the shares.
  public var pages: [String] = []

  public init() {}

  public init(_ kit: KitDetail, _ pages: [String]) { (self.kit, self.pages) = (kit, pages) }

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.object("kit", &kit, "The kit, with the texts of its pages.")
    try fields.texts("pages", &pages, "The files with the pages, one for each share.")
  }
}
