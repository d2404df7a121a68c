import CToken
import Ciphers
public import SecretMemory
public import Vault

/// Makes a token a way to open a vault.
public enum TokenEnrolment {
  private static let rsaBits = 3072
  private static let fallbackRSABits = 2048

  /// Makes a key on the token that cannot be extracted, and a slot whose secret only that key can decrypt. It is tried once
  /// before the slot is returned, so that a slot that cannot be opened is never stored.
  ///
  /// Uses P-256 ECDH if the token supports it, otherwise RSA-OAEP with SHA-256 (a TPM through tpm2-pkcs11) with the longest key
  /// it has.
  /// - Parameters:
  ///   - token: the token; nil when there is only one.
  ///   - module: the path of its driver; nil for those in p11-kit's configuration.
  ///   - pin: as typed; nil for a token with a keypad.
  ///   - pamService: the PAM service to ask first; nil for none.
  ///   - label: the key's label, for people who inspect the token.
  /// - Throws: `.deviceFailed` also for a token that supports neither; the errors of `HardwareKeys.generateKey` and of the PAM
  ///   check.
  public static func make(
    token: TokenURI?, module: String?, pin: SecretBox?, pamService: String? = nil, label: String
  ) throws(KeyStoreError) -> SlotEnrolment {
    if let pamService, !PAMCheck.isName(pamService) { throw .corrupt("the name of the PAM service") }
    guard label.utf8.count <= PKCS11Keys.maximumLabelLength else { throw .corrupt("the label: too long") }
    let device = TokenDevice(uri: token, module: TokenModule(named: module), pin: pin)
    let (path, uri) = try device.look { (token, _) throws(KeyStoreError) in
      (module ?? token.path ?? "", try TokenURI(of: token.info))
    }
    guard path.utf8.count <= ModuleFile.maximumLength else { throw .corrupt("the module's path: too long") }
    let box = try SlotWrap.randomSecret()
    let exact = TokenDevice(uri: uri, module: TokenModule(named: module), pin: pin)
    let parameters = try exact.use { (driver, token) throws(KeyStoreError) in
      let id = SystemRandom.bytes(TokenParameters.keyIDLength)
      let (method, key) = try wrappingKey(driver, token, id, label)
      do throws(KeyStoreError) {
        let draft = TokenParameters(token: uri, module: path, pamService: pamService ?? "", keyID: id, method: method, sealed: [])
        let sealed = try SlotWrap.seal(box, key: key, domain: TokenParameters.domain, bound: draft.bound)
        let made = TokenParameters(
          token: uri, module: path, pamService: pamService ?? "", keyID: id, method: method, sealed: sealed)
        guard
          try box.withBytes({ (bytes) throws(KeyStoreError) in
            try TokenOpener.open(made, driver).withBytes { constantTimeEqual($0, bytes) }
          })
        else { throw KeyStoreError.corrupt("what the token opened") }
        return made
      } catch {
        try? driver.delete(id)
        throw error
      }
    }
    return SlotEnrolment(type: .token, parameters: parameters.bytes, secret: try SlotWrap.copy(box))
  }

  /// Looks whether the token is there, without its PIN.
  /// - Throws: `.notPresent` and what else finding it throws.
  public static func look(for token: TokenURI?, module: String?) throws(KeyStoreError) {
    try TokenDevice(uri: token, module: TokenModule(named: module), pin: nil).look { (_, _) throws(KeyStoreError) in }
  }

  /// Deletes a slot's key from its token. The rest of the slot then opens nothing.
  /// - Throws: the errors of `HardwareKeys.deleteKey`.
  public static func forget(_ slot: SlotDescription, module: String? = nil, pin: SecretBox?) throws(KeyStoreError) {
    let parameters = try TokenParameters(slot.parameters)
    let device = TokenDevice(uri: parameters.token, module: TokenOpener.module(parameters, named: module), pin: pin)
    try device.use { (driver, _) throws(KeyStoreError) in try driver.delete(parameters.keyID) }
  }

  /// A key on the token, and the data with which it returns the wrapping key.
  private static func wrappingKey(
    _ driver: TokenDriver, _ token: TokenDriver.Token, _ id: [UInt8], _ label: String
  ) throws(KeyStoreError) -> (TokenParameters.Method, SecretBox) {
    if try driver.can(token, .agreement) {
      guard case .curve(let key) = try driver.generate(.agreement, id: id, label: label) else {
        throw .corrupt("the token's public key")
      }
      do {
        let ephemeral = try P256.PrivateKey.random()
        return (.agreement(point: ephemeral.publicKey.bytes), SecretBox(try ephemeral.sharedSecret(with: key)))
      } catch { throw .vault(.outOfMemory) }
    }
    var bits: Int?
    for length in [fallbackRSABits, rsaBits] where try driver.can(token, .decryption(bits: length)) { bits = length }
    guard let bits else { throw .deviceFailed("looking for ECDH or RSA-OAEP, which the token has not", code: 0) }
    guard case .rsa(let modulus, let exponent) = try driver.generate(.decryption(bits: bits), id: id, label: label) else {
      throw .corrupt("the token's public key")
    }
    let key = try SlotWrap.randomSecret()
    do {
      let box = try key.withBytes { (bytes) throws(CipherError) in
        try RSAOAEP.encrypt(bytes, modulus: modulus, exponent: exponent)
      }
      return (.decryption(box: box), key)
    } catch { throw .corrupt("the token's public key") }
  }
}
