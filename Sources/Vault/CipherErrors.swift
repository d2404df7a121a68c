internal import Ciphers
internal import SecretMemory

/// Runs code that throws the errors of the modules below, and throws this module's.
/// - Parameter otherwise: what any fault but exhausted memory means here.
func vaultFault<Result: ~Copyable>(
  _ otherwise: VaultError, _ body: () throws -> Result
) throws(VaultError) -> Result {
  do { return try body() } catch let error as VaultError {
    throw error
  } catch let error as CipherError {
    throw error == .outOfMemory ? .outOfMemory : otherwise
  } catch is SecretBytesError<Never> {
    throw .outOfMemory
  } catch { throw otherwise }
}
