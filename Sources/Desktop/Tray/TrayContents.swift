/// What the icon in the desktop's panel shows.
public struct TrayContents: Sendable, Hashable {
  /// The icon's colour.
  public enum State: Sendable, Hashable { case open, locked, waiting }

  /// One line of the menu.
  public struct Entry: Sendable, Hashable {
    /// The entry's number, 1 or more and different for each. The panel names the chosen entry by it.
    public let id: Int32
    /// Plain text. Empty for a line between entries.
    public let label: String
    /// Whether it can be chosen.
    public let isEnabled: Bool

    /// An entry by its parts.
    public init(_ id: Int32, _ label: String, isEnabled: Bool = true) {
      (self.id, self.label, self.isEnabled) = (id, label, isEnabled)
    }
  }

  /// The colour.
  public let state: State
  /// One line of plain text.
  public let tip: String
  /// The menu, from top to bottom.
  public let entries: [Entry]

  /// Contents by their parts.
  public init(_ state: State, tip: String, entries: [Entry]) { (self.state, self.tip, self.entries) = (state, tip, entries) }
}
