import JSON
import OwnerAPI
import OwnerWords
import Signer
import Vault

/// Describes the vault's slots.
extension Operations {
  func listSlots() throws -> SlotList.Response {
    var response = SlotList.Response()
    response.slots = try home.vault.slots.map(Slot.init)
    response.generation = Int64(clamping: home.vault.generation)
    response.isOfAnotherDevice = try home.vault.isOfAnotherDevice
    response.lossByPasskey = try SlotLoss(of: home.vault.classesLostByAPasskey, in: home).words
    return response
  }
}

extension SlotAnswer {
  init(_ slot: SlotInfo) {
    self.init()
    self.slot = Slot(slot)
  }
}

extension SlotSummary {
  init(_ slot: SlotInfo) {
    self.init()
    (id, kind, label) = (Int64(slot.id), SlotKind(slot.type), slot.label)
  }
}

extension Slot {
  init(_ slot: SlotInfo) {
    self.init()
    (id, kind, label) = (Int64(slot.id), SlotKind(slot.type), slot.label)
    made = slot.made == 0 ? nil : slot.made / 1000
    lastUsed = slot.lastUsed.map { $0 / 1000 }
    lastTested = slot.lastTested.map { $0 / 1000 }
    lastWorked = slot.lastWorked.map { $0 / 1000 }
    (opens, lacks) = (slot.opens.map(KeyProtection.init), slot.lacks.map(KeyProtection.init))
    (detail, pamService) = (Self.detail(of: slot), SlotDevices.pamService(of: slot))
  }

  /// What distinguishes it from other slots of its type.
  fileprivate static func detail(of slot: SlotInfo) -> String? {
    guard slot.type == .passkey, let parameters = PasskeyParameters(slot.parameters) else { return SlotDevices.detail(slot) }
    return "at \(String(decoding: parameters.note, as: UTF8.self))"
  }
}
