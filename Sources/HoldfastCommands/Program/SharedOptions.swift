import CommandLine
import ResponseTexts
import TerminalUI

/// Options that many commands have in common.
enum SharedOptions {
  /// Where the vault is if neither the command line nor `HOLDFAST_HOME` says, as `Home.standard` finds it.
  static let usualHome = "$XDG_DATA_HOME/holdfast, else ~/.local/share/holdfast"
  static let json = CommandOption.flag("json", "Print one line of JSON instead of text for people")
  static let home = CommandOption.value(
    "home", "DIR", "The folder of the vault (default: $HOLDFAST_HOME, else \(usualHome))", completion: .folder)
  static let passphraseFile = CommandOption.value(
    "passphrase-file", "FILE", "Read the vault's passphrase from a file", completion: .file)
  static let passphraseDescriptor = CommandOption.value(
    "passphrase-fd", "N", "Read the vault's passphrase from an open file descriptor")

  static let token = CommandOption.optional(
    "token", "URI", "Open with a token and its PIN; if there are several, a pkcs11: URI names one")
  static let module = CommandOption.value(
    "module", "FILE", "The token's PKCS#11 driver, if it is not the known one", completion: .file)
  static let pinFile = CommandOption.value("pin-file", "FILE", "Read the token's PIN from a file", completion: .file)
  static let keyring = CommandOption.flag(
    "keyring", "Open with the desktop's keyring: opens only what stays open while the session is locked")
  static let sharesFile = CommandOption.repeated(
    "shares-file", "FILE", "Open with enough shares of the recovery kit, one per line; may be given several times",
    completion: .file)
  static let recoveryCodeFile = CommandOption.value(
    "recovery-code-file", "FILE", "Read the kit's recovery code from a file", completion: .file)
  static let recoveryCode = CommandOption.flag("recovery-code", "Ask for the kit's recovery code")
  static let loginFile = CommandOption.value(
    "login-file", "FILE", "Read the login password from a file, for a slot that asks PAM first", completion: .file)

  static let helpOnly = [CommandOption.help]
  /// Options of commands that make a vault.
  static let newVault = [home, passphraseFile, passphraseDescriptor, json, .help]
  /// What opens a vault.
  static let opening = [
    passphraseFile, passphraseDescriptor, token, module, pinFile, keyring, sharesFile, recoveryCodeFile, loginFile,
  ]
  /// Options of commands that open a vault by any kind of credential.
  static let vault = [home] + opening + [json, .help]

  static let identity = CommandOption.value(
    "identity", "NAME", "The identity to use (default: the default identity)", completion: .names("identities"))
  static let hidden = CommandOption.flag("hidden", "Do not show typed shares")
  static let acceptLoss = CommandOption.flag(
    "accept-loss", "Continue even if keys are lost for good because nothing else opens them; the keys are named")
  static let yes = CommandOption.flag("yes", "Do not ask for confirmation")
  /// For what nobody can undo.
  static let yesFinally = CommandOption.flag("yes", "Do not ask for confirmation; without a terminal this is needed")
  /// For texts that may be long.
  static let noPager = CommandOption.flag(
    "no-pager", "Print a long text at once, not through the pager ($HOLDFAST_PAGER or $PAGER)")
  static let trustLevels = ["full", "medium", "low"]
  static let trustMeaning =
    "full asks only what every app must ask, and reads private messages; medium also asks for profile, follows, deletion, relay lists and app settings, and reads private messages without asking; low asks for everything"

  static func trust(_ help: String) -> CommandOption {
    .value("trust", "LEVEL", help, completion: .words(trustLevels))
  }
}
