import CommandLine
import Encodings
import TerminalUI

/// `holdfast help`
enum HelpCommand: ProgramCommand {
  static let place = Command(
    "help", "Explain a command or a topic",
    arguments: [
      Argument(
        "topic", "A topic, the words of a command, or 'all' for every command; without it, the commands that are used most",
        required: false, completion: .names("topics"), repeats: true)
    ], shared: SharedOptions.helpOnly,
    examples: [
      Example("holdfast help all", "every command"), Example("holdfast help policy set", "one command"),
      Example("holdfast help opening", "the ways to open the vault"),
    ])

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    let words = line.arguments("topic")
    if words.isEmpty { return print(HelpText.brief(of: .holdfast, terminal: Terminal.width, colors: Terminal.hasColors)) }
    let path = words == ["all"] ? [] : words
    guard let text = topic(words) ?? HelpText.text(for: path, in: .holdfast, terminal: Terminal.width, colors: Terminal.hasColors)
    else {
      throw CommandError(.usage, "There is no command and no topic of that name.", hint: hint(words))
    }
    return printHelp(text)
  }

  /// A topic, and where to look for the command that has the same name.
  private static func topic(_ words: [String]) -> String? {
    guard words.count == 1,
      let text = HelpText.text(forTopic: words[0], in: .holdfast, terminal: Terminal.width, colors: Terminal.hasColors)
    else {
      return nil
    }
    guard HelpText.text(for: words, in: .holdfast, terminal: Terminal.width, colors: Terminal.hasColors) != nil else {
      return text
    }
    return text + "\nThe command of that name: holdfast \(words[0]) --help\n"
  }

  private static func hint(_ words: [String]) -> String {
    meant(words).map { "Did you mean 'holdfast help \($0)'?" } ?? "See: holdfast help all"
  }

  /// The topic or command that was probably meant: a word of other programs, or one that is mistyped. Nil for none.
  static func meant(_ words: [String]) -> String? {
    if words.count == 1 {
      if let command = MeantCommands.named(words[0]) { return command }
      if let verb = verbAlone(words[0]) { return verb }
    }
    var (here, path): (Command, [String]) = (.holdfast, [])
    for word in words {
      let names = here.verbs.map(\.name) + (path.isEmpty && words.count == 1 ? here.topics.map(\.name) : [])
      let known = here.verb(named: word)?.name ?? (path.isEmpty ? nil : Synonyms.verb(word, of: here))
      guard let close = known ?? nearest(to: word, among: names) else { return nil }
      path.append(close)
      here = here.verb(named: close) ?? here
    }
    return path.joined(separator: " ")
  }

  /// The command whose noun was left out, if no other has a verb of that name: `aprove` means `request approve`.
  static func verbAlone(_ word: String) -> String? {
    let nouns = Command.holdfast.verbs
    guard nearest(to: word, among: nouns.map(\.name) + Command.holdfast.topics.map(\.name)) == nil,
      let verb = nearest(to: word, among: nouns.flatMap { $0.verbs.map(\.name) })
    else { return nil }
    let found = nouns.filter { $0.verb(named: verb) != nil }
    return found.count == 1 ? "\(found[0].name) \(verb)" : nil
  }
}
