import AuditLog
import Curve
import Encodings
import Identities
import JSON
import OwnerAPI
import OwnerWords
import Signer
import Vault

extension Operations {
  /// Moves an identity's key to another class, and the words it came from, unless another identity of those words would lose
  /// them.
  func setIdentityClass(_ request: IdentityClass.Request, _ call: OperationCall) throws -> IdentitySummary {
    let identity = try identity(named: request.identity.name)
    let protection = ProtectionClass(request.protection)
    guard !home.isTrial else { throw OperationError.trialHasNoPassphrase }
    if home.sessionLock.isLocked { throw OperationError.unlockFirst }
    let held = try presence(call, isNeededFor: [identity.protection, protection])
    if held == nil { try prove(call) }
    let rule = AuditRule(clipping: "class \(protection.name)")
    let changed = try home.outbox.recording(.event(.identityChanged, identity: identity.publicKey, rule: rule)) {
      try home.identities.reclass(identity.publicKey, to: protection, by: held)
    }
    try home.loadIdentities()
    home.signerEvents.tell(.identitiesChanged)
    return describe(changed)
  }

  /// The class of the identity's key, and the class of its words, which may be another one.
  func classes(of identity: Identity) throws -> [ProtectionClass] {
    guard let words = identity.words else { return [identity.protection] }
    let found = try home.vault.protection(of: .identityWords, id: words.array)
    return [identity.protection] + (found.map { [$0] } ?? [])
  }
}
