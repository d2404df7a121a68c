internal import AuditLog
internal import Ciphers
internal import JSON
internal import OwnerAPI
internal import Platform
internal import SecretMemory
internal import Signer
internal import Vault

/// The ways to open the vault.
extension Operations {
  func slotOperation(_ given: Parameters, _ operation: String) throws -> JSONValue {
    switch operation {
    case "slot/list": return try listSlots()
    case "slot/passkey-add": return try addPasskeySlot(given)
    case "slot/add": return try addSlot(given)
    case "slot/remove": return try removeSlot(given)
    case "slot/test": return try testSlot(given)
    default: return try changeOfSlots(given, operation)
    }
  }

  private func addSlot(_ given: Parameters) throws -> JSONValue {
    guard !core.isTrial else { throw OperationError.trialHasNoPassphrase }
    let label = try given.optionalText("label") ?? ""
    // Checked first: the part on a token would be made for nothing.
    let proof = try given.proof()
    try core.sessionLock.verify(proof)
    let enrolment = try enrolment(given, label: label)
    let made = SlotDescription(id: 0, type: enrolment.type, parameters: enrolment.parameters)
    var fresh: SlotEnrolment? = enrolment  // a closure cannot consume it, but take it
    do {
      let entry = AuditEntry.event(.slotAdded, rule: AuditRule(clipping: made.type.name))
      let id = try shownStep(proof, saying: entry) { () throws(KeyStoreError) in
        guard let enrolment = fresh.take() else { throw KeyStoreError.vault(.closed) }  // there is one: it was made just now
        return try core.vault.addSlot(enrolment, label: label, provenBy: proof, now: Clock.milliseconds)
      }
      return ["slot": Self.describe(try slot(id))]
    } catch {
      SlotDevices.abandon(made, given)
      throw error
    }
  }

  private func enrolment(_ given: Parameters, label: String) throws -> SlotEnrolment {
    switch try given.text("type") {
    case SlotType.token.name:
      guard given.secret("new_pin") != nil else {
        throw OperationError.usage("The new token's PIN is missing.", hint: "Give it with --new-pin-file FILE.")
      }
      return try SlotDevices.enrolment(.token, given, label: label)
    case SlotType.keyring.name: return try SlotDevices.enrolment(.keyring, given, label: label)
    case SlotType.passphrase.name:
      guard let new = given.secret("new_passphrase") else { throw OperationError.usage("The new passphrase is missing.") }
      do {
        return try SlotEnrolment.passphrase(new.duplicate(), cost: Argon2Calibration.cost())
      } catch { throw OperationError(VaultError.outOfMemory) }
    default: throw OperationError.usage("A slot of that type is not made here.", hint: "Types: passphrase, token, keyring.")
    }
  }

  private func testSlot(_ given: Parameters) throws -> JSONValue {
    let wanted = try given.optionalInteger("id")
    let evidence = try given.evidence()
    let found = try shownStep(evidence) { () throws(KeyStoreError) in
      try core.vault.testSlot(with: evidence, now: Clock.milliseconds)
    }
    record(.slotTested, found.type)
    if let wanted, wanted != Int64(found.id) {
      throw OperationError.failed("This opened slot \(found.id), not slot \(wanted).", hint: "See: holdfast slot list")
    }
    return .object(
      [
        .init("id", .integer(Int64(found.id))), .init("type", .string(found.type.name)), .init("label", .string(found.label)),
        .init("opens", Self.names(found.opens)),
      ] + absences(evidence))
  }

  func slotID(_ given: Parameters) throws -> UInt32 {
    guard let id = try given.optionalInteger("id").flatMap({ UInt32(exactly: $0) }) else {
      throw OperationError.usage("“id” is missing.")
    }
    return id
  }

  func slot(_ id: UInt32) throws -> SlotInfo {
    let slots = try core.vault.slots
    guard let found = slots.first(where: { $0.id == id }) else { throw OperationError(slots: .noSuchSlot) }
    return found
  }

  func record(_ kind: AuditEntry.Kind, _ type: SlotType) {
    core.log.append(.event(kind, rule: AuditRule(clipping: type.name))) { _ in }
  }
}
