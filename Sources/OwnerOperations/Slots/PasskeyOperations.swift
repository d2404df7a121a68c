internal import AuditLog
internal import Encodings
internal import Identities
internal import JSON
internal import OwnerAPI
internal import Platform
internal import SecretMemory
internal import Signer
internal import Vault

/// Passkeys that open the vault. Their signed answers were checked by the console; here only the PRF's output counts.
extension Operations {
  /// Makes a slot for a passkey: `passkey` and `salt` in base64url, `party`, `label`; the secret `new_prf`, and evidence of another
  /// way to unlock.
  func addPasskeySlot(_ given: Parameters) throws -> JSONValue {
    guard !core.isTrial else { throw OperationError.trialHasNoPassphrase }
    guard let output = given.secret("new_prf") else { throw OperationError.usage("What the passkey gave is missing.") }
    let party = try given.text("party")
    let label = try given.text("label")
    let parameters = PasskeyParameters(
      input: try given.bytes("salt"), credential: try given.bytes("passkey"), note: Array(party.utf8))
    let opener = try given.proof()
    let loss = try SlotLoss(of: core.vault.classesLostByAPasskey, in: core)
    try loss.checkAccepted(given, by: "A further passkey")
    let id = try shownStep(opener, saying: .event(.slotAdded, rule: "passkey")) { () throws(KeyStoreError) in
      let enrolment = try SlotEnrolment.passkey(parameters, output: output)
      return try core.vault.addSlot(
        enrolment, label: label, provenBy: opener, acceptingLoss: !loss.isEmpty, now: Clock.milliseconds)
    }
    try takeAway(loss.identities)
    core.signerEvents.tell(.statusChanged)
    core.fingers.follow()
    return ["slot": ["id": .integer(Int64(id)), "type": "passkey", "label": .string(label)]]
  }

  /// In the log, for programs.
  private static let nextInput: AuditRule = "passkey-next-input"

  /// After a passkey unlocked: puts its slot under the next input, when the passkey gave the output for that, too.
  /// - Returns: whether that was asked for and done. Not to do it leaves the slot as it is, which is worth no failure.
  func rotatePasskeySlot(_ given: Parameters) throws -> Bool {
    guard given["next_salt"] != nil, let now = given.secret("prf"), let next = given.secret("prf_next") else { return false }
    let credential = try given.bytes("credential")
    let salt = try given.bytes("next_salt")
    let old = try core.vault.slots.compactMap { PasskeyParameters($0.parameters) }
      .first { $0.credential == credential }
    guard let old else { return false }
    let slotTested = AuditEntry.event(.slotTested, rule: "passkey", code: Self.nextInput)
    let isDone: Void? = try? core.outbox.recording(slotTested) {
      let enrolment = try SlotEnrolment.passkey(
        PasskeyParameters(input: salt, credential: credential, note: old.note), output: next)
      try core.vault.replaceSlot(
        shown: PasskeyOpener(credential: credential, output: now), with: enrolment, now: Clock.milliseconds)
    }
    return isDone != nil
  }
}
