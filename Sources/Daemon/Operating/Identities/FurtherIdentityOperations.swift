internal import JSON

/// What an identity can do beyond create, import, list, show, rename and delete.
extension Operations {
  func furtherIdentityOperation(_ given: Parameters, _ operation: String) throws(OperationFailure) -> JSONValue {
    switch operation {
    case "identity/vanity": return try keepFoundKey(given)
    case "identity/rotate": return try rotateIdentity(given)
    case "identity/rotation": return try listRotations(given)
    case "identity/succession": return try prepareSuccession(given)
    default: throw .noSuchOperation
    }
  }
}
