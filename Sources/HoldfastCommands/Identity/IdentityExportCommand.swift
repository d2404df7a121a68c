import CommandLine
import OwnerAPI
import TerminalUI

/// `holdfast identity export`
enum IdentityExportCommand: OwnerCommand {
  typealias Operation = IdentityExport

  static let place = Command(
    "export", "Export a key",
    discussion: """
      ncryptsec (NIP-49) is one line that other signers read. file is a file of JSON with everything about the identity, its words, \
      too. Both are encrypted under a password of their own, which is asked for twice on the terminal or read from a file.

      nsec and mnemonic are open: whoever sees them has the key. They need --unencrypted and the words "I understand", typed or given \
      with --confirm.

      The vault's passphrase is asked for each time, and each export stands in the log.
      """,
    arguments: [IdentityArguments.name],
    options: [
      .value(
        "format", "FORMAT", "ncryptsec, file, nsec or mnemonic (ncryptsec)",
        completion: .words(["ncryptsec", "file", "nsec", "mnemonic"])),
      .value("password-file", "FILE", "Read the new password from a file (else asked for on the terminal)", completion: .file),
      .value("out", "FILE", "Write it to a new file that only you can read, instead of showing it", completion: .file),
      .flag("qr", "Show an ncryptsec or nsec as a QR code on the terminal, too"),
      .value("qr-png", "FILE", "Write its QR code to a new picture", completion: .file),
      .value("qr-svg", "FILE", "Write its QR code to a new drawing", completion: .file),
      .value("log-n", "N", "ncryptsec: what a guess at the password costs, 2^N KiB, 16 to 22 (16)"),
      .value(
        "security", "WORD", "ncryptsec: what it says of the key's past (else what is known)",
        completion: .words(["handled-insecurely", "not-known-insecure", "untracked"])),
      .value("hint", "TEXT", "file: a reminder of the password; anybody can read it"),
      .flag("unencrypted", "Let the key out unencrypted, for nsec and mnemonic"),
      .value("confirm", "WORDS", "The words \"I understand\", for scripts"),
    ],
    examples: [
      Example("holdfast identity export alice > alice.ncryptsec", "a backup of one key, to keep elsewhere"),
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
    if line.has("unencrypted") { request.confirm = line.value("confirm") }
    request.logN = try line.integer("log-n", in: 16...22)
    return request
  }

  static func complete(_ request: inout IdentityExport.Request, _ line: Invocation) throws(CommandError) {
    request.credential = try credential(line)
    let isOpen = request.format == .nsec || request.format == .mnemonic
    if !isOpen {
      request.password = try NewPassphrase.read(
        "The new password", file: line.value("password-file"), question: "New password for the exported key: ",
        isQuiet: line.has("json"))
    }
    if line.has("unencrypted"), !line.has("confirm"), Terminal.isInput { request.confirm = PlainInput.line(openExportQuestion) }
  }

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    let request = try asked(line)
    try checkExportFiles(line)
    return try finishExport(try performWhole(IdentityExport.call(request), line), line)
  }

  // The key is printed from guarded memory and never becomes a `String`.
  static func text(_ answer: IdentityExport.Response, _ reader: Reader) -> String { "" }

  private static let openExportQuestion = """
    The key will leave the vault unencrypted: whoever sees it has it, for good, and nothing can take it back.
    If that is what you want, type: I understand
    > \("")
    """
}
