import AuditLog
import Curve
import Identities
import JSON
import OwnerAPI
import OwnerWords
import Platform
import SecretMemory
import Signer
import Vault

extension Operations {
  /// Stores a key that a search found. Without a key it only says whether one would be stored.
  func keepFoundKey(_ request: IdentityVanity.Request) throws -> IdentityVanity.Response {
    try home.identities.check(newName: request.name)
    if home.sessionLock.isLocked { throw OperationError.unlockFirst }
    var response = IdentityVanity.Response()
    guard let secret = request.key else {
      response.isReady = true
      return response
    }
    response.identity = try added(.identityCreated) {
      try home.identities.keep(found: secret.duplicate(), name: request.name, now: Clock.milliseconds)
    }
    return response
  }
}
