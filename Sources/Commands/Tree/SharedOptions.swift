/// Options that many commands have in common.
enum SharedOptions {
  static let help = CommandOption.flag("help", letter: "h", "Show this help")
  static let json = CommandOption.flag("json", "Print one line of JSON instead of text for people")
  static let home = CommandOption.value("home", "DIR", "The vault's folder (else $HOLDFAST_HOME)", completion: .folder)
  static let passphraseFile = CommandOption.value(
    "passphrase-file", "FILE", "Read the vault's passphrase from a file", completion: .file)
  static let passphraseDescriptor = CommandOption.value(
    "passphrase-fd", "N", "Read the vault's passphrase from an open file descriptor")

  static let helpOnly = [help]
  static let vault = [home, passphraseFile, passphraseDescriptor, json, help]

  static let identity = CommandOption.value("identity", "NAME", "The identity to use (else the default one)")
  static let yes = CommandOption.flag("yes", "Do not ask for confirmation")
  static let trustLevels = ["full", "medium", "low"]
  static let trustMeaning =
    "full signs all but what is never automatic; medium asks for profile, follows, deletion, relay lists and app data; low asks for everything"

  static func trust(_ help: String) -> CommandOption {
    .value("trust", "LEVEL", help, completion: .words(trustLevels))
  }
}
