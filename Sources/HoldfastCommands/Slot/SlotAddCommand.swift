import CommandLine
import CredentialOptions
import Encodings
import JSON
import OwnerAPI
import OwnerOperations
import Platform
import ResponseTexts
import SecretMemory
import TerminalUI

/// `holdfast slot add`
enum SlotAddCommand: OwnerCommand {
  typealias Operation = SlotAdd

  static let place = Command(
    "add", "Add a way to open the vault",
    discussion: """
      Asks for something that opens the vault already: the passphrase, a token or the recovery kit.

      A token (TPM, smart card, HSM) makes a key that never leaves it. Your PIN opens it, and the token counts wrong PINs. The \
      desktop's keyring opens pairings, settings and the keys of the class after-first-unlock, and no other keys, because every \
      program of yours can read an unlocked keyring.

      On a machine without a desktop, --out writes what the desktop's keyring would keep to a new file, and systemd-creds makes \
      the credential holdfast-keyring of it, for holdfast-wake. Whoever has this file and the vault's file can use the keys of the \
      class after-first-unlock.

      With --gate, PAM asks for the login password or a fingerprint before the slot is used. PAM only answers yes or no to \
      this program. It does not protect the key from somebody who has the vault's file and the token or keyring.
      """,
    arguments: [
      Argument(
        "type", "What opens the slot: passphrase, token or keyring", completion: .words(["passphrase", "token", "keyring"]))
    ],
    options: [
      .value("label", "NAME", "Your name for the slot"),
      .value("new-token", "URI", "Which token, as a pkcs11: URI (default: the only one present)"),
      .value("new-pin-file", "FILE", "Read the new token's PIN from a file", completion: .file),
      .value("new-passphrase-file", "FILE", "Read the new passphrase from a file", completion: .file),
      .value(
        "out", "FILE", "For the keyring: write its secret to a new file, for a systemd credential, and store nothing in it",
        completion: .file),
      .value("gate", "SERVICE", "For a token or the keyring: ask this PAM service first, such as 'login'"),
    ],
    examples: [
      Example("holdfast slot add token --label TPM", "asks for the vault's passphrase and the token's PIN"),
      Example("holdfast slot add keyring", "the desktop's keyring opens pairings and settings"),
      Example("holdfast slot add keyring --out /dev/shm/item", "for holdfast-wake on a server"),
      Example("holdfast slot add token --new-token 'pkcs11:token=My%20Key'", "one of several tokens"),
    ])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> SlotAdd.Request {
    var request = SlotAdd.Request()
    request.kind = NewSlotKind(rawValue: line.needed("type")) ?? .passphrase
    (request.label, request.pamService) = (line.value("label"), line.value("gate"))
    (request.newToken, request.newModule) = (line.value("new-token"), line.value("module"))
    if line.has("out"), line.has("gate") { throw .exclude(option: "out", other: "gate") }
    request.givesItem = line.has("out") ? true : nil
    return request
  }

  /// Refuses a token or keyring that is not there before anything secret is asked.
  static func check(_ line: Invocation) throws(CommandError) {
    try checkOut(line)
    guard Terminal.isInput else { return }  // nothing will be asked
    let request = try usage(line) { () throws(UsageError) in try self.request(line, 0) }
    guard request.kind != .passphrase else { return }
    guard NextSteps.signerRuns(line) else {
      try checkHasVault(line)
      do throws(OperationError) { return try SlotDevices.look(for: request) } catch { throw CommandError(error) }
    }
    try checkBeforeProof(SlotAdd.call(request), line)
  }

  private static func checkOut(_ line: Invocation) throws(CommandError) {
    guard let path = line.value("out") else { return }
    guard line.needed("type") == NewSlotKind.keyring.rawValue else { throw CommandError(OperationError.itemOfAnother) }
    try checkNewFile(path)
  }

  static func complete(_ request: inout SlotAdd.Request, _ line: Invocation) throws(CommandError) {
    request.credential = try credential(line)
    switch request.kind {
    case .passphrase: request.newPassphrase = try SlotArguments.newPassphrase(line)
    case .token:
      request.newPIN = try secret("The new token's PIN", option: "new-pin-file") { () throws(SecretInputError) in
        if let file = line.value("new-pin-file") { return try SecretInput.read(file: file) }
        return try SilentPrompt().ask("PIN of the new token: ")
      }
    case .keyring: break
    }
  }

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    let result = try performWhole(SlotAdd.call(try asked(line)), line)
    guard let path = line.value("out") else { return try show(result, line) }
    try writeItem(result, to: path)
    let rest = ControlResult(.object((result.json.members ?? []).filter { $0.key != "item" }))
    if line.has("json") { return try show(rest, line) }
    return Output.line(credentialText(try SlotAdd.answer(rest).slot, path)) ? .done : .failed
  }

  /// Writes the item's bytes. If that fails, its slot opens for nobody and can be removed.
  private static func writeItem(_ result: ControlResult, to path: String) throws(CommandError) {
    guard let text = result.texts("item").first, var item = text.withBytes({ Base64.decode(Array($0)) }) else {
      throw CommandError(
        .failed, "The running signer did not send the slot's secret.",
        hint: "It may be an older version. Stop it and start it again.")
    }
    defer { wipe(&item) }
    try writeNew(path, item)
  }

  private static func credentialText(_ slot: Slot, _ path: String) -> String {
    let file = printable(ShellWord.plainOrQuoted(path), limit: 4096)
    return """
      Made slot \(slot.id), for a systemd credential. It opens \(SlotText.opens(slot)).
      Encrypt it for this machine: sudo systemd-creds encrypt --name=holdfast-keyring \(file) /etc/holdfast-keyring.credential
      Then delete the file: shred -u \(file)
      """
  }

  static func text(_ answer: SlotAdd.Response, _ reader: Reader) -> String {
    let slot = answer.slot
    let what = slot.kind == .keyring ? "the desktop's keyring" : "a \(shown(slot.kind))"
    return """
      Made slot \(slot.id): \(what). It opens \(SlotText.opens(slot)).
      Test it: holdfast slot test \(slot.id)\(option(slot.kind))
      """
  }

  /// The option that shows a credential for a slot of this type, with a space before it.
  private static func option(_ kind: SlotKind) -> String {
    switch kind {
    case .token: " --token"
    case .keyring: " --keyring"
    case .recovery: " --shares-file FILE"
    case .passphrase, .passkey: ""
    }
  }
}
