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

  /// Whether systemd gives a credential, which is then used instead of the desktop's keyring.
  static var isCredential: Bool { path != nil }

  private static var path: String? {
    guard let folder = Terminal.environment("CREDENTIALS_DIRECTORY") else { return nil }
    let path = folder + "/" + credentialName
    return access(path, F_OK) == 0 ? path : nil
  }

  static func opener() throws(CommandError) -> KeyringOpener {
    guard let path else { return KeyringOpener() }
    return KeyringOpener(item: try BoundedFile.bytes(of: path, most: longest))
  }
}
