import SecretMemory

/// The error of a module above, which can say that no guarded memory is left.
package protocol MemoryError: Error {
  static var outOfMemory: Self { get }
}

/// Runs code that throws the errors of this module and of SecretMemory, and throws the error of the module above.
/// - Parameter otherwise: what any error but exhausted memory means there.
package func converting<Failure: MemoryError, Result: ~Copyable>(
  _ otherwise: Failure, _ body: () throws -> Result
) throws(Failure) -> Result {
  do { return try body() } catch let error as Failure {
    throw error
  } catch let error as CipherError {
    throw error == .outOfMemory ? .outOfMemory : otherwise
  } catch is SecretBytesError<Never> {
    throw .outOfMemory
  } catch { throw otherwise }
}
