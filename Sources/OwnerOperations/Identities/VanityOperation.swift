internal import AuditLog
internal import Curve
internal import Identities
internal import JSON
internal import OwnerAPI
internal import Platform
internal import SecretMemory
internal import Signer
internal import Vault

extension Operations {
  /// Keeps a key that a search found: the secret `key`, 32 bytes. Without one it only says whether it would be kept.
  func keepFoundKey(_ given: Parameters) throws -> JSONValue {
    let name = try given.text("name")
    try core.identities.check(newName: name)
    if core.sessionLock.isLocked { throw OperationError.unlockFirst }
    guard let secret = given.secret("key") else { return ["ready": true] }
    return try added(.identityCreated) {
      try core.identities.keep(found: secret.duplicate(), name: name, now: Clock.milliseconds)
    }
  }
}
