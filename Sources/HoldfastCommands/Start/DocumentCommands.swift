import CommandLine
import Daemon
import OwnerAPI
import Platform
import ResponseTexts
import Signer
import TerminalUI

/// `holdfast completions`
enum CompletionsCommand: ProgramCommand {
  static let place = Command(
    "completions", "Print a shell's completions",
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
    "api", "Print the API: every operation with its parameters and its result",
    options: [.flag("json", "Print JSON instead of Markdown")], shared: SharedOptions.helpOnly,
    examples: [Example("holdfast api --json", "the API for programs")])

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    line.has("json") ? (Output.line(APIDocument.json) ? .done : .failed) : print(APIDocument.markdown)
  }
}

/// Prints a page of the help, which ends with its own line break.
func printHelp(_ text: String) -> ExitCode { Pager.plain(painted(String(text.dropLast()))) ? .done : .failed }

/// Prints a text that ends with its own line break.
func print(_ text: String) -> ExitCode { Output.write(Array(painted(text).utf8), to: 1) ? .done : .failed }
