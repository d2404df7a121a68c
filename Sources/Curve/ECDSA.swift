import CSecp256k1
public import Encodings

/// ECDSA over secp256k1 with nonces after RFC 6979 and low s, as Bitcoin and Ethereum use it.
public enum ECDSA {
  /// A deterministic signature over a 32-byte digest, compact form.
  public static func sign(_ digest32: Bytes32, with key: borrowing SecretKey) throws(CurveError) -> Signature {
    var raw = secp256k1_ecdsa_signature()
    let status = key.withBytes { secret in
      digest32.withUnsafeBytes { digest in
        CurveContext.shared.withPointer { secp256k1_ecdsa_sign($0, &raw, digest.start, secret.start, nil, nil) }
      }
    }
    guard status == 1 else { throw .signingFailed }
    return compact(raw)
  }

  /// As `sign`, with the recovery id 0 to 3 that finds the public key from the signature.
  public static func signRecoverable(
    _ digest32: Bytes32, with key: borrowing SecretKey
  ) throws(CurveError) -> (signature: Signature, recoveryID: Int) {
    var (raw, recoveryID) = (secp256k1_ecdsa_recoverable_signature(), Int32(0))
    let status = key.withBytes { secret in
      digest32.withUnsafeBytes { digest in
        CurveContext.shared.withPointer { secp256k1_ecdsa_sign_recoverable($0, &raw, digest.start, secret.start, nil, nil) }
      }
    }
    guard status == 1 else { throw .signingFailed }
    let signature = Signature { target in
      _ = CurveContext.shared.withPointer {
        secp256k1_ecdsa_recoverable_signature_serialize_compact($0, target, &recoveryID, &raw)
      }
    }
    return (signature, Int(recoveryID))
  }

  /// - Parameter signature: compact. A high s is refused, as Bitcoin's relay rules do.
  public static func isValid(_ signature: Signature, of digest32: Bytes32, by key: CompressedPublicKey) -> Bool {
    guard var raw = parsed(signature) else { return false }
    return isValid(&raw, digest32, key)
  }

  /// - Parameters:
  ///   - der: strict DER (BIP-66), at most 72 bytes.
  ///   - acceptingHighS: false for Bitcoin's low-s rule.
  public static func isValid(
    der: [UInt8], of digest32: Bytes32, by key: CompressedPublicKey, acceptingHighS: Bool = false
  ) -> Bool {
    var raw = secp256k1_ecdsa_signature()
    let status = CurveContext.shared.withPointer { secp256k1_ecdsa_signature_parse_der($0, &raw, der, der.count) }
    guard status == 1 else { return false }
    if acceptingHighS {
      var copy = raw
      _ = CurveContext.shared.withPointer { secp256k1_ecdsa_signature_normalize($0, &raw, &copy) }
    }
    return isValid(&raw, digest32, key)
  }

  /// The one public key that made the signature.
  /// - Parameter recoveryID: 0 to 3.
  public static func recover(
    _ signature: Signature, recoveryID: Int, of digest32: Bytes32
  ) throws(CurveError) -> CompressedPublicKey {
    guard (0...3).contains(recoveryID) else { throw .malformedSignature }
    var (raw, key) = (secp256k1_ecdsa_recoverable_signature(), secp256k1_pubkey())
    let status = CurveContext.shared.withPointer { context in
      signature.withUnsafeBytes { bytes in
        digest32.withUnsafeBytes { digest -> Int32 in
          guard secp256k1_ecdsa_recoverable_signature_parse_compact(context, &raw, bytes.start, Int32(recoveryID)) == 1
          else { return 0 }
          return secp256k1_ecdsa_recover(context, &key, &raw, digest.start)
        }
      }
    }
    guard status == 1 else { throw .malformedSignature }
    return CompressedPublicKey(key)
  }

  /// The same signature with the lower of its two possible s values.
  public static func normalized(_ signature: Signature) -> Signature? {
    guard var raw = parsed(signature) else { return nil }
    var copy = raw
    _ = CurveContext.shared.withPointer { secp256k1_ecdsa_signature_normalize($0, &raw, &copy) }
    return compact(raw)
  }

  private static func isValid(
    _ raw: inout secp256k1_ecdsa_signature, _ digest32: Bytes32, _ key: CompressedPublicKey
  ) -> Bool {
    guard var point = key.parsed() else { return false }
    return digest32.withUnsafeBytes { digest in
      CurveContext.shared.withPointer { secp256k1_ecdsa_verify($0, &raw, digest.start, &point) == 1 }
    }
  }

  private static func parsed(_ signature: Signature) -> secp256k1_ecdsa_signature? {
    var raw = secp256k1_ecdsa_signature()
    let status = signature.withUnsafeBytes { bytes in
      CurveContext.shared.withPointer { secp256k1_ecdsa_signature_parse_compact($0, &raw, bytes.start) }
    }
    return status == 1 ? raw : nil
  }

  private static func compact(_ raw: secp256k1_ecdsa_signature) -> Signature {
    var raw = raw
    return Signature { target in
      _ = CurveContext.shared.withPointer { secp256k1_ecdsa_signature_serialize_compact($0, target, &raw) }
    }
  }
}
