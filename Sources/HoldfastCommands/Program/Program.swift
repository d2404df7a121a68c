import CommandLine
import TerminalUI

/// The program's name, as it stands in commands that are suggested.
let programName = "holdfast"

extension Command {
  /// A command that opens the vault, as most do.
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
  /// A wrong command line.
  init(_ fault: UsageError) { self.init(fault, for: programName) }

  /// For people: what happened, and on a second line what to do.
  var text: String { text(from: programName) }
}
