// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import SecretMemory

/// Shares to put together. They are what the operation is about, not a proof of the owner's.
public struct KitShares: Fields {
  /// One a line.
  public var shares: SecretBox?
  public var recoveryCode: SecretBox?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.secret("shares", &shares, "The shares of a recovery kit, one a line.")
    try fields.secret("recovery_code", &recoveryCode, "The kit's recovery code, if it has one.")
  }
}
