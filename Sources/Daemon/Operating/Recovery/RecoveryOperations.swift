internal import JSON

/// Recovery kits.
extension Operations {
  func recoveryOperation(_ given: Parameters, _ operation: String) throws(OperationFailure) -> JSONValue {
    switch operation {
    default: throw .noSuchOperation
    }
  }
}
