// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import SecretMemory

/// Draws a text as a QR code, for pages without their own encoder.
public enum PairQR: OwnerOperation {
  public static let properties = OperationProperties.look("pair/qr", "Draw a text as a QR code.", from: .session)

  /// Either `text` or `secretText`; both have the same name in JSON.
  public struct Request: Fields {
    public var text: String?
    /// A secret text, such as a share of a recovery kit. The modules in the response are then secret, too.
    public var secretText: SecretBox?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      if secretText == nil { try fields.leftOut.text("text", &text, "The text, if it is not secret.") }
      if text == nil { try fields.secret("text", &secretText, "The text, if it is secret.") }
    }
  }

  /// Either `modules` or `secretModules`; both have the same name in JSON.
  public struct Response: Fields {
    /// Modules per side.
    public var size: Int64 = 0
    /// `size` times `size` digits, row after row: 1 for dark, 0 for light.
    public var modules: String?
    public var secretModules: SecretBox?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.integer("size", &size, "How many modules a side has.")
      if secretModules == nil {
        try fields.leftOut.text("modules", &modules, "A digit for each module, row after row: 1 for dark, 0 for light.")
      }
      if modules == nil { try fields.secret("modules", &secretModules, "The same, if the text was secret.") }
    }
  }
}
