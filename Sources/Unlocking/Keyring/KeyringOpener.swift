import Ciphers
public import SecretMemory
public import Vault

/// Opens keyring slots with a wrapped secret in the desktop's keyring and a key in the vault's file.
///
/// Neither half is useful alone. Together they are only as safe as the desktop session: every program of the same user may read
/// an unlocked keyring, and the vault's file. Therefore such a slot opens only `afterFirstUnlock`.
public struct KeyringOpener: SlotOpener {
  /// The type of keyring slots.
  public var type: SlotType { .keyring }

  private let pamCheck: PAMCheck?
  /// The keyring's item, if it is given and not looked up.
  private let item: [UInt8]?

  /// - Parameter pamCheck: performs the PAM check that a slot may require. Nil when nobody can answer it; slots with a check then
  ///   stay closed.
  public init(pamCheck: PAMCheck? = nil) { (self.pamCheck, item) = (pamCheck, nil) }

  /// - Parameter item: what the keyring would give, 48 bytes, such as from a systemd credential. It is encrypted, and no secret without the vault's
  ///   file. A slot with a PAM check stays closed.
  public init(item: [UInt8]) { (pamCheck, self.item) = (nil, item) }

  /// See `SlotOpener`.
  /// - Throws: `.itemNotFound`, `.interactionNotAllowed` while the keyring is locked, `.notPresent`, `.deviceFailed` when it does
  ///   not answer within five seconds, `.corrupt`.
  public func secret(of slot: SlotDescription) throws(KeyStoreError) -> SecretBytes? {
    guard slot.type == .keyring else { return nil }
    let parameters = try KeyringParameters(slot.parameters)
    try PAMCheck.pass(parameters.pamService, pamCheck)
    guard let item else { return try Self.open(parameters) }
    // Another slot's item: it says nothing about this one.
    do throws(KeyStoreError) { return try Self.open(parameters, item) } catch .corrupt { throw .itemNotFound }
  }

  static func open(_ parameters: KeyringParameters) throws(KeyStoreError) -> SecretBytes {
    guard !parameters.isGiven else { throw .itemNotFound }
    let sealed = try Keyring.value(of: parameters.itemName)
    // The bytes are encrypted, so they are not secret without the other half.
    return try open(parameters, sealed.withBytes { [UInt8]($0) })
  }

  private static func open(_ parameters: KeyringParameters, _ bytes: [UInt8]) throws(KeyStoreError) -> SecretBytes {
    var half = parameters.key
    let key: SecretBox
    do { key = SecretBox(try SecretBytes(wiping: &half)) } catch { throw .vault(.outOfMemory) }
    return try SlotWrap.open(
      bytes, key: key, domain: KeyringParameters.domain, bound: parameters.bound, what: "the keyring's item")
  }
}

/// Makes the desktop's keyring a way to open a vault.
public enum KeyringEnrolment {
  /// Looks whether the desktop has a keyring.
  /// - Throws: `.notPresent`
  public static func look() throws(KeyStoreError) { try Keyring.look() }

  /// Stores a wrapped secret in the keyring, never a key, and makes the matching slot. It is read back once before the slot is
  /// returned.
  /// - Parameters:
  ///   - pamService: the PAM service to ask first; nil for none.
  ///   - label: for people who inspect the keyring.
  /// - Throws: `.notPresent`, `.interactionNotAllowed` when the keyring is locked, `.deviceFailed`.
  public static func make(pamService: String? = nil, label: String) throws(KeyStoreError) -> SlotEnrolment {
    if let pamService, !PAMCheck.isName(pamService) { throw .corrupt("the name of the PAM service") }
    let parameters = KeyringParameters.random(pamService: pamService ?? "", isGiven: false)
    let box = try SlotWrap.randomSecret()
    try Keyring.store(try item(box, parameters), as: parameters.itemName, label: label)
    do throws(KeyStoreError) {
      let found = SecretBox(try KeyringOpener.open(parameters))
      guard box.withBytes({ secret in found.withBytes { constantTimeEqual($0, secret) } }) else {
        throw .corrupt("the keyring's item")
      }
    } catch {
      try? Keyring.delete(parameters.itemName)
      throw error
    }
    return SlotEnrolment(type: .keyring, parameters: parameters.bytes, secret: try SlotWrap.copy(box))
  }

  /// Makes a slot for a machine without a desktop: the wrapped secret is stored nowhere, and whoever opens the slot gives it.
  /// - Parameter give: gets the wrapped secret, 48 bytes. It opens nothing without the vault's file.
  /// - Throws: `.vault(.outOfMemory)`.
  public static func make(giving give: (SecretBox) -> Void) throws(KeyStoreError) -> SlotEnrolment {
    let parameters = KeyringParameters.random(pamService: "", isGiven: true)
    let box = try SlotWrap.randomSecret()
    give(try item(box, parameters))
    return SlotEnrolment(type: .keyring, parameters: parameters.bytes, secret: try SlotWrap.copy(box))
  }

  /// Deletes the wrapped secret from the keyring. The rest of the slot then opens nothing.
  /// - Throws: the errors of `KeyringOpener.secret`; `.itemNotFound` when it is not there, as it never is of a slot whose item is given.
  public static func forget(_ slot: SlotDescription) throws(KeyStoreError) {
    let parameters = try KeyringParameters(slot.parameters)
    guard !parameters.isGiven else { throw .itemNotFound }
    try Keyring.delete(parameters.itemName)
  }

  /// The secret, wrapped with the slot's key.
  private static func item(_ secret: SecretBox, _ parameters: KeyringParameters) throws(KeyStoreError) -> SecretBox {
    var half = parameters.key
    do {
      let key = SecretBox(try SecretBytes(wiping: &half))
      var sealed = try SlotWrap.seal(secret, key: key, domain: KeyringParameters.domain, bound: parameters.bound)
      return SecretBox(try SecretBytes(wiping: &sealed))
    } catch let fault as KeyStoreError { throw fault } catch { throw .vault(.outOfMemory) }
  }
}
