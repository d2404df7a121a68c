internal import JSON

/// Shares with guardians, and those held here for others.
extension Operations {
  func guardianOperation(_ given: Parameters, _ operation: String) throws(OperationFailure) -> JSONValue {
    switch operation {
    default: throw .noSuchOperation
    }
  }
}
