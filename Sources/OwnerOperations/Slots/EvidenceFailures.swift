import OwnerAPI
import Vault

/// Why what the owner showed did not open the vault, in words for people.
extension OperationError {
  /// - Parameters:
  ///   - type: what was shown.
  ///   - token: the name of the token that was asked, where it is known.
  init(_ error: KeyStoreError, by type: SlotType, token: String? = nil) {
    switch error {
    case .authenticationFailed(let tries, let seconds): self = Self.wrong(type, tries, seconds, token)
    case .vault(.noSuchSlot):
      self.init(
        .notFound, "The vault has no slot that a \(Self.words(type)) opens.", hint: "See what opens it: holdfast slot list")
    case .vault(let fault): self.init(fault)
    case .itemNotFound:
      self.init(
        .notFound, "What belongs to this slot is gone from the \(Self.words(type)).",
        hint: "Use another slot, then remove this one: holdfast slot remove ID")
    case .duplicateItem: self.init(.failed, "More than one token fits.", hint: "Say which: --token=pkcs11:token=NAME")
    case .userCancelled: self.init(.denied, "It was cancelled, or no answer came in time; nothing was opened.")
    case .interactionNotAllowed where type != .token && type != .keyring: self = .unlockFirst  // no gate stands before others
    case .interactionNotAllowed:
      self.init(
        .locked,
        type == .keyring ? "The keyring is locked, or the login's gate has a question." : "The login's gate has a question.",
        hint: "Unlock the keyring by logging in to the desktop, or give the login password with --login-file FILE.")
    case .biometryNotAvailable:
      self.init(.failed, "There is no fingerprint reader, or it cannot be used now.", hint: "Use another slot.")
    case .biometryNotEnrolled: self.init(.failed, "No finger of yours is enrolled.", hint: "Enrol one: fprintd-enroll")
    case .biometryLockout:
      self.init(
        .locked,
        type == .token
          ? "Too many tries: the token, or the fingerprint reader in front of it, takes no more."
          : "Too many tries: it takes no more now.",
        hint:
          "Use another slot. A smart card is unblocked with its PUK; a TPM unlocks itself after some time; a finger may be tried anew."
      )
    case .biometryChanged: self.init(VaultError.biometryChanged)
    case .notPresent(let what): self = Self.absent("\(what)")
    case .deviceFailed(let step, let code):
      self.init(
        .failed, "The \(Self.words(type)) failed: \(step)\(code == 0 ? "" : " (0x" + String(code, radix: 16) + ")").",
        hint: "Try again; use another slot meanwhile.")
    case .corrupt(let what) where type != .token && type != .keyring: self.init(VaultError.corrupt(what: what))
    case .corrupt(let what):
      self.init(.failed, "Something is not what was written: \(what).", hint: "Use another slot; see: holdfast slot list")
    }
  }

  private static func wrong(_ type: SlotType, _ tries: Int?, _ seconds: Int, _ token: String?) -> OperationError {
    guard type == .token else {
      guard type != .passphrase else { return OperationError(VaultError.wrongPassphrase(waitSeconds: seconds)) }
      let wait = seconds > 0 ? " The next attempt is taken in \(seconds) s." : ""
      if type == .keyring, seconds == 0 {
        return OperationError(.locked, "The question in front of the keyring was not answered rightly; nothing was opened.")
      }
      return OperationError(
        .locked, "This \(words(type)) opens none of the vault's slots.\(wait)", hint: "See: holdfast slot list")
    }
    let left = tries.map { $0 == 1 ? " One try is left before the token locks itself." : " \($0) tries are left." } ?? ""
    let wrong = token.map { "The PIN is wrong for the token “\($0)”" } ?? "The token's PIN is wrong"
    return OperationError(
      .locked, tries == nil ? "\(wrong), or the question in front of it was not answered rightly." : "\(wrong).\(left)",
      hint: "The token counts wrong PINs and locks itself after a few. Another token is named by --token=pkcs11:token=NAME")
  }

  private static func absent(_ what: String) -> OperationError {
    let text = what.prefix(1).uppercased() + what.dropFirst()
    return OperationError(.notFound, "\(text) is not there now.", hint: "Put it in or start it, or use another slot.")
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
