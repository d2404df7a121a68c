// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import SecretMemory

/// Makes a new home from a backup.
///
/// Not in `OperationTable`: there is no vault yet that a signer could run on, so the command line does it.
public enum BackupRestore: OwnerOperation {
  public static let properties = OperationProperties.action(
    "backup/restore", "Make a new home from a backup.", from: .controlSocket, proof: .always, home: .stopped)

  public struct Request: Fields {
    /// An absolute path; nil for a backup at a place.
    public var file: String?
    /// The file's name at the place; nil for the newest one.
    public var name: String?
    public var place = BackupPlaceRequest()
    /// What opens the backup.
    public var credential = Credential()
    /// Restore it although a newer one lies next to it.
    public var isOlderAccepted = false
    /// Needed with shares; nil keeps the passphrases that there were.
    public var newPassphrase: SecretBox?
    /// MiB that one guess of the new passphrase costs; nil measures the machine.
    public var memoryMiB: Int64?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.text("file", &file, "The backup's file, as an absolute path.")
      try fields.text("name", &name, "The backup's name at the place; without it, the newest one.")
      try fields.include(&place)
      try fields.include(&credential)
      try fields.flag("older", &isOlderAccepted, "Restore it although a newer backup is next to it.")
      try fields.secret("new_passphrase", &newPassphrase, "The new vault's passphrase. Needed with shares.")
      try fields.integer("memory_mib", &memoryMiB, "Memory that one guess of a new passphrase costs, in MiB.")
    }
  }

  public struct Response: Fields {
    public var home = ""
    public var isRestored = true
    /// Seconds since 1970.
    public var made: Int64 = 0
    public var number: Int64 = 0
    public var paused: [String] = []
    public var revoked: [String] = []
    public var revocations = RevocationsRead()
    public var dropped: Int64 = 0
    public var withoutKey: [String] = []
    public var offered: Int64 = 0
    public var leftOut: Int64 = 0
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.anyText("home", &home, "The new home.")
      try fields.flag("restored", &isRestored, "Whether the backup was restored: true.")
      try fields.integer("made", &made, "When the backup was made, in seconds since 1970.")
      try fields.integer("number", &number, "Its number. Each backup of a vault has a higher one.")
      try fields.texts("suspended", &paused, "Names of apps that are paused.")
      try fields.texts("revoked", &revoked, "Names of apps that were revoked after the backup was made, and were not restored.")
      try fields.object("revocations", &revocations, "The list of revoked apps next to the backup.")
      try fields.integer("dropped", &dropped, "How many links, waiting requests, browsers and passkeys were not restored.")
      try fields.texts(
        "without_key", &withoutKey, "Identities that were not restored because their keys are bound to their device.")
      try fields.integer("offered", &offered, "How many shares kept for others need your consent again.")
      try fields.integer("left_out", &leftOut, "How many records the backup lacks because they are bound to their device.")
    }
  }
}

/// How far the list of revoked apps next to a backup was believed.
public enum RevocationsState: String, Word {
  /// It is as new as the newest backup next to it.
  case read
  case missing
  /// It knows less than the backup, or is older than the newest backup next to it. Somebody may have replaced it.
  case older
  /// It was not written with this vault's key.
  case damaged
  case otherVault = "other-vault"
  /// The place did not return it.
  case unreachable
  /// The backup was made before there were such lists, and cannot open one.
  case unknown
}

/// The list of revoked apps next to a backup that was restored.
public struct RevocationsRead: Fields {
  public var state = RevocationsState.missing
  /// Seconds since 1970; nil when it was not read.
  public var asOf: Int64?
  public var entries: Int64 = 0

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.word("state", &state, "Whether it was found and believed.")
    try fields.integer("as_of", &asOf, "When it was written, in seconds since 1970; null when it was not read.")
    try fields.integer("entries", &entries, "How many revoked apps it lists.")
  }
}
