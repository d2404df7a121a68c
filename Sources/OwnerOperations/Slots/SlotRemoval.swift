import AuditLog
import Curve
import Encodings
import Identities
import JSON
import OwnerAPI
import Platform
import Signer
import Vault

/// `slot/remove`, and other changes that remove keys.
extension Operations {
  /// With the member `plan` nothing is changed and no credential is needed. The response says what would be left and lost.
  func removeSlot(_ request: SlotRemove.Request, _ call: OperationCall) throws -> SlotRemove.Response {
    let id = try Self.slotID(request.id)
    try prove(call, orPlan: request.isPlan, with: request.credential)
    let slot = try slot(id)
    let loss = try SlotLoss(of: home.vault.classesLost(byRemoving: slot.id), in: home)
    let left = try waysIn().filter { $0.id != slot.id }
    if slot.type != .keyring, !left.contains(where: \.isLasting) { try checkNothingUnconfirmedIsLeft(without: slot) }
    var response = SlotRemove.Response()
    if request.isPlan {
      response.plan = Self.plan(slot, left, loss)
      return response
    }
    try loss.checkAccepted(request.isLossAccepted, by: "Removing slot \(slot.id)")
    try home.outbox.recording(.event(.slotRemoved, rule: AuditRule(clipping: slot.type.name))) {
      try home.vault.removeSlot(slot.id, acceptingLoss: !loss.isEmpty, now: Clock.milliseconds)
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

  /// - Throws: if the vault would be left with kits whose pages nobody confirmed. The vault itself refuses other such cases.
  private func checkNothingUnconfirmedIsLeft(without slot: SlotInfo) throws {
    let rest = try home.vault.slots.filter { $0.id != slot.id }
    guard rest.contains(where: { $0.type == .recovery }) else { return }
    throw OperationError.failed(
      "Only a recovery kit would be left, and nobody confirmed that its sheets exist.",
      hint: "If you have its sheets, test them: holdfast recovery test. If not, end the kit: holdfast recovery remove")
  }

  /// Removes stored kits whose slot is gone. Otherwise they would promise a restore that is not possible, and later mean another
  /// slot with the same number.
  private func forgetKits(of slot: UInt32) throws {
    let gone = try notedKits().filter { $0.content == .slot(slot) }
    try home.vault.transaction(gone.map { .delete(kind: .recoveryKit, id: $0.recordID) })
  }

  // MARK: identities whose keys are gone

  /// Removes identities whose key nobody can open any more, so that none is listed without a key.
  func takeAway(_ identities: [Identity]) throws {
    guard !identities.isEmpty else { return }
    for identity in identities { _ = try takeAway(identity) }
    try afterTakingAway()
  }

  /// Removes identities whose key is no longer in the vault.
  /// - Returns: the removed identities.
  func takeAwayKeyless() throws -> [Identity] {
    let keyless = try home.identities.all.filter {
      try home.vault.protection(of: .identityKey, id: $0.publicKey.bytes.array) == nil
    }
    try takeAway(keyless)
    return keyless
  }
}
