import TerminalUI

/// The help of a command or a topic.
public enum HelpText {
  /// The width without a terminal, in columns.
  private static let usualWidth = 80
  /// On a narrower terminal the lines are as long as on one of this width, on a wider one they are easier to read like this.
  private static let widths = 40...100
  /// The widest first column of a table.
  private static let widestName = 26

  /// - Parameters:
  ///   - path: the words that select the command; empty for the program itself.
  ///   - terminal: the width of the terminal, in columns; nil for a file or another program, where no example is broken.
  ///   - colors: whether its headings are styled.
  /// - Returns: nil when the tree has no such command.
  public static func text(for path: [String], in root: Command, terminal: Int? = nil, colors: Bool = false) -> String? {
    guard let command = root.descendant(path) else { return nil }
    let width = width(terminal)
    var sections = [lines(([root.name] + path).joined(separator: " ") + ": " + command.summary, width)]
    let usage = command.usage([root.name] + path).map { "  " + wrapped($0, width: width - 6).joined(separator: "\n      ") }
    sections.append(heading("Usage") + "\n" + usage.joined(separator: "\n"))
    if !command.aliases.isEmpty { sections.append("Also: " + command.alsoWritten([root.name] + path)) }
    if !command.discussion.isEmpty { sections.append(lines(command.discussion, width)) }
    sections += [
      commands(of: command, width),
      table("Topics", command.topics.map { ($0.name, $0.summary) }, width),
      table("Arguments", command.arguments.map { ($0.name.uppercased(), $0.help) }, width),
      options(of: command, isRoot: path.isEmpty, root, width), examples(command.examples, terminal.map { _ in width }),
    ].filter { !$0.isEmpty }
    if !command.verbs.isEmpty {
      sections.append(lines("For one command: \((["\(root.name) help"] + path).joined(separator: " ")) COMMAND", width))
    }
    return page(sections, colors)
  }

  private static func heading(_ title: String) -> String { styled(title + ":", .bold) }

  private static func page(_ sections: [String], _ colors: Bool) -> String {
    let text = sections.joined(separator: "\n\n") + "\n"
    return colors ? text : unstyled(text)
  }

  /// The help of a program with many commands: what it is for, the commands that people use most, and how to see the rest. It fits a small
  /// terminal.
  /// - Parameters: as for a command.
  public static func brief(of root: Command, terminal: Int? = nil, colors: Bool = false) -> String {
    let width = width(terminal)
    let listed = root.essentials.compactMap { root.verb(named: $0) }.map { ($0.name, $0.summary) }
    let sections = [
      lines("\(root.name): \(root.summary)", width) + "\n\(heading("Usage")) \(root.name) COMMAND",
      table("Most used", listed, width),
      "All commands, options and topics: \(root.name) help all\nOne command: \(root.name) help COMMAND",
    ]
    return page(sections, colors)
  }

  private static func width(_ terminal: Int?) -> Int {
    terminal.map { min(max($0, widths.lowerBound), widths.upperBound) } ?? usualWidth
  }

  private static func lines(_ text: String, _ width: Int) -> String { wrapped(text, width: width).joined(separator: "\n") }

  private static func commands(of command: Command, _ width: Int) -> String {
    guard !command.groups.isEmpty, !command.verbs.isEmpty else {
      return table("Commands", command.verbs.map { ($0.name, listed($0)) }, width)
    }
    let longest = command.verbs.map(\.name.count).max() ?? 0
    return command.groups.map { group in
      table(
        group.title, group.names.compactMap { command.verb(named: $0) }.map { ($0.name, listed($0)) }, width, atLeast: longest)
    }.joined(separator: "\n\n")
  }

  /// A command's line in the help above it: with the verbs below it, if it has any.
  private static func listed(_ command: Command) -> String {
    command.verbs.isEmpty ? command.summary : command.summary + ": " + command.verbs.map(\.name).joined(separator: ", ")
  }

  /// How a command is written, in one line, with its own options and what their values are.
  /// - Returns: nil for a command with verbs, and when the tree has no such command.
  public static func usage(of path: [String], in root: Command) -> String? {
    guard !path.isEmpty, let command = root.descendant(path), command.verbs.isEmpty else { return nil }
    let options = command.options.map { "[--\($0.name)\($0.suffix)]" }
    return ([root.name] + path + command.arguments.map(\.placeholder) + options).joined(separator: " ")
  }

  /// The page of a topic.
  /// - Parameters: as for a command.
  /// - Returns: nil when the program has no such topic.
  public static func text(
    forTopic name: String, in root: Command, terminal: Int? = nil, colors: Bool = false
  ) -> String? {
    guard let topic = root.topics.first(where: { $0.name == name }) else { return nil }
    let width = width(terminal)
    let sections = [
      lines("\(root.name) help \(name): \(topic.summary)", width), lines(topic.text, width),
      table("Options", topic.options.map { ($0.spelling, $0.meaning) }, width),
      table(topic.listTitle, topic.list.map { ($0.line, $0.meaning) }, width),
    ].filter { !$0.isEmpty }
    return page(sections, colors)
  }

  /// The options of a command. Options that only a topic of the help explains are left out: one line names that topic.
  private static func options(of command: Command, isRoot: Bool, _ root: Command, _ width: Int) -> String {
    guard command.verbs.isEmpty || isRoot else { return "" }
    let (all, explained) = (command.allOptions, ExplainedOptions(in: root))
    let listed = grouped(
      all.filter { explained.topic(of: $0, command) == nil }, command.verbs.isEmpty ? command.groups : [], width)
    let named = root.topics.filter { wanted in all.contains { explained.topic(of: $0, command)?.name == wanted.name } }
    let topics = named.map { lines("\($0.summary): \(root.name) help \($0.name)", width) }
    return ([listed] + topics).filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  /// A table for each group of options, and one for those that are in none.
  private static func grouped(_ options: [CommandOption], _ groups: [CommandGroup], _ width: Int) -> String {
    func rows(_ meant: (CommandOption) -> Bool) -> [(String, String)] { options.filter(meant).map { ($0.spelling, $0.meaning) } }
    let longest = options.map(\.spelling.count).max() ?? 0
    let named = groups.map { group in table(group.title, rows { group.names.contains($0.name) }, width, atLeast: longest) }
    let others = rows { option in !groups.contains { $0.names.contains(option.name) } }
    return (named + [table(groups.isEmpty ? "Options" : "More", others, width, atLeast: groups.isEmpty ? 0 : longest)])
      .filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  /// - Parameter atLeast: the width of the first column, so that several tables are aligned.
  private static func table(_ title: String, _ rows: [(String, String)], _ width: Int, atLeast: Int = 0) -> String {
    guard !rows.isEmpty else { return "" }
    let column = min(widestName, width / 3, max(atLeast, rows.map(\.0.count).max() ?? 0)) + 2
    let lines = rows.flatMap { name, help -> [String] in
      let text = wrapped(help, width: width - column - 2)
      let indent = String(repeating: " ", count: column + 2)
      if name.count + 2 > column { return ["  " + name] + text.map { indent + $0 } }
      return ["  " + name.padded(to: column) + (text.first ?? "")] + text.dropFirst().map { indent + $0 }
    }
    return ([heading(title)] + lines).joined(separator: "\n")
  }

  private static func examples(_ examples: [Example], _ width: Int?) -> String {
    guard !examples.isEmpty else { return "" }
    let indent = "      "
    let lines = examples.flatMap { example -> [String] in
      guard let width else { return ["  " + example.line, indent + example.meaning] }
      return ["  " + copyable(example.line, width - 2).joined(separator: " \\\n" + indent)]
        + wrapped(example.meaning, width: width - indent.count).map { indent + $0 }
    }
    return ([heading("Examples")] + lines).joined(separator: "\n")
  }

  /// A command in lines that a shell puts together again. What is in quotes stays together.
  private static func copyable(_ line: String, _ width: Int) -> [String] {
    guard line.count > width else { return [line] }
    var (pieces, isQuoted): ([String], Bool) = ([], false)
    for word in line.split(separator: " ", omittingEmptySubsequences: false) {
      if isQuoted { pieces[pieces.count - 1] += " " + word } else { pieces.append(String(word)) }
      if word.count(where: { $0 == "'" || $0 == "\"" }) % 2 == 1 { isQuoted.toggle() }
    }
    // Further lines are indented, and each but the last ends in a space and a backslash.
    return filled(pieces, width - 6)
  }
}

extension Command {
  /// The command that the words select, this one for none.
  public func descendant(_ path: [String]) -> Command? {
    guard let first = path.first else { return self }
    return verb(named: first)?.descendant(Array(path.dropFirst()))
  }

  /// The command with its aliases in the place of its name, which is the last of the words.
  func alsoWritten(_ words: [String]) -> String {
    aliases.map { (words.dropLast() + [$0]).joined(separator: " ") }.joined(separator: ", ")
  }

  /// The lines of the usage section, without an indent.
  func usage(_ words: [String]) -> [String] {
    let start = words.joined(separator: " ")
    guard verbs.isEmpty else { return [start + " COMMAND"] }
    let places = arguments.map(\.placeholder)
    return [([start] + places + (allOptions.isEmpty ? [] : ["[OPTIONS]"])).joined(separator: " ")]
  }
}

extension CommandOption {
  /// The option as it is typed: `--home DIR`, `-h, --help`.
  var spelling: String {
    (letter.map { "-\($0), " } ?? "") + "--" + name + suffix
  }

  /// What it does, with the words it accepts.
  var meaning: String {
    guard case .words(let words) = completion else { return help }
    let named = Set(help.split { !$0.isLetter && !$0.isNumber && $0 != "-" }.map(String.init))
    return named.isSuperset(of: words) ? help : help + " [" + words.joined(separator: "|") + "]"
  }
}
