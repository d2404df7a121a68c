import Ciphers
import Curve

/// Why a message was not encrypted or decrypted. No case carries text or key.
public enum EncryptionError: Error, Equatable, Sendable {
  /// The peer's key is no point of the curve.
  case invalidPeer
  /// An empty payload, one that starts with `#`, or a version byte other than 2 (NIP-44).
  case unknownVersion
  /// Fewer characters than any message has.
  case payloadTooShort(Int)
  /// More characters than a plaintext of the limit can take.
  case payloadTooLong(limit: Int)
  case notBase64
  /// Altered on the way, or meant for another key.
  case notAuthentic
  /// The length written inside does not fit the length of the payload.
  case malformedPadding
  /// NIP-44 has no empty plaintext.
  case plaintextEmpty
  /// More bytes than the limit.
  case plaintextTooLong(limit: Int)
  /// NIP-04: malformed, altered or meant for another key. One case for all, so that nobody learns which.
  case undecipherable
  case outOfMemory
}

extension EncryptionError {
  init(_ error: CurveError) { self = error == .notOnCurve ? .invalidPeer : .outOfMemory }
}
