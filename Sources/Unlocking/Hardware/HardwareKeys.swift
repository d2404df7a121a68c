public import Ciphers
public import Encodings
public import Vault

/// A P-256 key that is stored in hardware and cannot be extracted.
public struct HardwareKey: Sendable, Hashable {
  /// Identifies the key: 16 random bytes, not secret.
  public let id: [UInt8]
  /// The public half.
  public let publicKey: P256.PublicKey
}

/// Keys in hardware that sign and cannot be extracted: a TPM, a smart card or an HSM here, the Secure Enclave on Apple's devices.
///
/// The curve is P-256, because that is what the hardware supports. It cannot sign for Nostr, whose curve is secp256k1. It can
/// hold keys that protect a Nostr key.
public protocol HardwareKeys: Sendable {
  /// Whether the device is present and can make and use such keys. Does not ask for a PIN.
  var isAvailable: Bool { get }

  /// Makes a key in the device.
  /// - Parameter label: for people who inspect the device; at most 64 bytes.
  /// - Throws: `.authenticationFailed`, `.biometryLockout`, `.notPresent`, `.deviceFailed`. The last also when the device would
  ///   make a key that can be extracted.
  func generateKey(label: String) throws(KeyStoreError) -> HardwareKey

  /// The public half of a key that was made here earlier.
  /// - Throws: `.itemNotFound`, and the errors of `generateKey`.
  func publicKey(of id: [UInt8]) throws(KeyStoreError) -> P256.PublicKey

  /// An ECDSA signature, verified with the public key before it is returned.
  /// - Parameter digest: a SHA-256 digest, 32 bytes.
  /// - Throws: `.itemNotFound`, `.corrupt` for a signature that is not valid, and the errors of `generateKey`.
  func sign(_ digest: Bytes32, with id: [UInt8]) throws(KeyStoreError) -> P256.Signature

  /// Deletes a key permanently. Everything that it protected is lost.
  /// - Throws: `.itemNotFound`, and the errors of `generateKey`.
  func deleteKey(_ id: [UInt8]) throws(KeyStoreError)
}
