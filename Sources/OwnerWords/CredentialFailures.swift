package import OwnerAPI
package import Vault

/// Why a credential did not open the vault, as sentences.
extension OperationError {
  /// - Parameters:
  ///   - type: what was shown.
  ///   - token: the name of the token that was asked, where it is known.
  package init(_ error: KeyStoreError, by type: SlotType, token: String? = nil) {
    switch error {
    case .authenticationFailed(let tries, let seconds): self = Self.wrong(type, tries, seconds, token)
    case .vault(.noSuchSlot):
      self.init(
        .notFound, "The vault has no slot that a \(Self.words(type)) opens.", hint: "To see what opens it: holdfast slot list")
    case .vault(let fault): self.init(fault)
    case .itemNotFound:
      self.init(
        .notFound, "The \(Self.words(type)) no longer has its part of this slot.",
        hint: "Use another slot, then remove this one: holdfast slot remove ID")
    case .duplicateItem: self.init(.failed, "Several tokens match.", hint: "Choose one: --token=pkcs11:token=NAME")
    case .userCancelled: self.init(.denied, "The question was cancelled or not answered in time. Nothing was opened.")
    case .interactionNotAllowed where type != .token && type != .keyring: self = .unlockFirst  // only these have a PAM check
    case .interactionNotAllowed:
      self.init(
        .locked,
        type == .keyring ? "The keyring is locked, or PAM asks for the login password." : "PAM asks for the login password.",
        hint: "Log in to the desktop to unlock the keyring, or give the login password with --login-file FILE.")
    case .biometryNotAvailable:
      self.init(.failed, "There is no fingerprint reader, or it cannot be used now.", hint: "Use another slot.")
    case .biometryNotEnrolled: self.init(.failed, "You have no enrolled finger.", hint: "To enrol one: fprintd-enroll")
    case .biometryLockout:
      self.init(
        .locked,
        type == .token
          ? "Too many attempts: the token, or the fingerprint reader that PAM asks, refuses more."
          : "Too many attempts: no more are accepted now.",
        hint:
          "Use another slot. A PUK unblocks a smart card. A TPM unlocks by itself after some time. You can try a finger again."
      )
    case .biometryChanged: self.init(VaultError.biometryChanged)
    case .notPresent(let what): self = Self.absent("\(what)")
    case .deviceFailed(let step, let code):
      self.init(
        .failed, "The \(Self.words(type)) failed: \(step)\(code == 0 ? "" : " (0x" + String(code, radix: 16) + ")").",
        hint: "Try again, or use another slot.")
    case .corrupt(let what) where type != .token && type != .keyring: self.init(VaultError.corrupt(what: what))
    case .corrupt(let what):
      self.init(.failed, "This is not as it was written: \(what).", hint: "Use another slot. To see them: holdfast slot list")
    }
  }

  private static func wrong(_ type: SlotType, _ tries: Int?, _ seconds: Int, _ token: String?) -> OperationError {
    guard type == .token else {
      guard type != .passphrase else { return OperationError(VaultError.wrongPassphrase(waitSeconds: seconds)) }
      let wait = seconds > 0 ? " You can try again in \(seconds) s." : ""
      if type == .keyring, seconds == 0 {
        return OperationError(.locked, "PAM refused access to the keyring. Nothing was opened.")
      }
      let sentence = "This \(words(type)) opens none of the vault's slots."
      return OperationError(.locked, sentence + wait, hint: "See: holdfast slot list")
    }
    let left = tries.map { $0 == 1 ? " One attempt is left before the token locks." : " \($0) attempts are left." } ?? ""
    let wrong = token.map { "The PIN is wrong for the token “\($0)”" } ?? "The token's PIN is wrong"
    return OperationError(
      .locked, tries == nil ? "\(wrong), or PAM refused access." : "\(wrong).\(left)",
      hint: "The token counts wrong PINs and locks after a few. To use another token: --token=pkcs11:token=NAME")
  }

  private static func absent(_ what: String) -> OperationError {
    let text = what.prefix(1).uppercased() + what.dropFirst()
    return OperationError(
      .notFound, "\(text) is not present.",
      hint: "Connect or start it, then try again.")
  }

  private static func words(_ type: SlotType) -> String {
    switch type {
    case .passphrase: "passphrase"
    case .recovery: "recovery kit"
    case .passkey: "passkey"
    case .token: "token"
    case .keyring: "keyring"
    }
  }
}
