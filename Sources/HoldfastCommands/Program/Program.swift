import CommandLine
import CredentialOptions
import Platform
import ResponseTexts
import TerminalUI

/// The program's name in suggested commands.
let programName = "holdfast"

extension Command {
  /// A command that opens the vault. Most commands do.
  init(
    _ name: String, _ summary: String, aliases: [String] = [], discussion: String = "", arguments: [Argument] = [],
    options: [CommandOption] = [], groups: [CommandGroup] = [], examples: [Example] = [], verbs: [Command] = []
  ) {
    self.init(
      name, summary, aliases: aliases, discussion: discussion, arguments: arguments, options: options,
      shared: SharedOptions.vault, examples: examples, verbs: verbs, groups: groups)
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
    self.init(
      error.exit, error.error,
      hint: Self.hint(fault) ?? Self.output(fault, command) ?? Self.example(fault, command) ?? error.hint)
    usage = fault.isOfForm ? HelpText.usage(of: command, in: .holdfast) ?? "" : ""
  }

  /// Where the names are that the command lacks, or an example of it. Nil for any other fault.
  private static func hint(_ fault: UsageError) -> String? {
    let (name, path): (String, [String])
    switch fault {
    case .argumentMissing(let missing, let command): (name, path) = (missing, command)
    case .argumentEmpty("uri", let command):
      return "Give the link that the app shows: holdfast \(command.joined(separator: " ")) 'nostrconnect://…'"
    case .argumentEmpty(let empty, let command): (name, path) = (empty, command)
    default: return nil
    }
    guard let command = Command.holdfast.descendant(path) else { return nil }
    if case .names(let kind)? = command.arguments.first(where: { $0.name == name })?.completion, let list = lists[kind] {
      return "To see the \(kind): holdfast \(list)"
    }
    return command.examples.first.map { "For example: \($0.line)" }
  }

  /// An example of what was written wrongly. Nil if the command has none, and for any other fault.
  private static func example(_ fault: UsageError, _ path: [String]) -> String? {
    let option: String?
    guard let command = Command.holdfast.descendant(path) else { return nil }
    switch fault {
    case .argumentNotAllowed: option = nil
    case .argumentUnexpected where !command.arguments.isEmpty: option = nil
    case .valueNotAllowed(let wrong, _), .valueNotANumber(let wrong, _, _), .valueMalformed(let wrong, _): option = wrong
    default: return nil
    }
    let examples = command.examples.map(\.line)
    let fitting =
      option.map { name in examples.first { $0.contains("--\(name) ") || $0.contains("--\(name)=") } } ?? examples.first
    return fitting.map { "For example: \($0)" }
  }

  /// Where the command takes its file, or how its output gets into one, if an option was given for that and it has none. Nil for all else.
  private static func output(_ fault: UsageError, _ path: [String]) -> String? {
    let name: String? =
      switch fault {
      case .optionNotHere(let name, _), .unknownOption(let name, _): name
      default: nil
      }
    guard let name, ["--out", "--output", "--file", "-o"].contains(name), let command = Command.holdfast.descendant(path) else {
      return nil
    }
    if command.arguments.contains(where: { $0.name == "file" }) {
      return "The file is given without an option: holdfast \(path.joined(separator: " ")) FILE"
    }
    if command.option(named: "out") != nil { return "Did you mean --out?" }
    return command.examples.first { $0.line.contains(" > ") }.map { "Its output goes into a file like this: \($0.line)" }
  }

  /// The commands that list what completions name.
  private static let lists = [
    "apps": "client list", "identities": "identity list", "kits": "recovery list", "slots": "slot list",
    "requests": "request list",
  ]

  /// The text for people: what happened, and on further lines what to do.
  var text: String { text(from: programName, width: Terminal.isError ? Terminal.columns(STDERR_FILENO) : 80) }
}
