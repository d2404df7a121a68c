import CommandLine
import Daemon
import OwnerAPI
import OwnerOperations
import Platform
import Signer
import TerminalUI

/// How long the signer checks before it reports its progress, in seconds.
private let secondsBetweenWords: Int64 = 1

/// `holdfast log verify` by the running signer. Asks repeatedly until it is done, with a progress bar on a terminal.
/// - Returns: nil if no signer runs.
func askForLogCheck(_ home: Home) throws(CommandError) -> ControlResult? {
  var request = LogVerify.Request()
  request.wait = secondsBetweenWords
  var bar: ProgressBar?
  defer { bar?.finish() }
  while true {
    guard let result = try askDaemonWhole(LogVerify.call(request), home) else { return nil }
    guard let check = try LogVerify.answer(result).underWay else { return result }
    request.check = check.check
    draw(&bar, checked: check.checked, of: check.entries)
  }
}

/// The same without a signer, on this process's own thread.
/// - Parameter credential: nil checks what can be checked without keys.
func checkLogHere(_ home: Home, _ credential: ShownCredential?) throws(CommandError) -> ControlResult {
  var bar: ProgressBar?
  defer { bar?.finish() }
  do throws(OperationError) {
    let found = try Opening.verifyLog(home: home, credential: credential) { checked, total in
      draw(&bar, checked: Int64(clamping: checked), of: Int64(clamping: total))
    }
    return LogVerify.result(found)
  } catch { throw CommandError(error) }
}

private func draw(_ bar: inout ProgressBar?, checked: Int64, of total: Int64) {
  guard total > 0 else { return }
  if bar == nil { bar = ProgressBar("Checking", total: Int(clamping: total), now: Clock.monotonicMilliseconds) }
  bar?.update(done: Int(clamping: checked), now: Clock.monotonicMilliseconds)
}
