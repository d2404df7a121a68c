/// One notification for the owner's desktop.
public struct DesktopNotice: Sendable, Hashable {
  /// Something that the owner can press.
  public struct Action: Sendable, Hashable {
    /// Identifies the action when it is pressed. `default` is the notification itself.
    public let key: String
    /// The button's label.
    public let label: String

    /// An action by its parts.
    public init(_ key: String, _ label: String) { (self.key, self.label) = (key, label) }
  }

  /// Identifies the notice. A notification that is shown never changes to another key.
  public let key: String
  /// One line, plain text.
  public let title: String
  /// A few lines of plain text, escaped if the desktop reads markup.
  public let body: String
  /// The actions, in the order of the buttons.
  public let actions: [Action]
  /// Whether it is urgent.
  public let isCritical: Bool

  /// A notice by its parts.
  public init(key: String, title: String, body: String, actions: [Action], isCritical: Bool = false) {
    (self.key, self.title, self.body, self.actions, self.isCritical) = (key, title, body, actions, isCritical)
  }
}
