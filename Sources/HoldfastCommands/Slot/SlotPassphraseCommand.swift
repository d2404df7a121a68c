import CommandLine
import OwnerAPI

/// `holdfast slot passphrase`
enum SlotPassphraseCommand: OwnerCommand {
  typealias Operation = SlotPassphraseChange

  static let place = Command(
    "passphrase", "Change the passphrase",
    discussion: """
      Asks for the passphrase, and twice for the new one. Afterwards the old passphrase opens only copies of the vault that \
      were made before. 'holdfast slot rotate' makes such copies useless for everything that is written later.
      """,
    options: [.value("new-passphrase-file", "FILE", "Read the new passphrase from a file", completion: .file)],
    examples: [Example("holdfast slot passphrase", "asks for the old and the new one")])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> SlotPassphraseChange.Request {
    SlotPassphraseChange.Request()
  }

  static func complete(_ request: inout SlotPassphraseChange.Request, _ line: Invocation) throws(CommandError) {
    request.passphrase = try credential(line).passphrase
    request.newPassphrase = try SlotArguments.newPassphrase(line)
  }

  static func text(_ answer: SlotAnswer, _ reader: Reader) -> String {
    "The passphrase is changed. The old one now opens only copies of the vault that were made before."
  }
}
