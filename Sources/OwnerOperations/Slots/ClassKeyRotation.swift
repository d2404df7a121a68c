import AuditLog
import OwnerAPI
import OwnerWords
import Platform
import Signer
import Vault

/// `slot/rotate`: new class keys.
extension Operations {
  /// Makes new class keys and seals every record again. A class that needs presence gets a new key only if a shown credential
  /// opens it, so a passphrase and a passkey together change them all.
  func rotateClassKeys(_ call: OperationCall) throws -> SlotRotate.Response {
    guard !home.isTrial else { throw OperationError.trialHasNoPassphrase }
    let proofs = try call.proofs()
    // Each credential is checked separately first: the error says which one was wrong, and nothing was changed then.
    if proofs.count > 1 { for proof in proofs { try home.sessionLock.verify(proof) } }
    let done = try shownStep(proofs[0], saying: .event(.classKeysRotated)) { () throws(KeyStoreError) in  // never empty
      try home.vault.rotateClassKeys(provenBy: proofs, now: Clock.milliseconds)
    }
    var response = SlotRotate.Response()
    (response.rotated, response.kept) = (done.rotated.map(KeyProtection.init), done.kept.map(KeyProtection.init))
    response.shown = proofs.map { SlotKind($0.type) }
    response.reasons = try done.kept.map { protection in try keptReason(protection) }
    return response
  }

  /// Why a class keeps its old key, and what would change it.
  private func keptReason(_ protection: ProtectionClass) throws -> KeptClass {
    let (slots, isElsewhere) = (try home.vault.slots, try home.vault.isOfAnotherDevice)
    let types = SlotType.allCases.filter { type in slots.contains { $0.type == type && $0.opens.contains(protection) } }
    var kept = KeptClass()
    kept.protection = KeyProtection(protection)
    kept.reason =
      if protection.isThisDeviceOnly && isElsewhere {
        "it belongs to another device: holdfast slot bind"
      } else if types.isEmpty {
        "no slot opens it now: holdfast slot enrol"
      } else {
        "nothing that you gave opens it: \(types.map(\.words).joined(separator: ", "))"
      }
    kept.opens = types.map(SlotKind.init)
    return kept
  }
}

extension SlotType {
  /// Its name for people.
  var words: String {
    switch self {
    case .passphrase: "a passphrase"
    case .recovery: "a recovery kit"
    case .passkey: "a passkey (in the console)"
    case .token: "a token"
    case .keyring: "the keyring"
    }
  }
}
