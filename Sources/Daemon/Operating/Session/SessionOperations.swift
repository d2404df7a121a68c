internal import JSON

/// When the session locks by itself.
extension Operations {
  func sessionOperation(_ given: Parameters, _ operation: String) throws(OperationFailure) -> JSONValue {
    switch operation {
    default: throw .noSuchOperation
    }
  }
}
