public import CommandLine
import Daemon
import JSON
import OwnerAPI
import Platform
public import SecretMemory
import Signer
import TerminalUI

/// Measures that protect this process's memory and that the kernel refused.
nonisolated(unsafe) private(set) var refusedMeasures: [ProcessHardening.Refused] = []  // set once, before a command runs

/// Parses the command line, runs the command, and prints errors.
/// - Parameter refused: protections of this process's memory that the kernel refused.
public func run(_ words: [String], refused: [ProcessHardening.Refused]) -> ExitCode {
  refusedMeasures = refused
  LingeringQuiet.isWanted = true
  defer { LingeringQuiet.end() }
  let exit = ran(words)
  guard let code = Output.failure else { return exit }
  Output.warning("\(programName): Standard output could not be written: \(systemMessage(code)).")
  return exit == .done ? .failed : exit
}

private func ran(_ words: [String]) -> ExitCode {
  if let exit = NameCompletion.run(words) { return exit }
  var isJSON = words.contains("--json")
  var named = SuggestedCommands(home: nil)
  var folder: String?
  var read = ArgumentParser.holdfast.beginning(of: words)
  do throws(CommandError) {
    let invocation: Invocation
    do throws(UsageError) { invocation = try ArgumentParser.holdfast.parse(words) } catch {
      let beginning = read
      if error == .noCommand { return try showOverview(beginning) }
      if case .noVerb(let noun) = error, !isJSON { return showHelpInstead(of: noun) }
      throw CommandError(MeantCommands.explained(error, words, beginning), beginning.path)
    }
    isJSON = invocation.has("json")
    read = invocation
    named = suggested(invocation)
    folder = home(invocation).path
    return try dispatch(invocation)
  } catch {
    let error = WrongWord(read, words).naming(folder.map(error.naming(home:)) ?? error)
    if isJSON { Output.line(error.naming(named).json) } else { Output.warning(named.text(error.text)) }
    return error.exit
  }
}

/// Shows the commands of the program, or of a noun, to somebody who named none of them.
func showHelpInstead(of path: [String]) -> ExitCode {
  Output.write(
    Array(
      help(of: path, terminal: Terminal.isError ? Terminal.columns(STDERR_FILENO) : nil).utf8),
    to: STDERR_FILENO)
  return .usage
}

/// The help of a command; of the program itself the short one.
/// - Parameters:
///   - terminal: the width of the terminal, in columns; nil for a file or another program.
///   - colors: whether it goes to a terminal with colours.
private func help(of path: [String], terminal: Int?, colors: Bool = false) -> String {
  path.isEmpty
    ? HelpText.brief(of: .holdfast, terminal: terminal, colors: colors)
    : HelpText.text(for: path, in: .holdfast, terminal: terminal, colors: colors) ?? ""
}

/// The commands that need no vault of the user's, or that say themselves what is wrong with its folder.
private let withoutHome: Set = ["doctor", "help", "version", "man", "completions", "api", "proof", "native-host"]

private func dispatch(_ invocation: Invocation) throws(CommandError) -> ExitCode {
  if invocation.has("version") { return VersionCommand.show() }
  if invocation.has("help") { return printHelp(help(of: invocation.path, terminal: Terminal.width, colors: Terminal.hasColors)) }
  guard let command = HoldfastTree.command(invocation.path) else { return .usage }
  if !withoutHome.contains(invocation.path[0]), !invocation.has("trial") { try checkIsOurs(home(invocation)) }
  return try command.run(invocation)
}

extension Output {
  /// One line of JSON to standard output.
  @discardableResult static func line(_ value: JSONValue) -> Bool {
    Terminal.isOutput
      ? json(String(decoding: value.serialized(), as: UTF8.self)) : write(value.serialized() + [0x0A], to: STDOUT_FILENO)
  }
}

/// Runs a step that may find errors in the command line.
func usage<Result>(_ line: Invocation, _ step: () throws(UsageError) -> Result) throws(CommandError) -> Result {
  do { return try step() } catch { throw CommandError(error, line.path) }
}

/// This process's id.
func processID() -> Int32 { getpid() }
