import CommandLine
import Encodings
import TerminalUI

/// `holdfast help`
enum HelpCommand: ProgramCommand {
  static let place = Command(
    "help", "Explain a command or a topic",
    arguments: [
      Argument("topic", "A topic, or the words of a command; without it, the whole program", required: false, repeats: true)
    ], shared: SharedOptions.helpOnly,
    examples: [
      Example("holdfast help policy set", "one command"), Example("holdfast help opening", "the ways to open the vault"),
    ])

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    let words = line.arguments("topic")
    let topic = words.count == 1 ? HelpText.text(forTopic: words[0], in: .holdfast, terminal: Terminal.width) : nil
    guard let text = topic ?? HelpText.text(for: words, in: .holdfast, terminal: Terminal.width) else {
      throw CommandError(.usage, "There is no command and no topic of that name.", hint: hint(words))
    }
    return print(text)
  }

  private static func hint(_ words: [String]) -> String {
    let names = Command.holdfast.verbs.map(\.name) + Command.holdfast.topics.map(\.name)
    guard words.count == 1, let close = nearest(to: words[0], among: names) else { return "See: holdfast help" }
    return "Did you mean 'holdfast help \(close)'?"
  }
}
