// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Tells which device secret the vault is bound to, for a check of the file beside it.
public enum DoctorDevice: OwnerOperation {
  public static let properties = OperationProperties.look(
    "doctor/device", "Tell which device.key the vault is bound to.", from: .controlSocket)
  public typealias Request = Nothing

  public struct Response: Fields {
    /// Hex digits; nil where the vault is bound to none.
    public var mark: String?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.text("mark", &mark, "The mark of the device.key in hex digits, which is no secret; null where there is none.")
    }
  }
}
