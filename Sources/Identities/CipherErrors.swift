import Ciphers
import SecretMemory

/// Runs code that throws the errors of the modules below, and throws this module's.
/// - Parameter otherwise: what any error but exhausted memory means here.
func keyStep<Result: ~Copyable>(
  _ otherwise: IdentityError, _ body: () throws -> Result
) throws(IdentityError) -> Result {
  do { return try body() } catch let error as IdentityError {
    throw error
  } catch let error as CipherError {
    throw error == .outOfMemory ? .outOfMemory : otherwise
  } catch is SecretBytesError<Never> {
    throw .outOfMemory
  } catch { throw otherwise }
}
