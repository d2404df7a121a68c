// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Lists the recovery kits.
public enum RecoveryList: OwnerOperation {
  public static let properties = OperationProperties.look(
    "recovery/list", "List the recovery kits, and when each was tested.", from: .session)
  public typealias Request = Nothing

  public struct Response: Fields {
    public var kits: [KitSummary] = []
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.objects("kits", &kits, "Each kit, oldest first.")
    }
  }
}

/// Notes that the shares of a new kit were written down, printed or shown. The kit counts from then on.
public enum RecoveryHandOut: OwnerOperation {
  public static let properties = OperationProperties.action(
    "recovery/handed-out", "Note that the shares of a new kit have been handed out.", from: .session)

  public struct Request: Fields {
    /// Four hex digits.
    public var id = ""
    /// Opens the vault when no signer runs, so that a person is not asked twice. A running signer ignores it.
    public var credential = Credential()
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.text("id", &id, "The kit's number, four hex digits.")
      try fields.include(&credential)
    }
  }

  public struct Response: Fields {
    public var kit = ""
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.anyText("kit", &kit, "The kit's number.")
    }
  }
}

/// Ends a kit of the vault, or forgets a kit of an identity, whose shares still restore the key.
public enum RecoveryRemove: OwnerOperation {
  public static let properties = OperationProperties.action(
    "recovery/remove", "End a kit of the vault, or forget one of an identity; or only show what would be left.",
    from: .recentSignIn,
    proof: .sometimes, needsUnlocked: true)

  public struct Request: Fields {
    /// Four hex digits.
    public var id = ""
    public var isPlan = false
    public var credential = Credential()
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.text("id", &id, "The kit's number, four hex digits.")
      try fields.flag("plan", &isPlan, "Only show what would be left. This requires no proof.")
      try fields.include(&credential)
    }
  }

  public struct Response: Fields {
    public var removed = ""
    public var stillRestores = false
    public var warnings: [String] = []
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.anyText("removed", &removed, "The kit's number.")
      try fields.flag("still_restores", &stillRestores, "Whether its shares still restore the key.")
      try fields.texts("warnings", &warnings, "Warnings about the remaining ways to open the vault.")
    }
  }
}
