import CommandLine
import OwnerAPI
import TerminalUI

/// `holdfast slot add`
enum SlotAddCommand: OwnerCommand {
  typealias Operation = SlotAdd

  static let place = Command(
    "add", "Add a way to open the vault",
    discussion: """
      Needs a way there is: the passphrase, a token or the recovery kit.

      A token (TPM, smart card, HSM) makes a key that never leaves it; your PIN opens it, and the token counts wrong PINs. The \
      desktop's keyring opens pairings and settings, never your keys: every program of yours can read \
      an unlocked keyring.

      A gate asks PAM before the slot is used: the login password, a fingerprint. It only answers yes or no to this program; it does \
      not protect the key from somebody who has the vault's file and the token or keyring.
      """,
    arguments: [Argument("type", "What opens it", completion: .words(["passphrase", "token", "keyring"]))],
    options: [
      .value("label", "NAME", "What you call it"),
      .value("new-token", "URI", "Which token, as a pkcs11: URI (else the only one there is)"),
      .value("new-pin-file", "FILE", "Read that token's PIN from a file", completion: .file),
      .value("new-passphrase-file", "FILE", "Read the new passphrase from a file", completion: .file),
      .value("gate", "SERVICE", "Ask this PAM service first, as 'login'; for a token or the keyring"),
    ],
    examples: [
      Example("holdfast slot add token --label TPM", "asks for the vault's passphrase and the token's PIN"),
      Example("holdfast slot add keyring", "a wrap in the keyring, its key in the vault"),
      Example("holdfast slot add token --new-token 'pkcs11:token=My%20Key'", "one of several tokens"),
    ])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> SlotAdd.Request {
    var request = SlotAdd.Request()
    request.kind = NewSlotKind(rawValue: line.needed("type")) ?? .passphrase
    (request.label, request.pamService) = (line.value("label"), line.value("gate"))
    (request.newToken, request.newModule) = (line.value("new-token"), line.value("module"))
    return request
  }

  static func complete(_ request: inout SlotAdd.Request, _ line: Invocation) throws(CommandError) {
    request.credential = try credential(line)
    switch request.kind {
    case .passphrase: request.newPassphrase = try SlotArguments.newPassphrase(line)
    case .token:
      request.newPIN = try secret("What is to open the slot") { () throws(SecretInputError) in
        if let file = line.value("new-pin-file") { return try SecretInput.read(file: file) }
        return try SilentPrompt().ask("PIN of the new token: ")
      }
    case .keyring: break
    }
  }

  static func text(_ answer: SlotAnswer, _ reader: Reader) -> String {
    let slot = answer.slot
    let what = slot.kind == .keyring ? "the desktop's keyring" : "a \(shown(slot.kind))"
    return """
      Slot \(slot.id) is made: \(what). It opens \(SlotText.opens(slot)).
      Try it once: holdfast slot test \(slot.id) \(option(slot.kind))
      """
  }

  /// The option that shows a credential for a slot of this type.
  private static func option(_ kind: SlotKind) -> String {
    switch kind {
    case .token: "--token"
    case .keyring: "--keyring"
    case .recovery: "--shares-file FILE"
    case .passphrase, .passkey: ""
    }
  }
}
