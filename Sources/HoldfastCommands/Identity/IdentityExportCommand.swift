import CommandLine
import CredentialOptions
import OwnerAPI
import OwnerOperations
import ResponseTexts
import TerminalUI

/// `holdfast identity export`
enum IdentityExportCommand: OwnerCommand {
  typealias Operation = IdentityExport

  static let place = Command(
    "export", "Export a key",
    discussion: """
      ncryptsec (NIP-49) is one line that other signers read. file is a JSON file with everything about the identity, \
      including its words. Both are encrypted with a password of their own (the word that NIP-49 uses), which you type twice on \
      the terminal or give in a file. It is not the vault's passphrase, and whoever opens the export needs only this password.

      nsec and mnemonic are not encrypted: anybody who sees them has the key. They need --unencrypted and the words "I \
      understand", typed or given with --confirm.

      Each export asks for the vault's passphrase and is recorded in the log.
      """,
    arguments: [IdentityArguments.name],
    options: [
      .value(
        "format", "FORMAT", "ncryptsec, file, nsec or mnemonic (ncryptsec)",
        completion: .words(["ncryptsec", "file", "nsec", "mnemonic"])),
      .value("password-file", "FILE", "Read the new password from a file (default: ask on the terminal)", completion: .file),
      .value("out", "FILE", "Write the export to a new file that only you can read, instead of showing it", completion: .file),
      .flag("qr", "Also show an ncryptsec or nsec as a QR code on the terminal"),
      .value("qr-png", "FILE", "Write the QR code to a new PNG file", completion: .file),
      .value("qr-svg", "FILE", "Write the QR code to a new SVG file", completion: .file),
      .value("log-n", "N", "ncryptsec: memory that one guess at the password costs, 2^N KiB, 16 to 22 (16)"),
      .value(
        "security", "WORD", "ncryptsec: how the key was handled in the past (default: what is known)",
        completion: .words(["handled-insecurely", "not-known-insecure", "untracked"])),
      .value("hint", "TEXT", "file: a reminder of the password, which anybody can read"),
      .flag("unencrypted", "Export without encryption, for nsec and mnemonic"),
      .value("confirm", "WORDS", "The words \"I understand\", for scripts"),
    ],
    examples: [
      Example("holdfast identity export alice > alice.ncryptsec", "a copy of one key to keep elsewhere"),
      Example("holdfast identity export alice --format file --out alice.json", "key, words and details in an encrypted file"),
      Example("holdfast identity export alice --format mnemonic --unencrypted", "the words, to write on paper"),
    ])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> IdentityExport.Request {
    var request = IdentityExport.Request()
    request.identity = IdentityName(line.needed("name"))
    request.format = line.word("format")
    request.security = line.word("security")
    request.hint = line.value("hint")
    // Without the flag, the confirming words alone export nothing.
    if line.has("unencrypted") { request.confirm = line.value("confirm").map(asMeant) }
    request.logN = try line.integer("log-n", in: 16...22)
    return request
  }

  /// Refuses an unencrypted export without `--unencrypted`, and files that cannot be made, before the passphrase is asked for.
  static func check(_ line: Invocation) throws(CommandError) {
    let format: KeyExportFormat? = line.word("format")
    if let format, isUnencrypted(format) { try checkUnencrypted(format, line) }
    try IdentityArguments.checkExists(line.needed("name"), line)
    try checkExportFiles(line)
  }

  private static func checkUnencrypted(_ format: KeyExportFormat, _ line: Invocation) throws(CommandError) {
    guard line.has("unencrypted") else { throw CommandError(.openExport(format)) }
    if let words = line.value("confirm") {
      guard asMeant(words) == Operations.openExportWords else { throw .otherWords }
    } else if !Terminal.isInput {
      throw .noTerminalToConfirm
    }
  }

  private static func isUnencrypted(_ format: KeyExportFormat?) -> Bool { format == .nsec || format == .mnemonic }

  static func complete(_ request: inout IdentityExport.Request, _ line: Invocation) throws(CommandError) {
    request.credential = try asksForPassword(request, line) ? provenCredential(request, line) : credential(line)
    if !isUnencrypted(request.format) {
      request.password = try NewPassphrase.read(
        "The new password", option: "password-file", of: line, question: "New password for the exported key: ",
        word: "password", shortest: Operations.shortestPassword, stopped: "Nothing was exported.")
    }
    if line.has("unencrypted"), !line.has("confirm"), Terminal.isInput { request.confirm = try askedToConfirm() }
  }

  private static func asksForPassword(_ request: IdentityExport.Request, _ line: Invocation) -> Bool {
    !isUnencrypted(request.format) && !line.has("password-file") && Terminal.isInput && !line.has("json")
  }

  /// Reads the credential and tries it, so that nobody types a new password twice for an export that fails.
  private static func provenCredential(_ request: IdentityExport.Request, _ line: Invocation) throws(CommandError) -> Credential {
    try askingAgain(line) { (_: Bool) throws(CommandError) in
      var attempt = request
      attempt.credential = try credential(line)
      do throws(CommandError) { _ = try performOnce(IdentityExport.call(attempt), line) } catch {
        guard error.error == OperationError.exportPasswordMissing.error else { throw error }
      }
      return attempt.credential
    }
  }

  /// What is typed, in small or capital letters. If it is something else, asks once more.
  private static func askedToConfirm() throws(CommandError) -> String {
    var typed = asMeant(PlainInput.line(openExportQuestion))
    if typed != Operations.openExportWords, !typed.isEmpty {
      typed = asMeant(PlainInput.line("Type exactly: \(Operations.openExportWords)\n> "))
    }
    guard typed == Operations.openExportWords else { throw .notConfirmed }
    return typed
  }

  private static func asMeant(_ words: String) -> String {
    words.lowercased() == Operations.openExportWords.lowercased() ? Operations.openExportWords : words
  }

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    try LockedNote.refuseWhileLocked(line)
    let request = try asked(line)
    return try finishExport(try performWhole(IdentityExport.call(request), line), line)
  }

  // The key is printed from guarded memory and never becomes a `String`.
  static func text(_ answer: IdentityExport.Response, _ reader: Reader) -> String { "" }

  private static let openExportQuestion = """
    The key will leave the vault unencrypted. Anybody who sees it has it for good, and nothing can take it back.
    If that is what you want, type: I understand
    > \("")
    """
}

extension CommandError {
  fileprivate static let notConfirmed = CommandError(
    .failed, "You did not type the words “\(Operations.openExportWords)”. Nothing was exported.")

  fileprivate static let noTerminalToConfirm = CommandError(
    .usage, "An unencrypted export is confirmed by words, and there is no terminal to ask on. Nothing was exported.",
    hint: "To confirm it in advance, add --confirm \"\(Operations.openExportWords)\".")

  fileprivate static let otherWords = CommandError(
    .usage, "--confirm takes the words “\(Operations.openExportWords)”. Nothing was exported.")
}
