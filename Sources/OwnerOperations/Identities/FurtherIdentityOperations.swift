internal import AuditLog
internal import Curve
internal import Identities
internal import JSON
internal import OwnerAPI
internal import Signer
internal import Vault

/// What an identity can do beyond create, import, list, show, rename and delete.
extension Operations {
  func furtherIdentityOperation(_ given: Parameters, _ operation: String) throws -> JSONValue {
    switch operation {
    case "identity/vanity": return try keepFoundKey(given)
    case "identity/set": return try setIdentity(given)
    case "identity/derive": return try deriveIdentity(given)
    case "identity/accounts": return try scanAccounts(given)
    case "identity/class": return try setIdentityClass(given)
    case "identity/receipt": return try identityReceipt(given)
    case "identity/rotate": return try rotateIdentity(given)
    case "identity/rotation": return try listRotations(given)
    case "identity/succession": return try prepareSuccession(given)
    case "identity/reset-event": return try resetEvent(given)
    default: throw OperationError.noSuchOperation
    }
  }

  /// Colour, emoji, relays, notes: what is given is set, what is not stays.
  func setIdentity(_ given: Parameters) throws -> JSONValue {
    let identity = try identity(named: given.text("name"))
    let details = try given.details(over: identity.details)
    guard details != identity.details else { return describe(identity) }
    let changed = try core.outbox.recording(.event(.identityChanged, identity: identity.publicKey, rule: "details")) {
      try core.identities.set(details, of: identity.publicKey)
    }
    core.signerEvents.tell(.identitiesChanged)
    return describe(changed)
  }
}

extension OperationError {
  static func noWords(_ name: String) -> OperationError {
    .failed(
      "The key of “\(name)” did not come from words, so it has no further accounts.",
      hint: "Make one that does: holdfast identity create NAME")
  }
}
