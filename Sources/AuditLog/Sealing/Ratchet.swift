import Ciphers
import Encodings
import SecretMemory

/// The keys of an epoch's entries, one after the other; none leads back to one before it. Not Sendable: one thread's.
///
/// State 0 is SHA-256(seed ‖ header digest). An entry's key is SHA-256(state ‖ 1), the state after it SHA-256(state ‖ 2).
final class Ratchet {
  /// How many keys were lent or skipped.
  private(set) var step: UInt32 = 0
  private var state: SecretBytes

  /// - Parameter seed: 32 bytes.
  init(seed: borrowing SecretBytes, of header: LogHeader) throws(AuditLogError) {
    do {
      state = try SecretBytes(count: 32) { target in
        var hash = SHA256()
        seed.withBytes { hash.update($0) }
        header.digest.withUnsafeBytes { hash.update($0) }
        hash.finish(into: target)
      }
    } catch { throw .sealing }
  }

  /// Lends the next entry's key, and forgets it.
  func withNextKey<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var key = Bytes32()
    state.withBytes { state in key.withUnsafeMutableBytes { Self.derive(1, from: state, into: $0) } }
    defer { key.withUnsafeMutableBytes { wipe($0) } }
    skip()
    return try key.withUnsafeBytes(body)
  }

  /// Passes over one entry.
  func skip() {
    state.mutate { Self.derive(2, from: UnsafeRawBufferPointer($0), into: $0) }
    step += 1
  }

  private static func derive(_ number: UInt8, from state: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer) {
    var hash = SHA256()
    hash.update(state)
    withUnsafeBytes(of: number) { hash.update($0) }
    hash.finish(into: target)
  }
}
