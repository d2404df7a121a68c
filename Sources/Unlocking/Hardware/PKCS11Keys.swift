public import Ciphers
public import Encodings
public import SecretMemory
public import Vault

/// Hardware keys on a PKCS#11 token, found through p11-kit.
///
/// Every call starts a separate process that loads the token's module, logs in, performs one action and ends. No module is ever
/// loaded into this process, and between calls there is no open session that somebody could use without the PIN. Calls run one
/// after the other. A program that uses this type must call `ModuleProcess.serveIfAsked` first.
public struct PKCS11Keys: HardwareKeys {
  /// The longest label, in bytes.
  public static let maximumLabelLength = 64
  static let idLength = 16

  private let device: TokenDevice

  /// - Parameters:
  ///   - token: the token; nil when there is only one.
  ///   - module: the path of the token's driver; nil for those in p11-kit's configuration.
  ///   - pin: as typed; nil for a token with its own keypad.
  public init(token: TokenURI? = nil, module: String? = nil, pin: SecretBox?) {
    device = TokenDevice(uri: token, module: TokenModule(named: module), pin: pin)
  }

  /// See `HardwareKeys`.
  public var isAvailable: Bool {
    let signs = try? device.look { (token, driver) throws(KeyStoreError) in try driver.can(token, .signing) }
    return signs == true
  }

  /// See `HardwareKeys`.
  public func generateKey(label: String) throws(KeyStoreError) -> HardwareKey {
    guard label.utf8.count <= Self.maximumLabelLength else { throw .corrupt("the key's label: too long") }
    let id = SystemRandom.bytes(Self.idLength)
    return try device.use { (driver, _) throws(KeyStoreError) in
      guard case .curve(let key) = try driver.generate(.signing, id: id, label: label) else {
        throw KeyStoreError.corrupt("the token's public key")
      }
      return HardwareKey(id: id, publicKey: key)
    }
  }

  /// See `HardwareKeys`.
  public func publicKey(of id: [UInt8]) throws(KeyStoreError) -> P256.PublicKey {
    try device.use { (driver, _) throws(KeyStoreError) in try Self.publicKey(id, driver) }
  }

  /// See `HardwareKeys`.
  public func sign(_ digest: Bytes32, with id: [UInt8]) throws(KeyStoreError) -> P256.Signature {
    try device.use { (driver, _) throws(KeyStoreError) in
      let key = try Self.publicKey(id, driver)
      let raw = try driver.sign(digest, with: id)
      guard let signature = try? P256.Signature(raw: raw), key.isValid(signature, of: digest) else {
        throw KeyStoreError.corrupt("the token's signature")
      }
      return signature
    }
  }

  /// See `HardwareKeys`.
  public func deleteKey(_ id: [UInt8]) throws(KeyStoreError) {
    try device.use { (driver, _) throws(KeyStoreError) in try driver.delete(id) }
  }

  private static func publicKey(_ id: [UInt8], _ driver: TokenDriver) throws(KeyStoreError) -> P256.PublicKey {
    guard case .curve(let key) = try driver.publicKey(id, .signing) else { throw .corrupt("the token's public key") }
    return key
  }
}
