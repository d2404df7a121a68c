// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import SecretMemory

/// Shares to combine. They are the subject of the operation, not a proof of the owner.
public struct KitShares: Fields {
  /// One per line.
  public var shares: SecretBox?
  public var recoveryCode: SecretBox?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.secret("shares", &shares, "The shares of a recovery kit, one per line.")
    try fields.secret("recovery_code", &recoveryCode, "The kit's recovery code, if it has one.")
  }
}
