import AuditLog
import Ciphers
package import OwnerAPI
import OwnerWords
import Platform
import SecretMemory
import Signer
import Vault

/// The vault's slots.
extension Operations {
  static let slotHandlers: [OperationHandler] = [
    .init(SlotList.self) { operations, _, _ in try operations.listSlots() },
    .init(SlotAdd.self) { try $0.addSlot($1, $2) },
    .init(SlotPasskeyAdd.self) { try $0.addPasskeySlot($1, $2) },
    .init(SlotTest.self) { try $0.testSlot($1, $2) },
    .init(SlotRemove.self) { try $0.removeSlot($1, $2) },
    .init(SlotRename.self) { operations, request, _ in try operations.renameSlot(request) },
    .init(SlotPassphraseChange.self) { try $0.changePassphrase($1, $2) },
    .init(SlotRotate.self) { operations, _, call in try operations.rotateClassKeys(call) },
    .init(SlotEnrol.self) { try $0.enrolPasskeys($1, $2) },
    .init(SlotBind.self) { try $0.bindToThisDevice($1, $2) },
  ]

  private func addSlot(_ request: SlotAdd.Request, _ call: OperationCall) throws -> SlotAdd.Response {
    guard !home.isTrial else { throw OperationError.trialHasNoPassphrase }
    try Self.checkItem(request, call)
    let label = request.label ?? ""
    // Said before the credential is asked for: nobody types secrets for a token that is not there.
    if !call.hasProof { try SlotDevices.look(for: request) }
    // Checked first, so that no part is made on a token in vain.
    let proof = try call.proof()
    try home.sessionLock.verify(proof)
    var response = SlotAdd.Response()
    let enrolment = try Self.enrolment(request, label: label, item: &response.item)
    let made = SlotDescription(id: 0, type: enrolment.type, parameters: enrolment.parameters)
    var fresh: SlotEnrolment? = enrolment  // a closure cannot consume it, but take it
    do {
      let entry = AuditEntry.event(.slotAdded, rule: AuditRule(clipping: made.type.name))
      let id = try shownStep(proof, saying: entry) { () throws(KeyStoreError) in
        guard let enrolment = fresh.take() else { throw KeyStoreError.vault(.closed) }  // there is one: it was made just now
        return try home.vault.addSlot(enrolment, label: label, provenBy: proof, now: Clock.milliseconds)
      }
      response.slot = Slot(try slot(id))
      return response
    } catch {
      SlotDevices.abandon(made, request)
      throw error
    }
  }

  private static func checkItem(_ request: SlotAdd.Request, _ call: OperationCall) throws(OperationError) {
    guard request.givesItem == true else { return }
    guard call.channel != .console else { throw .itemFromAfar }
    guard request.kind == .keyring, request.pamService == nil else { throw .itemOfAnother }
  }

  /// - Parameter item: gets the item in base64, if it was asked for.
  private static func enrolment(_ request: SlotAdd.Request, label: String, item: inout SecretBox?) throws -> SlotEnrolment {
    switch request.kind {
    case .token:
      guard request.newPIN != nil else {
        throw OperationError.usage("The new token's PIN is missing.", hint: "Give it with --new-pin-file FILE.")
      }
      return try SlotDevices.enrolment(.token, request, label: label)
    case .keyring where request.givesItem == true: return try SlotDevices.enrolment(givingItem: &item)
    case .keyring: return try SlotDevices.enrolment(.keyring, request, label: label)
    case .passphrase:
      guard let new = request.newPassphrase else { throw OperationError.usage("The new passphrase is missing.") }
      do {
        return try SlotEnrolment.passphrase(new.duplicate(), cost: Argon2Calibration.cost())
      } catch { throw OperationError(VaultError.outOfMemory) }
    }
  }

  private func testSlot(_ request: SlotTest.Request, _ call: OperationCall) throws -> SlotTest.Response {
    let wanted = try request.id.natural("id")
    let credential = try call.credential()
    let found = try shownStep(credential) { () throws(KeyStoreError) in
      try home.vault.testSlot(with: credential, now: Clock.milliseconds)
    }
    record(.slotTested, found.type)
    if let wanted, wanted != Int64(found.id) {
      throw OperationError.failed("This opened slot \(found.id), not slot \(wanted).", hint: "See: holdfast slot list")
    }
    var response = SlotTest.Response()
    response.slot = SlotSummary(found)
    (response.opens, response.absent) = (found.opens.map(KeyProtection.init), absences(credential))
    return response
  }

  static func slotID(_ id: Int64) throws(FieldError) -> UInt32 {
    guard let id = UInt32(exactly: id) else { throw .notInteger("id") }
    return id
  }

  func slot(_ id: UInt32) throws -> SlotInfo {
    let slots = try home.vault.slots
    guard let found = slots.first(where: { $0.id == id }) else { throw OperationError(slots: .noSuchSlot) }
    return found
  }

  func record(_ kind: AuditEntry.Kind, _ type: SlotType) {
    home.log.append(.event(kind, rule: AuditRule(clipping: type.name))) { _ in }
  }
}

extension OperationError {
  static let itemFromAfar = usage(
    "A browser cannot get the secret of a keyring slot.", hint: "On the signer's machine: holdfast slot add keyring --out FILE"
  )
  package static let itemOfAnother = usage(
    "--out works only for a keyring slot, and not with --gate.", hint: "Use the type keyring, and leave out --gate.")
}
