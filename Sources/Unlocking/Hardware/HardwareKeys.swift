public import Ciphers
public import Encodings
public import Vault

/// A P-256 key that lives in a piece of hardware and cannot be taken out of it.
public struct HardwareKey: Sendable, Hashable {
  /// Finds it again: 16 random bytes, no secret.
  public let id: [UInt8]
  /// The half that may leave.
  public let publicKey: P256.PublicKey
}

/// Keys in hardware that sign and never leave it: a TPM, a smart card or an HSM here, the Secure Enclave on Apple's devices.
///
/// The curve is P-256, because that is what the hardware has: it cannot sign for Nostr, whose curve is secp256k1. It can hold what
/// protects such a key.
public protocol HardwareKeys: Sendable {
  /// Whether the device is there now and can make and use such keys. Asks for no PIN.
  var isAvailable: Bool { get }

  /// Makes a key in the device.
  /// - Parameter label: for people who look into the device; at most 64 bytes.
  /// - Throws: `.authenticationFailed`, `.biometryLockout`, `.notPresent`, `.deviceFailed` also when the device would have made a
  ///   key that can be taken out.
  func generateKey(label: String) throws(KeyStoreError) -> HardwareKey

  /// The public half of a key that was made here before.
  /// - Throws: `.itemNotFound` and as `generateKey`.
  func publicKey(of id: [UInt8]) throws(KeyStoreError) -> P256.PublicKey

  /// An ECDSA signature, checked with the public key before it is given out.
  /// - Parameter digest: of SHA-256, 32 bytes.
  /// - Throws: `.itemNotFound`, `.corrupt` for a signature that does not hold, and as `generateKey`.
  func sign(_ digest: Bytes32, with id: [UInt8]) throws(KeyStoreError) -> P256.Signature

  /// Deletes a key for good. What it protected is lost.
  /// - Throws: `.itemNotFound` and as `generateKey`.
  func deleteKey(_ id: [UInt8]) throws(KeyStoreError)
}
