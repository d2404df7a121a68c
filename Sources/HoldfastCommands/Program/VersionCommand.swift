import CommandLine
import Platform
import TerminalUI

/// `holdfast version`, which prints what `holdfast --version` does.
enum VersionCommand: ProgramCommand {
  static let place = Command("version", "Show the version", shared: SharedOptions.helpOnly)

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode { show() }

  static func show() -> ExitCode { Output.line("holdfast \(Version.text)") ? .done : .failed }
}
