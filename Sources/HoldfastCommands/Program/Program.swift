import CommandLine
import TerminalUI

/// The program's name in suggested commands.
let programName = "holdfast"

extension Command {
  /// A command that opens the vault. Most commands do.
  init(
    _ name: String, _ summary: String, discussion: String = "", arguments: [Argument] = [], options: [CommandOption] = [],
    examples: [Example] = [], verbs: [Command] = []
  ) {
    self.init(
      name, summary, discussion: discussion, arguments: arguments, options: options, shared: SharedOptions.vault,
      examples: examples, verbs: verbs)
  }
}

extension ArgumentParser {
  /// The parser of this program's command line.
  static let holdfast = ArgumentParser(root: .holdfast, isSecret: holdsSecretKey)
}

extension CommandError {
  /// The error for a wrong command line.
  /// - Parameter command: the words that select the command, as far as they are known.
  init(_ fault: UsageError, _ command: [String]) {
    let error = CommandError(fault, for: programName, command: command)
    let usage = fault.isOfForm ? HelpText.usage(of: command, in: .holdfast) : nil
    self.init(error.exit, error.error, hint: (usage.map { "Usage: \($0). " } ?? "") + error.hint)
  }

  /// The text for people: what happened, and on a second line what to do.
  var text: String { text(from: programName) }
}
