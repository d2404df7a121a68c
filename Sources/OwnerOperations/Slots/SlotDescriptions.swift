internal import JSON
internal import OwnerAPI
internal import Signer
internal import Vault

/// The ways to open the vault, described.
extension Operations {
  func listSlots() throws -> JSONValue {
    let slots = try core.vault.slots
    let loss = try SlotLoss(of: core.vault.classesLostByAPasskey, in: core)
    return .object([
      .init("slots", .array(slots.map { Self.describe($0) })),
      .init("generation", .integer(Int64(clamping: core.vault.generation))),
      .init("of_another_device", .bool(try core.vault.isOfAnotherDevice)),
      .init("a_passkey_loses", loss.isEmpty ? .null : .string(loss.sentence)),
    ])
  }

  /// Times are seconds since 1970.
  static func describe(_ slot: SlotInfo) -> JSONValue {
    .object([
      .init("id", .integer(Int64(slot.id))), .init("type", .string(slot.type.name)), .init("label", .string(slot.label)),
      .init("made", slot.made == 0 ? .null : .integer(slot.made / 1000)),
      .init("last_used", slot.lastUsed.map { .integer($0 / 1000) } ?? .null),
      .init("last_tested", slot.lastTested.map { .integer($0 / 1000) } ?? .null),
      .init("last_worked", slot.lastWorked.map { .integer($0 / 1000) } ?? .null),
      .init("opens", .array(slot.opens.map { .string($0.name) })), .init("lacks", .array(slot.lacks.map { .string($0.name) })),
      .init("detail", detail(of: slot).map { .string($0) } ?? .null),
      .init("gate", SlotDevices.gate(slot).map { .string($0) } ?? .null),
    ])
  }

  /// What tells it from others of its type.
  fileprivate static func detail(of slot: SlotInfo) -> String? {
    guard slot.type == .passkey, let parameters = PasskeyParameters(slot.parameters) else { return SlotDevices.detail(slot) }
    return "at \(String(decoding: parameters.note, as: UTF8.self))"
  }
}

extension Slot {
  init(_ slot: SlotInfo) {
    self.init()
    (id, label) = (Int64(slot.id), slot.label)
    kind = SlotKind(rawValue: slot.type.name) ?? .passphrase  // every type has a word of its name
    made = slot.made == 0 ? nil : slot.made / 1000
    (lastUsed, lastTested) = (slot.lastUsed.map { $0 / 1000 }, slot.lastTested.map { $0 / 1000 })
    lastWorked = slot.lastWorked.map { $0 / 1000 }
    (opens, lacks) = (
      slot.opens.compactMap { KeyProtection(rawValue: $0.name) }, slot.lacks.compactMap { KeyProtection(rawValue: $0.name) }
    )
    (detail, pamService) = (Operations.detail(of: slot), SlotDevices.gate(slot))
  }
}
