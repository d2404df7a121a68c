public import CommandLine
import Daemon
import JSON
import OwnerAPI
import Platform
public import SecretMemory
import TerminalUI

/// Parses the command line, does what it says, and says what came of it.
/// - Parameter refused: measures that protect this process's memory and that the kernel refused.
public func run(_ words: [String], refused: [ProcessHardening.Refused]) -> ExitCode {
  var isJSON = words.contains("--json")
  var named = SuggestedCommands(home: nil)
  do throws(CommandError) {
    let invocation: Invocation
    do throws(UsageError) { invocation = try ArgumentParser.holdfast.parse(words) } catch {
      if error == .noCommand {
        Output.write(Array((HelpText.text(for: [], in: .holdfast) ?? "").utf8), to: 2)
        return .usage
      }
      throw CommandError(error)
    }
    isJSON = invocation.has("json")
    named = suggested(invocation)
    return try dispatch(invocation, refused)
  } catch {
    if isJSON { Output.line(error.json) } else { Output.warning(named.text(error.text)) }
    return error.exit
  }
}

private func dispatch(_ invocation: Invocation, _ refused: [ProcessHardening.Refused]) throws(CommandError) -> ExitCode {
  if invocation.has("version") { return Output.line("holdfast \(Version.text)") ? .done : .failed }
  if invocation.has("help") { return print(HelpText.text(for: invocation.path, in: .holdfast) ?? "") }
  switch invocation.name {
  case "man": return print(ManualPage.holdfast(version: Version.text))
  case "api": return invocation.has("json") ? (Output.line(APIDocument.json) ? .done : .failed) : print(APIDocument.markdown)
  case "completions":
    guard let shell = invocation.argument("shell").flatMap(Completions.Shell.init) else { return .usage }
    return print(Completions.script(for: shell, root: .holdfast))
  case "up":
    return try startSigner(invocation, remarks: refused.map { "The system refused to protect this process: \($0.rawValue)." })
  case "init": return try createVault(invocation)
  case "doctor": return try callDoctor(invocation)
  case "identity vanity": return try searchForKey(invocation)
  case "guardian add": return try addGuardian(invocation)
  case "recovery create": return try createKit(invocation)
  case "recovery test", "recovery restore": return try useShares(invocation)
  case "backup create", "backup verify", "backup restore", "backup list", "backup plan", "backup run", "backup schedule":
    return try callBackup(invocation)
  case "request watch": return try watchRequests(invocation)
  default: return try askOwnerRequest(invocation)
  }
}

private func print(_ text: String) -> ExitCode { Output.write(Array(text.utf8), to: 1) ? .done : .failed }

extension Output {
  /// One line of JSON to standard output.
  @discardableResult static func line(_ value: JSONValue) -> Bool { write(value.serialized() + [0x0A], to: 1) }
}

/// Runs a step that finds faults in the command line.
func usage<Result>(_ step: () throws(UsageError) -> Result) throws(CommandError) -> Result {
  do { return try step() } catch { throw CommandError(error) }
}

/// This process's id.
func processID() -> Int32 { getpid() }
