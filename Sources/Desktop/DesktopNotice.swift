/// One notification as it should stand on the owner's desktop.
public struct DesktopNotice: Sendable, Hashable {
  /// Something the owner can press.
  public struct Action: Sendable, Hashable {
    /// What comes back when it is pressed. `default` is the notification itself.
    public let key: String
    /// What the button says.
    public let label: String

    /// An action by its parts.
    public init(_ key: String, _ label: String) { (self.key, self.label) = (key, label) }
  }

  /// What tells it from others: one that is shown never becomes another's.
  public let key: String
  /// One line, plain text.
  public let title: String
  /// A few lines, plain text: escaped where the desktop reads markup.
  public let body: String
  /// In the order of the buttons.
  public let actions: [Action]
  /// Whether it must be seen at once.
  public let isCritical: Bool

  /// A notice by its parts.
  public init(key: String, title: String, body: String, actions: [Action], isCritical: Bool = false) {
    (self.key, self.title, self.body, self.actions, self.isCritical) = (key, title, body, actions, isCritical)
  }
}
