import AuditLog
import Encodings
import Identities
import JSON
import OwnerAPI
import OwnerWords
import Platform
import SecretMemory
import Signer
import Vault

/// Passkeys that open the vault. The console checked their signed answers; only the PRF's output matters here.
extension Operations {
  /// Makes a slot for a passkey. The credential is that of another slot.
  func addPasskeySlot(_ request: SlotPasskeyAdd.Request, _ call: OperationCall) throws -> SlotPasskeyAdd.Response {
    guard !home.isTrial else { throw OperationError.trialHasNoPassphrase }
    guard let output = request.newOutput else { throw OperationError.usage("The passkey's output is missing.") }
    let parameters = PasskeyParameters(
      input: try Self.bytes(request.salt, "salt"), credential: try Self.bytes(request.passkey, "passkey"),
      note: Array(request.host.utf8))
    let opener = try call.proof()
    let loss = try SlotLoss(of: home.vault.classesLostByAPasskey, in: home)
    try loss.checkAccepted(request.isLossAccepted, by: "A further passkey")
    let id = try shownStep(opener, saying: .event(.slotAdded, rule: "passkey")) { () throws(KeyStoreError) in
      let enrolment = try SlotEnrolment.passkey(parameters, output: output)
      return try home.vault.addSlot(
        enrolment, label: request.label, provenBy: opener, acceptingLoss: !loss.isEmpty, now: Clock.milliseconds)
    }
    try takeAway(loss.identities)
    home.signerEvents.tell(.statusChanged)
    home.fingers.follow()
    var response = SlotPasskeyAdd.Response()
    (response.slot.id, response.slot.kind, response.slot.label) = (Int64(id), .passkey, request.label)
    return response
  }

  /// The code in the log.
  private static let nextInput: AuditRule = "passkey-next-input"

  /// After a passkey unlocked: seals its slot for the next input, if the passkey gave the output for that, too.
  /// - Returns: whether that was asked for and done. If it fails, the slot stays as it is, which is no error.
  func rotatePasskeySlot(_ request: SignerUnlock.Request) throws -> Bool {
    guard let nextSalt = request.nextSalt, let now = request.credential.prf, let next = request.nextOutput else { return false }
    guard let named = request.credential.credential else { throw FieldError.missing("credential") }
    let credential = try Self.bytes(named, "credential")
    let salt = try Self.bytes(nextSalt, "next_salt")
    let old = try home.vault.slots.compactMap { PasskeyParameters($0.parameters) }
      .first { $0.credential == credential }
    guard let old else { return false }
    let slotTested = AuditEntry.event(.slotTested, rule: "passkey", code: Self.nextInput)
    let isDone: Void? = try? home.outbox.recording(slotTested) {
      let enrolment = try SlotEnrolment.passkey(
        PasskeyParameters(input: salt, credential: credential, note: old.note), output: next)
      try home.vault.replaceSlot(
        shown: PasskeyOpener(credential: credential, output: now), with: enrolment, now: Clock.milliseconds)
    }
    return isDone != nil
  }

  private static func bytes(_ text: String, _ name: String) throws -> [UInt8] {
    guard let bytes = Base64URL.decode(text), !bytes.isEmpty else { throw OperationError.usage("“\(name)” is not base64url.") }
    return bytes
  }
}
