internal import JSON

/// Backups.
extension Operations {
  func backupOperation(_ given: Parameters, _ operation: String) throws(OperationFailure) -> JSONValue {
    switch operation {
    default: throw .noSuchOperation
    }
  }
}
