internal import Encodings
internal import SecretMemory
internal import Vault

/// What the owner showed to prove to be there: the way it came names the slots it may open.
extension Parameters {
  /// The secret `prf` (32 bytes) with the parameter `credential` (base64url), else the secret `passphrase`.
  /// - Throws: when nothing of that is there; nothing was tried then.
  func evidence() throws(OperationFailure) -> any SlotOpener {
    if let output = secret("prf") { return PasskeyOpener(credential: try bytes("credential"), output: output) }
    guard let passphrase = secret("passphrase") else {
      throw .usage("The vault's passphrase is missing.", hint: "It is read from the terminal, or from --passphrase-file FILE.")
    }
    return PassphraseOpener(passphrase)
  }

  /// Bytes in base64url.
  func bytes(_ name: String) throws(OperationFailure) -> [UInt8] {
    guard let bytes = Base64URL.decode(try text(name)), !bytes.isEmpty else { throw .usage("“\(name)” is no base64url.") }
    return bytes
  }
}

extension OperationFailure {
  /// Why a way to unlock opened nothing.
  init(_ error: KeyStoreError, by type: SlotType) {
    switch error {
    case .authenticationFailed(_, let seconds) where type == .passphrase:
      self.init(VaultError.wrongPassphrase(waitSeconds: seconds))
    case .authenticationFailed:
      self.init(
        .locked, "That \(type.name) does not open this vault.", hint: "Try again, or use another way; nothing was changed.")
    case .vault(.noSuchSlot):
      self.init(.locked, "No \(type.name) opens this vault.", hint: "See: holdfast slot list")
    case .vault(let error): self.init(error)
    case .biometryChanged: self.init(VaultError.biometryChanged)
    case .corrupt(let what): self.init(VaultError.corrupt(what: what))
    case .notPresent(let what):
      self.init(.failed, "This is not there now: \(what).", hint: "Plug it in or start it, then try again.")
    case .deviceFailed(let step, let code): self.init(.failed, "The device failed at \(step) (\(code)).")
    case .userCancelled: self.init(.denied, "It was cancelled; nothing was changed.")
    case .biometryLockout:
      self.init(.locked, "The device has locked itself after wrong attempts.", hint: "Use another way to unlock.")
    case .itemNotFound, .duplicateItem, .interactionNotAllowed, .biometryNotAvailable, .biometryNotEnrolled:
      self.init(.failed, "That way to unlock cannot be used now.", hint: "Use another way to unlock.")
    }
  }
}
