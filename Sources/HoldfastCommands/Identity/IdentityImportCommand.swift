import CommandLine
import CredentialOptions
import Identities
import OwnerAPI
import OwnerOperations
import OwnerWords
import ResponseTexts
import SecretMemory
import TerminalUI

/// `holdfast identity import`
enum IdentityImportCommand: OwnerCommand {
  typealias Operation = IdentityImport

  static let place = Command(
    "import", "Import a key",
    discussion: """
      Reads the key from standard input: nsec, 64 hex digits, ncryptsec, 12 to 24 words, an encrypted key file, or the export \
      of another signer (Amber, nos2x-fox, nsecbunkerd, keep). The format is detected. At a terminal you type the \
      key, and it is not shown; if no signer runs, you are asked for the vault's passphrase first. The key is never an argument, \
      because the shell's history and other programs can read arguments.

      A key that everybody knows, such as the words “abandon … about” of BIP-39, is imported only if you say yes, or with --yes.
      """,
    arguments: [IdentityArguments.newName],
    options: [
      .value("from-file", "FILE", "Read the key from a file", completion: .file),
      .value("from-fd", "N", "Read the key from an open file descriptor"),
      .value("password-file", "FILE", "The password of an encrypted key (default: ask on the terminal)", completion: .file),
      .value("account", "N", "Which account of the words, from 0 (NIP-06)"),
      .value("pick", "KEY", "Which key of a file that holds several: its number from 1, its name or its npub"),
      .flag("scan", "Words: search relays for other used accounts, as 'identity accounts' does"),
      IdentityArguments.taking, SharedOptions.yes,
    ] + IdentityArguments.wordsPassphrase + IdentityArguments.keeping,
    examples: [
      Example("holdfast identity import alice", "asks for the key"),
      Example("pass show nostr | holdfast identity import alice", "reads the key from another program"),
      Example("holdfast identity import alice --from-file amber.jsonl --pick 2", "the second account of an Amber export"),
    ])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> IdentityImport.Request {
    var request = IdentityImport.Request()
    request.identity = try IdentityDraft(line)
    request.account = try IdentityArguments.account(line)
    request.pick = line.value("pick")
    request.isPublicAccepted = line.has("yes")
    _ = try descriptor(line)
    return request
  }

  /// Refuses a name that is already taken, before it asks for the key.
  static func check(_ line: Invocation) throws(CommandError) { try IdentityArguments.checkFree(line.needed("name"), line) }

  static func complete(_ request: inout IdentityImport.Request, _ line: Invocation) throws(CommandError) {
    request.credential = try openingFirst(line)
    request.key = try wholeKey(line)
    request.password = try password(line, for: request.key)
    request.wordsPassphrase = try IdentityArguments.readWordsPassphrase(line)
    try askAboutPublished(&request, line)
  }

  /// A person at a terminal shows what opens the vault before they type the key, so that a wrong passphrase does not cost them the key, too.
  /// If a signer runs, it is needed for classes that ask each time only.
  private static func openingFirst(_ line: Invocation) throws(CommandError) -> Credential {
    guard !NextSteps.signerRuns(line) else { return try IdentityArguments.proof(line) }
    guard Terminal.isInput, !line.has("json") else { return Credential() }
    let (credential, found) = try triedCredential(line, IdentityList.call(Nothing()))
    let names = try IdentityList.answer(found).identities.map(\.name)
    if names.contains(line.needed("name")) { throw CommandError(OperationError(IdentityError.nameTaken)) }
    return credential
  }

  /// A person at a terminal is asked about a key that everybody knows. A script is refused by the operation, unless it gave --yes.
  private static func askAboutPublished(_ request: inout IdentityImport.Request, _ line: Invocation) throws(CommandError) {
    guard Terminal.isInput, !line.has("yes"), !line.has("json"), let key = request.key,
      PublishedKey.isOne(key, passphrase: request.wordsPassphrase)
    else { return }
    Output.warning("Warning: " + OperationError(KeyTextError.published).error)
    try confirm("Import it anyway, for a test?", line)
    request.isPublicAccepted = true
  }

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    let request = try asked(line)
    let imported = try performWhole(IdentityImport.call(request), line)
    return try AccountTaking(line, words: request.wordsPassphrase, credential: request.credential).finishImport(imported)
  }

  static func text(_ answer: IdentitySummary, _ reader: Reader) -> String { IdentityText.text(answer, colors: reader.colors) }

  private static func descriptor(_ line: Invocation) throws(UsageError) -> Int32? {
    try line.integer("from-fd", in: 0...1_048_576).map { Int32(clamping: $0) }
  }

  /// How often a key may be typed in one command.
  private static let attempts = 3

  /// The key. What was typed and is no key is asked for again.
  private static func wholeKey(_ line: Invocation) throws(CommandError) -> SecretBox {
    let isTyped = Terminal.isInput && !line.has("from-file") && !line.has("from-fd") && !line.has("json")
    var attempt = 0
    while true {
      attempt += 1
      let key = try key(line)
      guard let fault = KeyTextError.beyondRepair(key) else { return key }
      let error = CommandError(OperationError(fault))
      guard isTyped else { throw error }
      guard attempt < attempts else { throw CommandError(error.exit, error.error, hint: backAtTheShell) }
      Output.warning(suggested(line).text(error.text))
    }
  }

  /// What is pasted next would go to the shell, and into its history.
  static let backAtTheShell = "Three attempts: nothing was imported. You are back at the shell; do not paste a key here."

  /// Reads the key from a file, a descriptor, the terminal or standard input.
  private static func key(_ line: Invocation) throws(CommandError) -> SecretBox {
    let number = try usage(line) { () throws(UsageError) in try descriptor(line) }
    return try secret("The key") { () throws(SecretInputError) in
      let limit = SecretInput.fileLimit
      if let file = line.value("from-file") { return try SecretInput.read(file: file, limit: limit) }
      if let number { return try SecretInput.read(descriptor: number, limit: limit) }
      return Terminal.isInput
        ? try SilentPrompt().ask("Key (nsec, hex, ncryptsec or words): ") : try SecretInput.read(descriptor: 0, limit: limit)
    }
  }

  /// The password of an encrypted key: from a file, or asked for if the key is encrypted and a person is at the terminal.
  private static func password(_ line: Invocation, for key: SecretBox?) throws(CommandError) -> SecretBox? {
    if let file = line.value("password-file") {
      return try secret("The key's password") { () throws(SecretInputError) in try SecretInput.read(file: file) }
    }
    let marks = ["ncryptsec1", "{", "KEEPBACK"].map { Array($0.utf8) }
    let isEncrypted = key?.withBytes { (bytes: UnsafeRawBufferPointer) -> Bool in
      marks.contains { mark in bytes.prefix(mark.count).elementsEqual(mark) }
    }
    guard isEncrypted == true, Terminal.isInput else { return nil }
    return try secret("The key's password") { () throws(SecretInputError) in try SilentPrompt().ask("Password of this key: ") }
  }
}
