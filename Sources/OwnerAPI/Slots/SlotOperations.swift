// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Lists the slots, which are the ways to open the vault.
public enum SlotList: OwnerOperation {
  public static let properties = OperationProperties.look("slot/list", "List the ways to open the vault.", from: .session)
  public typealias Request = Nothing

  public struct Response: Fields {
    public var slots: [Slot] = []
    public var generation: Int64 = 0
    public var isOfAnotherDevice = false
    /// Nil when nothing is lost.
    public var lossByPasskey: String?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.objects("slots", &slots, "Each slot.")
      try fields.integer("generation", &generation, "How often slots or class keys were changed.")
      try fields.flag("of_another_device", &isOfAnotherDevice, "Whether keys of this device only belong to another device.")
      try fields.text("a_passkey_loses", &lossByPasskey, "What one more passkey would lose permanently; null for nothing.")
    }
  }
}

/// Tests whether a slot still opens, and stores the date. Nothing is unlocked.
public enum SlotTest: OwnerOperation {
  public static let properties = OperationProperties.action(
    "slot/test", "Test whether a slot still opens, and store the date.", from: .session, proof: .always)

  public struct Request: Fields {
    /// Nil for any slot.
    public var id: Int64?
    public var credential = Credential()
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.integer("id", &id, "The slot that must open; without it, any slot.")
      try fields.include(&credential)
    }
  }

  public struct Response: Fields {
    public var slot = SlotSummary()
    public var opens: [KeyProtection] = []
    /// Nil when no token was missing.
    public var absent: [AbsentToken]?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.include(&slot)
      try fields.words("opens", &opens, "The classes of keys that it opens.")
      try fields.leftOut.objects("absent", &absent, "The tokens that were missing while another slot opened the vault.")
    }
  }
}

/// Renames a slot.
public enum SlotRename: OwnerOperation {
  public static let properties = OperationProperties.action("slot/rename", "Rename a slot.", from: .session, needsUnlocked: true)
  public typealias Response = SlotAnswer

  public struct Request: Fields {
    public var id: Int64 = 0
    /// At most 64 bytes; nil for none.
    public var label: String?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.integer("id", &id, "The slot's number.")
      try fields.text("label", &label, "The new name, at most 64 bytes; without it, the slot has none.")
    }
  }
}
