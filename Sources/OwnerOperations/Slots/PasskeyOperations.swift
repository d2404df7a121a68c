import AuditLog
import Encodings
import Identities
import JSON
import OwnerAPI
import Platform
import SecretMemory
import Signer
import Vault

/// Passkeys that open the vault. Their signed answers were checked by the console; here only the PRF's output counts.
extension Operations {
  /// Makes a slot for a passkey. The credential is of another way to unlock.
  func addPasskeySlot(_ request: SlotPasskeyAdd.Request, _ call: OperationCall) throws -> SlotPasskeyAdd.Response {
    guard !core.isTrial else { throw OperationError.trialHasNoPassphrase }
    guard let output = request.newOutput else { throw OperationError.usage("What the passkey gave is missing.") }
    let parameters = PasskeyParameters(
      input: try Self.bytes(request.salt, "salt"), credential: try Self.bytes(request.passkey, "passkey"),
      note: Array(request.host.utf8))
    let opener = try call.proof()
    let loss = try SlotLoss(of: core.vault.classesLostByAPasskey, in: core)
    try loss.checkAccepted(request.isLossAccepted, by: "A further passkey")
    let id = try shownStep(opener, saying: .event(.slotAdded, rule: "passkey")) { () throws(KeyStoreError) in
      let enrolment = try SlotEnrolment.passkey(parameters, output: output)
      return try core.vault.addSlot(
        enrolment, label: request.label, provenBy: opener, acceptingLoss: !loss.isEmpty, now: Clock.milliseconds)
    }
    try takeAway(loss.identities)
    core.signerEvents.tell(.statusChanged)
    core.fingers.follow()
    var response = SlotPasskeyAdd.Response()
    (response.slot.id, response.slot.kind, response.slot.label) = (Int64(id), .passkey, request.label)
    return response
  }

  /// In the log, for programs.
  private static let nextInput: AuditRule = "passkey-next-input"

  /// After a passkey unlocked: puts its slot under the next input, when the passkey gave the output for that, too.
  /// - Returns: whether that was asked for and done. Not to do it leaves the slot as it is, which is worth no failure.
  func rotatePasskeySlot(_ request: SignerUnlock.Request) throws -> Bool {
    guard let nextSalt = request.nextSalt, let now = request.credential.prf, let next = request.nextOutput else { return false }
    guard let named = request.credential.credential else { throw FieldError.missing("credential") }
    let credential = try Self.bytes(named, "credential")
    let salt = try Self.bytes(nextSalt, "next_salt")
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

  private static func bytes(_ text: String, _ name: String) throws -> [UInt8] {
    guard let bytes = Base64URL.decode(text), !bytes.isEmpty else { throw OperationError.usage("“\(name)” is no base64url.") }
    return bytes
  }
}
