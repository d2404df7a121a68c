internal import CToken
public import Ciphers
public import Encodings
public import SecretMemory
public import Vault

/// Hardware keys on a PKCS#11 token, found through p11-kit.
///
/// Every call loads the token's module, logs in, does its one thing, logs out and lets the module go: between calls nothing is open
/// that somebody else in the process could use without the PIN. Calls wait for each other.
public struct PKCS11Keys: HardwareKeys {
  /// The longest label, in bytes.
  public static let maximumLabelLength = 64
  static let idLength = 16

  private let device: TokenDevice

  /// - Parameters:
  ///   - token: which; nil when there is only one.
  ///   - module: the path of the token's driver; nil for those in p11-kit's configuration.
  ///   - pin: as typed; nil for a token with a keypad of its own.
  public init(token: TokenURI? = nil, module: String? = nil, pin: SecretBox?) {
    device = TokenDevice(uri: token, module: module, pin: pin)
  }

  /// See `HardwareKeys`.
  public var isAvailable: Bool {
    let signs = try? device.look { (token, _) throws(KeyStoreError) in
      token.can(CK_MECHANISM_TYPE(CKM_EC_KEY_PAIR_GEN), CK_FLAGS(CKF_GENERATE_KEY_PAIR), bits: 256)
        && token.can(CK_MECHANISM_TYPE(CKM_ECDSA), CK_FLAGS(CKF_SIGN), bits: 256)
    }
    return signs == true
  }

  /// See `HardwareKeys`.
  public func generateKey(label: String) throws(KeyStoreError) -> HardwareKey {
    guard label.utf8.count <= Self.maximumLabelLength else { throw .corrupt("the key's label: too long") }
    let id = SystemRandom.bytes(Self.idLength)
    return try device.use(milliseconds: TokenDevice.makingMilliseconds) { (session) throws(KeyStoreError) in
      guard case .curve(let key) = try session.generate(.signing, id: id, label: label) else {
        throw KeyStoreError.corrupt("the token's public key")
      }
      return HardwareKey(id: id, publicKey: key)
    }
  }

  /// See `HardwareKeys`.
  public func publicKey(of id: [UInt8]) throws(KeyStoreError) -> P256.PublicKey {
    try device.use { (session) throws(KeyStoreError) in try Self.publicKey(id, session) }
  }

  /// See `HardwareKeys`.
  public func sign(_ digest: Bytes32, with id: [UInt8]) throws(KeyStoreError) -> P256.Signature {
    try device.use { (session) throws(KeyStoreError) in
      let key = try Self.publicKey(id, session)
      let raw = try session.sign(digest, with: session.privateKey(id))
      guard let signature = try? P256.Signature(raw: raw), key.isValid(signature, of: digest) else {
        throw KeyStoreError.corrupt("the token's signature")
      }
      return signature
    }
  }

  /// See `HardwareKeys`.
  public func deleteKey(_ id: [UInt8]) throws(KeyStoreError) {
    try device.use { (session) throws(KeyStoreError) in try session.delete(id) }
  }

  private static func publicKey(_ id: [UInt8], _ session: borrowing TokenSession) throws(KeyStoreError) -> P256.PublicKey {
    guard case .curve(let key) = try session.publicKey(id, .signing) else { throw .corrupt("the token's public key") }
    return key
  }
}
