import CommandLine
import OwnerAPI

/// `holdfast vault check`
enum VaultCheckCommand: OwnerCommand {
  typealias Operation = VaultCheck

  static let place = Command(
    "check", "Say whether the vault is the one the log knows, and what an older one lacks",
    discussion: "Exit code 0 when it is, 1 when it is not.")

  static func text(_ answer: VaultCheck.Response, _ reader: Reader) -> String {
    if answer.isSound {
      let tried = shown(answer.attempts?.sentence, limit: 400)
      return "The vault is the one the log knows." + (tried.isEmpty ? "" : "\n\(tried) Everything is shut until: holdfast resume")
    }
    return """
      \(shown(answer.older?.sentence ?? answer.damage?.sentence, limit: 400))
      \(VaultText.missing(answer.older?.missing ?? []))
      Put the newer vault.db back, or go on with this one: holdfast vault accept
      """
  }
}
