import CommandLine
import OwnerAPI
import ResponseTexts

/// `holdfast vault check`
enum VaultCheckCommand: OwnerCommand {
  typealias Operation = VaultCheck

  static let place = Command(
    "check", "Check whether the vault is the newest, and list what an older one lacks",
    discussion: "Compares the vault with the log. The exit code is 0 if the vault is the newest, and 1 if not.")

  static func text(_ answer: VaultCheck.Response, _ reader: Reader) -> String {
    if answer.isSound {
      let tried = ours(answer.attempts?.sentence, limit: 400)
      return "The vault is the newest: no older copy was put in its place."
        + (tried.isEmpty ? "" : "\n\(tried) The signer is locked down until: holdfast resume")
    }
    return """
      \(ours(answer.older?.sentence ?? answer.damage?.sentence, limit: 400))
      \(VaultText.missing(answer.older?.missing ?? [], reader))
      Restore the newer vault.db, or continue with this one: holdfast vault accept
      """
  }
}
