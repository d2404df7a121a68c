import AuditLog
import Curve
import Encodings
import Identities
import JSON
import OwnerAPI
import Platform
import Signer
import Vault

/// `slot/remove`, and what else takes keys away with it.
extension Operations {
  /// With the member `plan` nothing is changed: what would be left and lost is the answer, and takes no proof.
  func removeSlot(_ request: SlotRemove.Request, _ call: OperationCall) throws -> SlotRemove.Response {
    let id = try Self.slotID(request.id)
    if !request.isPlan { try core.sessionLock.verify(call.proof()) }
    let slot = try slot(id)
    let loss = try SlotLoss(of: core.vault.classesLost(byRemoving: slot.id), in: core)
    let left = try waysIn().filter { $0.id != slot.id }
    if slot.type != .keyring, !left.contains(where: \.isLasting) { try checkNothingUnconfirmedIsLeft(without: slot) }
    var response = SlotRemove.Response()
    if request.isPlan {
      response.plan = Self.plan(slot, left, loss)
      return response
    }
    try loss.checkAccepted(request.isLossAccepted, by: "Removing slot \(slot.id)")
    try core.outbox.recording(.event(.slotRemoved, rule: AuditRule(clipping: slot.type.name))) {
      try core.vault.removeSlot(slot.id, acceptingLoss: !loss.isEmpty, now: Clock.milliseconds)
    }
    try takeAway(loss.identities)
    if slot.type == .recovery { try forgetKits(of: slot.id) }
    var done = SlotRemovalResult()
    (done.removed, done.remark) = (Int64(slot.id), SlotDevices.forget(slot, request.credential))
    (done.warnings, done.lost) = (WaysLeft(left).warnings, loss.identities.map(\.name))
    response.done = done
    return response
  }

  private static func plan(_ slot: SlotInfo, _ left: [SlotInfo], _ loss: SlotLoss) -> SlotRemovalPlan {
    var plan = SlotRemovalPlan()
    (plan.slot, plan.left) = (Slot(slot), left.map(Slot.init))
    (plan.warnings, plan.lost, plan.loses) = (WaysLeft(left).warnings, loss.told, loss.words)
    return plan
  }

  /// - Throws: when the vault would be left with kits whose pages nobody confirmed; what else may not be left, the vault itself says.
  private func checkNothingUnconfirmedIsLeft(without slot: SlotInfo) throws {
    let rest = try core.vault.slots.filter { $0.id != slot.id }
    guard rest.contains(where: { $0.type == .recovery }) else { return }
    throw OperationError.failed(
      "What would be left is a recovery kit whose pages nobody confirmed: it may be that nobody has them.",
      hint: "If you have its pages, show that they work: holdfast recovery test. If not, end it: holdfast recovery remove")
  }

  /// The note of a kit whose slot is gone would tell of a way back that there is not, and later mean another slot of that number.
  private func forgetKits(of slot: UInt32) throws {
    let gone = try notedKits().filter { $0.content == .slot(slot) }
    try core.vault.transaction(gone.map { .delete(kind: .recoveryKit, id: $0.recordID) })
  }

  // MARK: identities whose keys are gone

  /// Takes away identities whose key nobody can open any more, so that none is listed that is no key.
  func takeAway(_ identities: [Identity]) throws {
    guard !identities.isEmpty else { return }
    for identity in identities { _ = try takeAway(identity) }
    try afterTakingAway()
  }

  /// The same for those whose key is not in the vault any more.
  /// - Returns: them.
  func takeAwayKeyless() throws -> [Identity] {
    let keyless = try core.identities.all.filter {
      try core.vault.protection(of: .identityKey, id: $0.publicKey.bytes.array) == nil
    }
    try takeAway(keyless)
    return keyless
  }
}
