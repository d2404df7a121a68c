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
    return print(text)
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
    let names = Command.holdfast.verbs.map(\.name) + Command.holdfast.topics.map(\.name)
    guard words.count == 1, let close = nearest(to: words[0], among: names) else { return "See: holdfast help all" }
    return "Did you mean 'holdfast help \(close)'?"
  }
}
