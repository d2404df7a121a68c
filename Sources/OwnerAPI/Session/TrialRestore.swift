// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import SecretMemory

/// Shows, in a trial, where a vault of the owner's own would be, before anything is typed or sent.
public enum TrialPlace: OwnerOperation {
  public static let properties = OperationProperties.look(
    "trial/place", "In a trial, show the folder that a vault of your own would be in, and whether it is free.", from: .session,
    home: .running)

  public typealias Request = Nothing

  public struct Response: Fields {
    public var home = ""
    public var fault: String?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.text("home", &home, "The folder.")
      try fields.text("fault", &fault, "Why the trial cannot be kept there, nor a backup restored, in words; null if it can.")
    }
  }
}

/// Opens a backup that was sent to a trial, and shows what is in it.
public enum TrialBackupCheck: OwnerOperation {
  public static let properties = OperationProperties.action(
    "trial/backup-check", "In a trial, open a backup file that was sent, of any vault, and show what is in it.",
    from: .recentSignIn, proof: .always, home: .running, lane: .beside, needsUnlocked: true)

  public struct Request: Fields {
    public var upload = ""
    /// What opened the vault when the backup was made.
    public var credential = Credential()
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.text("upload", &upload, "The upload. It stays, for another attempt or to be restored.")
      try fields.include(&credential)
    }
  }

  public typealias Response = BackupVerify.Response
}

/// Restores a backup that was sent to a trial into the owner's own home. The trial ends, and the signer restarts there by itself.
public enum TrialRestore: OwnerOperation {
  public static let properties = OperationProperties.action(
    "trial/restore",
    "In a trial, restore a backup file that was sent into a vault of your own. The trial is wiped, and the signer restarts on that vault.",
    from: .recentSignIn, proof: .always, home: .running, lane: .beside, needsUnlocked: true)

  public struct Request: Fields {
    public var upload = ""
    /// What opens the backup: a passphrase or shares.
    public var credential = Credential()
    /// Needed with shares; nil keeps the backup's passphrases.
    public var newPassphrase: SecretBox?
    /// In base64url; nil for none.
    public var revokedApps: String?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.text("upload", &upload, "The upload.")
      try fields.include(&credential)
      try fields.secret("new_passphrase", &newPassphrase, "The new vault's passphrase. Needed with shares.")
      try fields.text(
        "revoked_apps", &revokedApps,
        "The file with the list of revoked apps (…-revoked.hfr), in base64url. Apps that it lists are not restored.")
    }
  }

  public struct Response: Fields {
    public var restored = BackupRestore.Response()
    public var start = ""
    public var signIn: String?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.include(&restored)
      try fields.text("start", &start, "The command that starts the signer next time, with the options of this trial.")
      try fields.text("sign_in", &signIn, "What signs the browser in once after the restart, within ten minutes.")
    }
  }
}
