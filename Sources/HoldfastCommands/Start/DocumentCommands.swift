import CommandLine
import Daemon
import OwnerAPI
import Signer
import TerminalUI

/// `holdfast completions`
enum CompletionsCommand: ProgramCommand {
  static let place = Command(
    "completions", "Print the completions for a shell",
    arguments: [Argument("shell", "bash, zsh or fish", completion: .words(["bash", "zsh", "fish"]))],
    shared: SharedOptions.helpOnly,
    examples: [
      Example("source <(holdfast completions bash)", "for this shell"),
      Example("holdfast completions fish > ~/.config/fish/completions/holdfast.fish", "for every fish shell"),
    ])

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    guard let shell = line.argument("shell").flatMap(Completions.Shell.init) else { return .usage }
    return print(Completions.script(for: shell, root: .holdfast))
  }
}

/// `holdfast man`
enum ManualCommand: ProgramCommand {
  static let place = Command(
    "man", "Print the manual page", shared: SharedOptions.helpOnly, examples: [Example("holdfast man | man -l -", "read it")])

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode { print(ManualPage.holdfast(version: Version.text)) }
}

/// `holdfast api`
enum ContractCommand: ProgramCommand {
  static let place = Command(
    "api", "Print every operation with what it takes and answers, for programs that ask the signer",
    options: [.flag("json", "As JSON instead of Markdown")], shared: SharedOptions.helpOnly,
    examples: [Example("holdfast api --json", "for a program that makes its calls from it")])

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    line.has("json") ? (Output.line(APIDocument.json) ? .done : .failed) : print(APIDocument.markdown)
  }
}

/// Prints a text that ends with its own line break.
func print(_ text: String) -> ExitCode { Output.write(Array(text.utf8), to: 1) ? .done : .failed }
