import Ciphers

extension IdentityError: MemoryError {}

/// As `converting`, for the errors of this module.
/// - Parameter otherwise: what any error but exhausted memory means here.
func keyStep<Result: ~Copyable>(_ otherwise: IdentityError, _ body: () throws -> Result) throws(IdentityError) -> Result {
  try converting(otherwise, body)
}
