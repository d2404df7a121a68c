import CommandLine
import OwnerAPI
import OwnerOperations
import OwnerWords
import ResponseTexts
import Signer
import Vault

/// `holdfast slot passphrase`
enum SlotPassphraseCommand: OwnerCommand {
  typealias Operation = SlotPassphraseChange

  static let place = Command(
    "passphrase", "Change the passphrase",
    discussion: """
      Asks for the passphrase, and twice for the new one. If you have forgotten it, prove with --shares-file or --token that it \
      is you. Afterwards the old passphrase opens only copies of the vault that were made before. 'holdfast slot rotate' makes such copies useless for everything that is written later.
      """,
    options: [.value("new-passphrase-file", "FILE", "Read the new passphrase from a file", completion: .file)],
    examples: [
      Example("holdfast slot passphrase", "asks for the old and the new one"),
      Example("holdfast slot passphrase --shares-file shares.txt", "with a recovery kit, for a passphrase that is forgotten"),
    ])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> SlotPassphraseChange.Request {
    SlotPassphraseChange.Request()
  }

  /// Refuses a vault that no passphrase opens, before anything is asked.
  static func check(_ line: Invocation) throws(CommandError) {
    try checkHasVault(line)
    let kinds: [SlotKind]
    if let slots = try askDaemonWhole(SlotList.call(Nothing()), home(line)) {
      kinds = try SlotList.answer(slots).slots.map(\.kind)
    } else {
      do throws(VaultError) { kinds = try Vault.slotTypes(home: home(line).path).map { SlotKind($0) } } catch {
        throw CommandError(OperationError(error))
      }
    }
    guard !kinds.contains(.passphrase) else { return }
    let proof = kinds.contains(.token) ? "--token" : "--shares-file FILE"
    throw CommandError(
      .notFound, "No passphrase opens this vault, so there is none to change.",
      hint: "To add one: holdfast slot add passphrase \(proof)")
  }

  static func complete(_ request: inout SlotPassphraseChange.Request, _ line: Invocation) throws(CommandError) {
    request.credential = try credential(line)
    request.newPassphrase = try SlotArguments.newPassphrase(line)
  }

  static func text(_ answer: SlotAnswer, _ reader: Reader) -> String {
    """
    The passphrase is changed. The old one now opens only copies of the vault that were made before.
    Make a new backup now, because older ones do not open with the new passphrase: holdfast backup create
    """
  }
}
