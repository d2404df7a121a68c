import CommandLine

/// A command of the program: its place in the tree, and what it does.
protocol ProgramCommand: SendableMetatype {
  /// Its name, arguments, options and help.
  static var place: Command { get }

  /// Runs the command, and prints the result.
  static func run(_ line: Invocation) throws(CommandError) -> ExitCode
}

/// A noun and its commands.
struct Noun: Sendable {
  private let name: String
  private let summary: String
  private let discussion: String
  /// In the order in which the help lists them.
  let commands: [any ProgramCommand.Type]

  init(_ name: String, _ summary: String, discussion: String = "", commands: [any ProgramCommand.Type]) {
    (self.name, self.summary, self.discussion, self.commands) = (name, summary, discussion, commands)
  }

  /// Its place in the tree.
  var place: Command { Command(name, summary, discussion: discussion, verbs: commands.map { $0.place }) }

  /// The command of this noun that a command line names.
  func command(_ path: [String]) -> (any ProgramCommand.Type)? {
    guard path.count == 2, path[0] == name else { return nil }
    return commands.first { $0.place.name == path[1] }
  }
}
