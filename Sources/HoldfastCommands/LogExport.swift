import CommandLine
import Daemon
import JSON
import OwnerAPI
import Platform
import Signer
import TerminalUI

/// `holdfast log export`: asks for one part after the other and prints each entry on a line of its own.
func exportLog(_ request: ControlRequest, _ invocation: Invocation) throws(CommandError) -> ExitCode {
  let home = home(invocation)
  var session: LocalSession?
  defer { session?.close() }
  var from: Int64? = 1
  var bar: ProgressBar?
  defer { bar?.finish() }
  while let next = from {
    let part = ControlRequest(
      request.operation, .object((request.parameters.members ?? []).filter { $0.key != "from" } + [.init("from", .integer(next))])
    )
    var result = session == nil ? try askDaemon(part, home) : nil
    if result == nil {
      if session == nil { session = try localSession(home, invocation) }
      do throws(OperationError) { result = try session?.perform(part).json } catch { throw CommandError(error) }
    }
    var lines: [UInt8] = []
    for entry in result?["entries"]?.array ?? [] { lines += entry.serialized() + [0x0A] }
    guard Output.write(lines, to: STDOUT_FILENO) else { return .failed }
    from = result?["next"]?.integer
    // On a terminal the entries themselves show how far it is.
    guard isatty(STDOUT_FILENO) == 0, let count = result?["count"]?.integer else { continue }
    if bar == nil { bar = ProgressBar("Exporting", total: Int(clamping: count), now: Clock.monotonicMilliseconds) }
    bar?.update(done: Int(clamping: from ?? count), now: Clock.monotonicMilliseconds)
  }
  return .done
}

private func localSession(_ home: Home, _ invocation: Invocation) throws(CommandError) -> LocalSession {
  guard Opening.hasVault(home) else { throw .noVault(home) }
  let evidence = try evidence(invocation)
  do throws(OperationError) { return try LocalSession(home: home, evidence: evidence) } catch { throw CommandError(error) }
}
