/// How the owner gave a command or an answer. Each channel authenticates the owner in its own way.
public enum OwnerChannel: String, Sendable, CaseIterable {
  /// The command line, through the control socket or with the passphrase.
  case command
  /// A signed-in browser.
  case console
  /// A notification on the owner's desktop.
  case desktop
}
