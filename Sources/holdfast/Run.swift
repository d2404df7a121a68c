internal import Commands

/// Parses the command line and does what it says.
func run(_ words: [String]) -> ExitCode {
  do throws(UsageError) {
    let invocation = try ArgumentParser(root: .holdfast).parse(words)
    return dispatch(invocation)
  } catch {
    Output.warning("holdfast: \(error.sentence)\n\(error.hint)")
    return .usage
  }
}

private func dispatch(_ invocation: Invocation) -> ExitCode {
  if invocation.has("version") {
    Output.line("holdfast \(HoldfastVersion.current)")
    return .done
  }
  if invocation.has("help") {
    return print(HelpText.text(for: invocation.path, in: .holdfast) ?? "")
  }
  switch invocation.name {
  case "man": return print(ManualPage.text(for: .holdfast))
  case "completions":
    guard let shell = invocation.argument("shell").flatMap(Completions.Shell.init) else { return .usage }
    return print(Completions.script(for: shell, root: .holdfast))
  default:
    Output.warning("holdfast: no daemon is running.")
    return .failed
  }
}

private func print(_ text: String) -> ExitCode { Output.write(Array(text.utf8), to: 1) ? .done : .failed }
