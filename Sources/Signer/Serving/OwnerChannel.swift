/// How the owner asked: each channel knows by its own means that it is the owner.
public enum OwnerChannel: String, Sendable, CaseIterable {
  /// The command line, by the control socket or with the passphrase.
  case command
  /// A signed-in browser.
  case console
  /// A notification on the owner's desktop.
  case desktop
}
