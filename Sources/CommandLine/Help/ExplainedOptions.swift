/// The options of a command that a topic of the help explains.
struct ExplainedOptions {
  private let root: Command

  init(in root: Command) { self.root = root }

  /// The topic that explains an option of a command, so that the help of that command names the topic instead. Nil for an option of the
  /// command's own, and for one that its text or examples use: whoever reads them looks for it there.
  func topic(of option: CommandOption, _ command: Command) -> HelpTopic? {
    guard !command.options.contains(where: { $0.name == option.name }), !command.uses(option) else { return nil }
    return root.topics.first { $0.options.contains { $0.name == option.name } }
  }

  /// The shared options that a topic explains and that the command's own text or examples use.
  func used(by command: Command) -> [CommandOption] {
    let explained = Set(root.topics.flatMap(\.options).map(\.name))
    return command.allOptions.dropFirst(command.options.count).filter { explained.contains($0.name) && command.uses($0) }
  }
}

extension Command {
  /// Whether the text of the help or an example has an option.
  fileprivate func uses(_ option: CommandOption) -> Bool {
    ([discussion] + examples.map(\.line)).contains { text in
      text.split { !$0.isLetter && !$0.isNumber && $0 != "-" }.contains { $0 == "--" + option.name }
    }
  }
}
