import Ciphers

extension VaultError: MemoryError {}

/// As `converting`, for the errors of this module.
/// - Parameter otherwise: what any fault but exhausted memory means here.
func vaultFault<Result: ~Copyable>(_ otherwise: VaultError, _ body: () throws -> Result) throws(VaultError) -> Result {
  try converting(otherwise, body)
}
