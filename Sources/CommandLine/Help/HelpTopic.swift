/// Something that concerns many commands, with a page of help of its own: `holdfast help opening`.
public struct HelpTopic: Sendable {
  /// One lower-case word.
  public let name: String
  /// One line, a sentence without its full stop.
  public let summary: String
  /// Paragraphs, split by blank lines.
  public let text: String
  /// The options that the topic explains. The help of a command refers to the topic instead of listing them.
  public let options: [CommandOption]
  /// The title of the list below the text, without a colon.
  public let listTitle: String
  /// What can be typed or shown, with what it means.
  public let list: [Example]

  /// A topic of options, of a list, or of text alone.
  public init(
    _ name: String, _ summary: String, text: String, options: [CommandOption] = [], listTitle: String = "", list: [Example] = []
  ) {
    (self.name, self.summary, self.text, self.options) = (name, summary, text, options)
    (self.listTitle, self.list) = (listTitle, list)
  }
}
