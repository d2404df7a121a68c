// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Shows which device secret the vault is bound to, to check the file next to it.
public enum DoctorDevice: OwnerOperation {
  public static let properties = OperationProperties.look(
    "doctor/device", "Show which device.key the vault is bound to.", from: .controlSocket)
  public typealias Request = Nothing

  public struct Response: Fields {
    /// Hex digits; nil when the vault is bound to none.
    public var mark: String?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.text("mark", &mark, "The mark of the device.key in hex digits, which is not secret; null when there is none.")
    }
  }
}
