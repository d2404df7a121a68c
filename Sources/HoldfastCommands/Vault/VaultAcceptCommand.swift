import CommandLine
import OwnerAPI
import ResponseTexts

/// `holdfast vault accept`
enum VaultAcceptCommand: OwnerCommand {
  typealias Operation = VaultAccept

  static let place = Command(
    "accept", "Continue with an older vault",
    discussion: """
      Asks for your proof. Apps that you revoked later, by the log, are revoked again. All others are paused. Links, waiting \
      requests and the console's passkeys are dropped. Slots that you removed open the vault again, and your passphrase is the \
      old one: remove and change them again. The signer stays locked down until 'holdfast resume'.
      """,
    options: [SharedOptions.yes])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> Credential { Credential() }

  static func question(_ line: Invocation) -> String? { "Continue with the older vault?" }

  static func text(_ answer: VaultAccept.Response, _ reader: Reader) -> String {
    """
    The older vault is accepted, and the log records it.
    Revoked again: \(VaultText.names(answer.revoked)). Paused: \(VaultText.names(answer.paused)).
    \(VaultText.missing(answer.older.missing, reader))
    Repeat the missing changes by hand. If you changed the passphrase since, the old one is valid again: holdfast slot passphrase. A way to open the
    vault that you removed since opens it again: holdfast slot remove, then holdfast slot rotate.
    No app is served until: holdfast resume
    """
  }
}
