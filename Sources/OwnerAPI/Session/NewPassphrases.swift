// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import SecretMemory

/// Makes a passphrase of random words. It is not stored and opens nothing until it is chosen.
public enum PassphraseSuggest: OwnerOperation {
  public static let properties = OperationProperties.look(
    "passphrase/suggest", "Make a passphrase of random words.", from: .session)
  public typealias Request = Nothing

  public struct Response: Fields {
    /// Seven English words of BIP-39 with a space between them: 77 random bits.
    public var passphrase: SecretBox?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.secret("passphrase", &passphrase, "Seven English words of BIP-39: 77 random bits.")
    }
  }
}

/// Says what is plainly weak about a new passphrase. Nothing of it is kept.
public enum PassphraseCheck: OwnerOperation {
  public static let properties = OperationProperties.look(
    "passphrase/check", "Say what is plainly weak about a new passphrase.", from: .session)

  public struct Request: Fields {
    public var newPassphrase: SecretBox?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.secret("new_passphrase", &newPassphrase, "The passphrase that somebody thinks of.")
    }
  }

  public struct Response: Fields {
    /// Nil if nothing is plainly wrong with it, which does not say that it is strong.
    public var remark: String?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.text("remark", &remark, "What is weak about it, in words; null for nothing plain.")
    }
  }
}
