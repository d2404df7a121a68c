import CommandLine
import CredentialOptions
import Identities
import OwnerAPI
import OwnerOperations
import OwnerWords
import SecretMemory
import TerminalUI

/// What several commands of `holdfast identity` have in common.
enum IdentityArguments {
  static let name = Argument("name", "The identity's name", completion: .names("identities"))
  static let newName = Argument("name", "A name for the identity; only you see it")
  static let taking = CommandOption.value(
    "take", "WHICH", "Make identities of the accounts found: all, or numbers such as 0,2,5 (default: ask on the terminal)")
  static let wordsPassphrase: [CommandOption] = [
    .flag("words-passphrase", "Ask for a words passphrase (BIP-39's \"25th word\")"),
    .value("words-passphrase-file", "FILE", "Read the words passphrase from a file", completion: .file),
  ]
  static let looks: [CommandOption] = [
    .value("colour", "COLOUR", "#rrggbb, or a name such as teal"), .value("emoji", "EMOJI", "One emoji"),
    .repeated("relay", "URL", "A relay where the identity writes; may be given several times"),
    .value("notes", "TEXT", "Notes for yourself"),
  ]
  static let keeping =
    looks + [
      .value(
        "class", "CLASS", "When the key can be used: when-unlocked, after-first-unlock … (when-unlocked)",
        completion: .names("classes"))
    ]

  /// Refuses a name that no identity has, before anything secret is asked for, if a signer runs that can say so.
  static func checkExists(_ name: String, _ line: Invocation) throws(CommandError) {
    _ = try askDaemonWhole(IdentityShow.call(IdentityNameOrDefault(name)), home(line))
  }

  /// Refuses a name that an identity has already, if a signer runs that can say so.
  static func checkFree(_ name: String, _ line: Invocation) throws(CommandError) {
    guard let result = try? askDaemonWhole(IdentityList.call(Nothing()), home(line)),
      let all = try? IdentityList.answer(result).identities, all.contains(where: { $0.name == name })
    else { return }
    throw CommandError(OperationError(IdentityError.nameTaken))
  }

  /// Refuses a name that no identity can have, before a passphrase is asked for.
  static func checkNew(_ name: String) throws(UsageError) {
    if looksLikeHexKey(name) { throw .secretKeyInArguments }
    do { try Identities.checkName(name) } catch { throw .refused(OperationError(error)) }
  }

  /// The words' account that a command line names.
  static func account(_ line: Invocation) throws(UsageError) -> Int64? { try line.integer("account", in: 0...0x7FFF_FFFF) }

  /// A class of keys by its name.
  static func protection(_ name: String) throws(UsageError) -> KeyProtection {
    guard let found = KeyProtection(rawValue: name) else {
      throw .refused(
        sentence: "That class does not exist.",
        hint: "One of: " + KeyProtection.allCases.map(\.rawValue).joined(separator: " "))
    }
    return found
  }

  /// Whether the owner has to show a credential, because keys of the class need presence.
  static func needsPresence(_ line: Invocation) -> Bool {
    line.value("class").map { $0.hasPrefix("device-passcode") || $0.hasPrefix("biometric-") } ?? false
  }

  /// Reads a credential if the class of a new identity needs it.
  static func proof(_ line: Invocation) throws(CommandError) -> Credential {
    needsPresence(line) ? try credential(line) : Credential()
  }

  /// Reads a credential if an option names one or a class needs it. The words may be under a class that needs presence.
  static func proofIfShown(_ line: Invocation) throws(CommandError) -> Credential {
    CredentialSource.isNamed(in: line) || needsPresence(line) ? try credential(line) : Credential()
  }

  /// Reads the BIP-39 passphrase. Nil if no option asks for one.
  /// - Parameter isNew: whether it is asked for twice.
  static func readWordsPassphrase(_ line: Invocation, isNew: Bool = false) throws(CommandError) -> SecretBox? {
    let file = line.value("words-passphrase-file")
    guard file != nil || line.has("words-passphrase") else { return nil }
    return try secret("The words passphrase") { () throws(SecretInputError) in
      if let file { return try SecretInput.read(file: file) }
      let question = "Words passphrase: "
      guard isNew else { return try SilentPrompt().ask(question) }
      return try SilentPrompt(stopped: "No identity was made.").askTwice(question, again: "Repeat it: ")
    }
  }
}

extension IdentityDraft {
  /// A new identity as a command line describes it.
  init(_ line: Invocation) throws(UsageError) {
    self.init()
    name = line.needed("name")
    try IdentityArguments.checkNew(name)
    (colour, emoji, notes) = (line.value("colour"), line.value("emoji"), line.value("notes"))
    relays = try line.relays()
    if let name = line.value("class") { protection = try IdentityArguments.protection(name) }
  }
}

extension Noun {
  static let identity = Noun(
    "identity", "Your keys",
    commands: [
      IdentityCreateCommand.self, IdentityImportCommand.self, IdentityDeriveCommand.self, IdentityAccountsCommand.self,
      IdentityVanityCommand.self, IdentityExportCommand.self, IdentityListCommand.self, IdentityShowCommand.self,
      IdentitySetCommand.self, IdentityRenameCommand.self, IdentityResetEventCommand.self, IdentityDeleteCommand.self,
      IdentityDefaultCommand.self, IdentityClassCommand.self, IdentityReceiptCommand.self, IdentityRotateCommand.self,
      IdentityRotationCommand.self, IdentitySuccessionCommand.self,
    ])
}
