import CommandLine
import Platform
import TerminalUI
import Unlocking

/// What opens the vault without a person.
enum WakeKey {
  /// The credential's name in a systemd unit: `LoadCredentialEncrypted=holdfast-keyring:…`.
  static let credentialName = "holdfast-keyring"
  /// The longest item, in bytes.
  private static let longest = 256

  static func opener() throws(CommandError) -> KeyringOpener {
    guard let folder = Terminal.environment("CREDENTIALS_DIRECTORY") else { return KeyringOpener() }
    let path = folder + "/" + credentialName
    guard access(path, F_OK) == 0 else { return KeyringOpener() }
    return KeyringOpener(item: try BoundedFile.bytes(of: path, most: longest))
  }
}
