internal import AuditLog
internal import Curve
internal import Encodings
internal import Identities
internal import JSON
internal import OwnerAPI
internal import Platform
internal import Signer
internal import Vault

/// `slot/remove`, and what else takes keys away with it.
extension Operations {
  /// With the member `plan` nothing is changed: what would be left and lost is the answer, and takes no proof.
  func removeSlot(_ given: Parameters) throws -> JSONValue {
    let isPlan = given["plan"]?.bool == true
    let id = try slotID(given)
    if !isPlan { try core.sessionLock.verify(given.proof()) }
    let slot = try slot(id)
    let loss = try SlotLoss(of: core.vault.classesLost(byRemoving: slot.id), in: core)
    let left = try waysIn().filter { $0.id != slot.id }
    if slot.type != .keyring, !left.contains(where: \.isLasting) { try checkNothingUnconfirmedIsLeft(without: slot) }
    if isPlan {
      return [
        "slot": Self.describe(slot), "left": .array(left.map { Self.describe($0) }),
        "warnings": .array(WaysLeft(left).warnings.map { .string($0) }), "lost": loss.json,
        "loses": loss.isEmpty ? .null : .string(loss.sentence),
      ]
    }
    try loss.checkAccepted(given, by: "Removing slot \(slot.id)")
    try core.outbox.recording(.event(.slotRemoved, rule: AuditRule(clipping: slot.type.name))) {
      try core.vault.removeSlot(slot.id, acceptingLoss: !loss.isEmpty, now: Clock.milliseconds)
    }
    try takeAway(loss.identities)
    if slot.type == .recovery { try forgetKits(of: slot.id) }
    let remark = SlotDevices.forget(slot, given)
    return [
      "removed": .integer(Int64(slot.id)), "remark": remark.map { .string($0) } ?? .null,
      "warnings": .array(WaysLeft(left).warnings.map { .string($0) }), "lost": Self.names(of: loss.identities),
    ]
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

  static func names(of identities: [Identity]) -> JSONValue { .array(identities.map { .string($0.name) }) }
}
