import Encodings

/// The manual page of a program, in the man macros of roff.
public enum ManualPage {
  /// A section at the end of the page, which the command tree does not give.
  public struct Section: Sendable {
    /// Something that is explained.
    public struct Item: Sendable {
      let name: String
      let meaning: String

      /// Something that is typed exactly so, such as an environment variable.
      public static func literal(_ name: String, _ meaning: String) -> Item { Item(name: "\\fB\(name)\\fR", meaning: meaning) }

      /// A file.
      public static func file(_ name: String, _ meaning: String) -> Item { Item(name: "\\fI\(name)\\fR", meaning: meaning) }
    }

    let title: String
    let text: String
    let items: [Item]

    /// A section of text, of items, or of both.
    public init(_ title: String, text: String = "", items: [Item] = []) {
      (self.title, self.text, self.items) = (title, text, items)
    }

    /// What the program's help explains under the topic. Its options stand among those that all commands share.
    init(_ topic: HelpTopic) {
      self.init(
        topic.name.replacing(text: "-", by: " ").uppercased(), text: "\(topic.summary).\n\(topic.text)",
        items: topic.list.map { .literal(Roff.escaped($0.line), $0.meaning) })
    }
  }

  /// The page for the whole tree, with a section for each topic of its help. Depends on its parameters only, so that a stale copy can be noticed.
  public static func text(for root: Command, version: String, sections: [Section]) -> String {
    var page = Roff()
    let name = root.name.prefix(1).uppercased() + root.name.dropFirst()
    page.macro("TH", [root.name.uppercased(), "1", "", name + " " + version, name])
    page.section("NAME")
    page.text(root.name + " \\- " + Roff.escaped(lowercasedFirst(root.summary)), isRoff: true)
    page.section("SYNOPSIS")
    let isAlone = root.verbs.isEmpty
    let words = isAlone ? places(root) : " \\fICOMMAND\\fR [\\fIARGUMENTS\\fR]"
    page.text("\\fB\(root.name)\\fR" + words + " [\\fIOPTIONS\\fR]", isRoff: true)
    page.section("DESCRIPTION")
    page.text(root.discussion)
    if isAlone { describeAlone(root, &page) } else { describeCommands(of: root, &page) }
    for section in root.topics.map(Section.init) + sections { page.add(section) }
    return page.output
  }

  private static func describeCommands(of root: Command, _ page: inout Roff) {
    page.section("COMMANDS")
    for command in root.verbs { describe(command, [root.name, command.name], ExplainedOptions(in: root), &page) }
    page.section("COMMON OPTIONS")
    for option in root.allOptions { page.item(option.roff, option.meaning) }
  }

  /// A program without commands.
  private static func describeAlone(_ root: Command, _ page: inout Roff) {
    page.section("OPTIONS")
    for argument in root.arguments { page.item("\\fI\(argument.name.uppercased())\\fR", argument.help) }
    for option in root.options + root.shared { page.item(option.roff, option.meaning) }
    if !root.examples.isEmpty { page.section("EXAMPLES") }
    for example in root.examples { page.example(example) }
  }

  private static func places(_ command: Command) -> String {
    command.arguments.map {
      let name = "\\fI\($0.name.uppercased())\\fR" + ($0.repeats ? "..." : "")
      return " " + ($0.isRequired ? name : "[\(name)]")
    }.joined()
  }

  private static func describe(_ command: Command, _ path: [String], _ explained: ExplainedOptions, _ page: inout Roff) {
    guard command.verbs.isEmpty else {
      for verb in command.verbs { describe(verb, path + [verb.name], explained, &page) }
      return
    }
    let options = command.options.map { " [" + $0.roff + "]" + ($0.shape == .repeated ? "..." : "") }
    page.subsection("\\fB" + path.map(Roff.escaped).joined(separator: " ") + "\\fR" + places(command) + options.joined())
    page.text(command.summary + ".")
    if !command.aliases.isEmpty { page.text("Also: " + command.alsoWritten(path)) }
    if !command.discussion.isEmpty { page.text(command.discussion) }
    for argument in command.arguments { page.item("\\fI\(argument.name.uppercased())\\fR", argument.help) }
    for option in command.options + explained.used(by: command) { page.item(option.roff, option.meaning) }
    for example in command.examples { page.example(example) }
  }

  private static func lowercasedFirst(_ text: String) -> String { text.prefix(1).lowercased() + text.dropFirst() }
}

extension CommandOption {
  /// The option as it is typed, in roff: bold name, italic value.
  fileprivate var roff: String {
    let names = [letter.map { "\\fB\\-\($0)\\fR" }, "\\fB\\-\\-" + Roff.escaped(name) + "\\fR"].compactMap { $0 }
    let value = "\\fI" + Roff.escaped(placeholder) + "\\fR"
    let shown = placeholder.isEmpty ? "" : shape == .optional ? "[=" + value + "]" : " " + value
    return names.joined(separator: ", ") + shown
  }
}

/// Collects lines of roff.
private struct Roff {
  private(set) var output = ""

  mutating func macro(_ name: String, _ values: [String]) {
    output += "." + name + " " + values.map { "\"" + Self.escaped($0) + "\"" }.joined(separator: " ") + "\n"
  }

  mutating func section(_ title: String) { output += ".SH " + title + "\n" }

  /// - Parameter title: roff.
  mutating func subsection(_ title: String) { output += ".SS " + title + "\n" }

  mutating func text(_ text: String, isRoff: Bool = false) {
    for paragraph in text.split(separator: "\n") {
      output += ".PP\n" + (isRoff ? String(paragraph) : Self.line(String(paragraph))) + "\n"
    }
  }

  /// - Parameter name: roff.
  mutating func item(_ name: String, _ help: String) { output += ".TP\n" + name + "\n" + Self.line(help) + "\n" }

  mutating func add(_ section: ManualPage.Section) {
    self.section(section.title)
    text(section.text)
    for item in section.items { self.item(item.name, item.meaning) }
  }

  mutating func example(_ example: Example) {
    output += ".IP\n.nf\n" + Self.line(example.line) + "\n.fi\n.RS\n.IP\n" + Self.line(example.meaning) + "\n.RE\n"
  }

  /// Text in which roff finds nothing to act on, inside a line.
  static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "\"": result += "\\(dq"
      case "…": result += "..."
      case "’": result += "\\(cq"
      case "“": result += "\\(lq"
      case "”": result += "\\(rq"
      default: result.append(character)
      }
    }
    return result
  }

  /// As `escaped`, for the start of a line, where a full stop would be a macro.
  private static func line(_ text: String) -> String { (text.hasPrefix(".") ? "\\&" : "") + escaped(text) }
}
