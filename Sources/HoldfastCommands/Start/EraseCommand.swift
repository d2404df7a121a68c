import CommandLine
import OwnerAPI
import OwnerOperations
import OwnerWords
import ResponseTexts
import Signer
import TerminalUI
import Vault

/// `holdfast erase`
enum EraseCommand: ProgramCommand {
  static let place = Command(
    "erase", "Remove a vault, its log and its device secret from this machine",
    discussion: """
      Overwrites the files and removes them. Nobody can bring the keys back from this folder. It asks first; for scripts, --yes \
      confirms in advance. Stop the signer before.

      Not touched: backups, exported keys, recovery kits, shares that guardians keep, keys on tokens, and the entry in the \
      desktop's keyring. SSDs, snapshots and file systems that copy on write may keep older blocks of the files. What remains \
      there is encrypted: it opens with your passphrase, or another way to open the vault, and with nothing else.
      """,
    options: [SharedOptions.yesFinally], shared: [SharedOptions.home, SharedOptions.json, .help],
    examples: [Example("holdfast erase --home /srv/old", "erases the vault in that folder")])

  /// What a person types to confirm.
  static let word = "ERASE"

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    let home = home(line)
    guard Opening.hasVault(home) else { throw .noVault(home) }
    // Before somebody types the word.
    if let process = try runningSigner(home) {
      throw CommandError(
        .failed, "The signer runs on this vault, as process \(process). Nothing was erased.",
        hint: "Stop it: holdfast stop")
    }
    try confirm(home, line)
    var erased = VaultErased()
    do throws(VaultError) {
      let outcome = try HomeErasing.erase(home)
      (erased.home, erased.erased) = (home.path, Int64(outcome.erased))
      (erased.left, erased.linked, erased.unwritten) = (outcome.left, outcome.linked, outcome.unwritten)
    } catch { throw CommandError(OperationError(error)) }
    guard line.has("json") else { return Output.line(text(erased)) ? .done : .failed }
    return Output.line(erased.json) ? .done : .failed
  }

  private static func confirm(_ home: Home, _ line: Invocation) throws(CommandError) {
    guard !line.has("yes") else { return }
    try checkCanConfirm(line)
    let question = """
      This erases the vault at \(printable(home.path, limit: 4096)): its keys, apps, rules and log.
      Nobody can bring them back from this folder. Type \(word) to continue:
      """
    guard PlainInput.line(question) == word else { throw CommandError(.failed, "Nothing was done.") }
  }

  static func text(_ erased: VaultErased) -> String {
    let left = erased.left.isEmpty ? "" : "\nStill there, because they do not belong to the vault: \(list(erased.left))."
    let linked =
      erased.linked.isEmpty
      ? "" : "\nNot overwritten, because the same file has another name somewhere: \(list(erased.linked))."
    let unwritten = erased.unwritten.isEmpty ? "" : "\nCould not be overwritten: \(list(erased.unwritten))."
    let written = erased.erased - Int64(erased.linked.count + erased.unwritten.count)
    return """
      Erased the vault at \(shown(erased.home, limit: 4096)): \(erased.erased) files were removed, \
      \(written == erased.erased ? "all" : "\(written)") of them overwritten before.\(linked)\(unwritten)\(left)
      Backups, exports, kits and shares elsewhere are as they were. An SSD may keep older blocks of the files, which are encrypted.
      """
  }
}
