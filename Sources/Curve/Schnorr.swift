import CSecp256k1
public import Encodings

/// Verification of BIP-340 signatures. Signing is a matter of `KeyPair`.
public enum Schnorr {
  /// Costs about 52 µs. False for a key that is not a point of the curve.
  public static func isValid(_ signature: Signature, of digest32: Bytes32, by key: PublicKey) -> Bool {
    digest32.withUnsafeBytes { isValid(signature, ofMessage: $0, by: key) }
  }

  /// As above, for a message of any length.
  public static func isValid(_ signature: Signature, ofMessage message: UnsafeRawBufferPointer, by key: PublicKey) -> Bool {
    #if HOLDFAST_FUZZING
      return FuzzStandIn.isOnCurve(key) && signature == FuzzStandIn.signature(ofMessage: message, by: key)
    #else
      guard var point = key.parsed() else { return false }
      return signature.withUnsafeBytes { bytes in
        CurveContext.shared.withPointer {
          secp256k1_schnorrsig_verify($0, bytes.start, message.start, message.count, &point) == 1
        }
      }
    #endif
  }
}
