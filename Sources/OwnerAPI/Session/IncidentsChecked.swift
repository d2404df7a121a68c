// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Notes that the owner has looked at the incidents so far. The log keeps them.
public enum IncidentsChecked: OwnerOperation {
  public static let properties = OperationProperties.action(
    "incidents/checked", "Note that you have looked at the incidents so far.", from: .session, home: .running, needsUnlocked: true
  )
  public typealias Request = Nothing

  public struct Response: Fields {
    /// How many there were since the signer started.
    public var incidents: Int64 = 0
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.integer("incidents", &incidents, "The number of incidents since the signer started.")
    }
  }
}
