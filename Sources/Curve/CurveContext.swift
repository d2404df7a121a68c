import CSecp256k1
import SecretMemory

/// One `secp256k1_context`, blinded with 32 random bytes at creation and never changed after.
final class CurveContext: @unchecked Sendable {  // Sendable: libsecp256k1 allows concurrent calls that change no context
  static let shared = CurveContext()
  private let raw: OpaquePointer

  private init() {
    let seed = SystemRandom.bytes(32)
    guard let raw = secp256k1_context_create(UInt32(SECP256K1_CONTEXT_NONE)), secp256k1_context_randomize(raw, seed) == 1
    else { fatalError("libsecp256k1 has no memory for its context") }  // reason: at start-up, before any input
    self.raw = raw
  }

  deinit { secp256k1_context_destroy(raw) }

  /// The only access to the pointer, which must not escape `body`.
  func withPointer<R>(_ body: (OpaquePointer) -> R) -> R { withExtendedLifetime(self) { body(raw) } }
}

/// What can be wrong with a key, point or signature. No case carries the bytes.
public enum CurveError: Error, Equatable, Sendable {
  case outOfMemory
  /// A secret key is not 32 bytes.
  case secretKeyLength(Int)
  /// A secret key is zero or not below the group order.
  case secretKeyOutOfRange
  /// A public key is not a point of the curve.
  case notOnCurve
  /// A tweak leads to zero or to the point at infinity.
  case tweakOutOfRange
  /// A signature's numbers are out of range, or its recovery id is not 0 to 3.
  case malformedSignature
  /// Signing failed inside the library. Does not happen with a valid key.
  case signingFailed
}

extension UnsafeRawBufferPointer {
  /// The address as the library wants it: never null. Not to be read when the buffer is empty.
  var start: UnsafePointer<UInt8> { baseAddress?.assumingMemoryBound(to: UInt8.self) ?? UnsafePointer(emptyByte) }
}

extension UnsafeMutableRawBufferPointer {
  /// Never null; not to be written when the buffer is empty.
  var start: UnsafeMutablePointer<UInt8> { baseAddress?.assumingMemoryBound(to: UInt8.self) ?? emptyByte }
}

private nonisolated(unsafe) let emptyByte = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)  // never read or written
