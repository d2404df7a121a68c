import Encodings

/// Completion scripts for the shells, read off the command tree.
public enum Completions {
  /// The shells there is a script for.
  public enum Shell: String, Sendable, CaseIterable { case bash, zsh, fish }

  /// The script for one shell.
  public static func script(for shell: Shell, root: Command) -> String {
    switch shell {
    case .bash: bash(root)
    case .zsh: zsh(root)
    case .fish: fish(root)
    }
  }

  /// Every command that does something, with the words that select it.
  static func leaves(_ command: Command, _ path: [String] = []) -> [(path: [String], command: Command)] {
    command.verbs.isEmpty ? [(path, command)] : command.verbs.flatMap { leaves($0, path + [$0.name]) }
  }

  /// The program and every noun, with the words that select it.
  static func nouns(_ command: Command, _ path: [String] = []) -> [(path: [String], command: Command)] {
    command.verbs.isEmpty ? [] : [(path, command)] + command.verbs.flatMap { nouns($0, path + [$0.name]) }
  }

  /// Every option after which a value follows, with its dashes, sorted.
  static func optionsTakingValue(_ root: Command) -> [String] {
    let options = ([root] + leaves(root).map(\.command)).flatMap(\.allOptions)
    return Set(options.filter(\.takesValue).flatMap(typed)).sorted()
  }

  /// The option as it can be typed: `--out`, and `-o` if it has a letter.
  static func typed(_ option: CommandOption) -> [String] { ["--" + option.name] + (option.letter.map { ["-\($0)"] } ?? []) }

  /// Text inside single quotes of a shell.
  static func quoted(_ text: String) -> String { ShellWord.quoted(text) }
}
