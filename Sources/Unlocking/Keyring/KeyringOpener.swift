internal import Ciphers
public import SecretMemory
public import Vault

/// Opens keyring slots: what lies in the desktop's keyring, with what lies in the vault's file.
///
/// Neither half is of use alone. Together they are whatever the desktop's session is: every program of the same user may read an
/// unlocked keyring, and the vault's file. That is why such a slot opens nothing but `afterFirstUnlock`.
public struct KeyringOpener: SlotOpener {
  /// Keyring.
  public var type: SlotType { .keyring }

  private let gate: PAMCheck?

  /// - Parameter gate: answers a PAM gate in front of the slot; nil when nobody can, and slots with a gate stay shut.
  public init(gate: PAMCheck? = nil) { self.gate = gate }

  /// See `SlotOpener`.
  /// - Throws: `.itemNotFound`, `.interactionNotAllowed` while the keyring is locked, `.notPresent`, `.deviceFailed` when it does not
  ///   answer within five seconds, `.corrupt`.
  public func secret(of slot: SlotDescription) throws(KeyStoreError) -> SecretBytes? {
    guard slot.type == .keyring else { return nil }
    let parameters = try KeyringParameters(slot.parameters)
    try PAMCheck.pass(parameters.gate, gate)
    return try Self.open(parameters)
  }

  static func open(_ parameters: KeyringParameters) throws(KeyStoreError) -> SecretBytes {
    let sealed = try Keyring.value(of: parameters.itemName)
    // Sealed: no secret without the other half.
    let bytes = sealed.withBytes { [UInt8]($0) }
    var half = parameters.key
    let key: SecretBox
    do { key = SecretBox(try SecretBytes(wiping: &half)) } catch { throw .vault(.outOfMemory) }
    return try SlotWrap.open(
      bytes, key: key, domain: KeyringParameters.domain, bound: parameters.bound, what: "the keyring's item")
  }
}

/// Makes the desktop's keyring a way to open a vault.
public enum KeyringEnrolment {
  /// Puts a wrap into the keyring, never a key, and makes the slot that goes with it. Read back once before it is handed out.
  /// - Parameters:
  ///   - gate: the PAM service to ask before; nil for none.
  ///   - label: for people who look into the keyring.
  /// - Throws: `.notPresent`, `.interactionNotAllowed` for a keyring that is locked, `.deviceFailed`.
  public static func make(gate: String? = nil, label: String) throws(KeyStoreError) -> SlotEnrolment {
    if let gate, !PAMCheck.isName(gate) { throw .corrupt("the name of the PAM service") }
    let parameters = KeyringParameters(
      gate: gate ?? "", item: SystemRandom.bytes(KeyringParameters.itemLength),
      key: SystemRandom.bytes(KeyringParameters.keyLength))
    let box = try SlotWrap.randomSecret()
    try store(box, parameters, label)
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

  /// Deletes the wrap from the keyring: what is left of the slot opens nothing any more.
  /// - Throws: as `KeyringOpener.secret`; `.itemNotFound` when it is gone already.
  public static func forget(_ slot: SlotDescription) throws(KeyStoreError) {
    try Keyring.delete(KeyringParameters(slot.parameters).itemName)
  }

  private static func store(_ secret: SecretBox, _ parameters: KeyringParameters, _ label: String) throws(KeyStoreError) {
    var half = parameters.key
    do {
      let key = SecretBox(try SecretBytes(wiping: &half))
      var sealed = try SlotWrap.seal(secret, key: key, domain: KeyringParameters.domain, bound: parameters.bound)
      try Keyring.store(SecretBox(try SecretBytes(wiping: &sealed)), as: parameters.itemName, label: label)
    } catch let fault as KeyStoreError { throw fault } catch { throw .vault(.outOfMemory) }
  }
}
