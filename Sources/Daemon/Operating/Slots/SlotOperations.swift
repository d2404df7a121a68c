internal import JSON

/// The ways to open the vault.
extension Operations {
  func slotOperation(_ given: Parameters, _ operation: String) throws(OperationFailure) -> JSONValue {
    switch operation {
    case "slot/list": return try listSlots()
    case "slot/passkey-add": return try addPasskeySlot(given)
    default: throw .noSuchOperation
    }
  }
}
