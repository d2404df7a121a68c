internal import JSON

/// The ways to open the vault.
extension Operations {
  func slotOperation(_ given: Parameters, _ operation: String) throws(OperationFailure) -> JSONValue {
    switch operation {
    default: throw .noSuchOperation
    }
  }
}
