import AuditLog
import Curve
import Encodings
import Identities
import JSON
import OwnerAPI
import Signer
import Vault

extension Operations {
  /// Seals the key of an identity, and the words it came from where no other identity of theirs would lose by it, under another class.
  func setIdentityClass(_ request: IdentityClass.Request, _ call: OperationCall) throws -> IdentitySummary {
    let identity = try identity(named: request.identity.name)
    let protection = ProtectionClass(request.protection)
    guard !core.isTrial else { throw OperationError.trialHasNoPassphrase }
    if core.sessionLock.isLocked { throw OperationError.unlockFirst }
    let held = try presence(call, isNeededFor: [identity.protection, protection])
    if held == nil { try prove(call) }
    let rule = AuditRule(clipping: "class \(protection.name)")
    let changed = try core.outbox.recording(.event(.identityChanged, identity: identity.publicKey, rule: rule)) {
      try core.identities.reclass(identity.publicKey, to: protection, by: held)
    }
    try core.loadIdentities()
    core.signerEvents.tell(.identitiesChanged)
    return describe(changed)
  }

  /// Under what the identity's key is sealed, and under what its words are, which may be another class.
  func classes(of identity: Identity) throws -> [ProtectionClass] {
    guard let words = identity.words else { return [identity.protection] }
    let found = try core.vault.protection(of: .identityWords, id: words.array)
    return [identity.protection] + (found.map { [$0] } ?? [])
  }
}
