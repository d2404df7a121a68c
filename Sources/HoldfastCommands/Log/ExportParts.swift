import CommandLine
import Daemon
import OwnerAPI
import OwnerOperations
import Signer

/// Reads parts of the log, from the signer or from a vault that is opened once for all of them.
struct ExportParts: ~Copyable {
  private let line: Invocation
  private let home: Home
  private var session: LocalSession?

  init(_ line: Invocation) { (self.line, home) = (line, HoldfastCommands.home(line)) }

  mutating func next(_ request: LogExport.Request) throws(CommandError) -> ControlResult {
    let call = LogExport.call(request)
    if session == nil {
      if let result = try askDaemonWhole(call, home) { return result }
      let credential = try shownCredential(line)
      do throws(OperationError) { session = try LocalSession(home: home, credential: credential) } catch {
        throw CommandError(error)
      }
    }
    guard let session else { throw .noVault(home) }
    do throws(OperationError) { return try session.perform(call) } catch { throw CommandError(error) }
  }

  mutating func close() { session?.close() }
}
