import JSON
package import OwnerAPI
package import Signer
import Vault

/// The commands of the owner, over an opened home: the same whether the daemon does them or the command itself.
package final class Operations: Sendable {
  package let core: Core
  let services: Services
  /// The running daemon's part. Nil when the command opened the vault itself.
  let running: RunningSigner?
  let logCheck = LogCheck()

  package init(core: Core, _ services: Services, running: RunningSigner?) {
    (self.core, self.services, self.running) = (core, services, running)
  }

  /// Does one command.
  /// - Parameter request: `noun/verb` or a verb alone; what is missing or wrong in its parameters is told by name.
  /// - Returns: a JSON object, and the secrets that belong into it.
  package func perform(_ request: ControlRequest, via channel: OwnerChannel) throws(OperationError) -> ControlResult {
    try performing(request, via: channel) { handler, call in marked(try handler.perform(self, call)) }
  }

  /// As `perform`, for a running signer: answers once what was made is of use, perhaps on another thread. A link is, when its relays
  /// hear it. Answers or throws, and either once.
  package func perform(
    _ request: ControlRequest, via channel: OwnerChannel, _ answer: @escaping @Sendable (ControlResult) -> Void
  ) throws(OperationError) {
    try performing(request, via: channel) { handler, call in
      try handler.answer(self, call) { [self] result in answer(marked(result)) }
    }
  }

  private func marked(_ result: ControlResult) -> ControlResult { core.damagedView?.marked(result) ?? result }

  private func performing<Result>(
    _ request: ControlRequest, via channel: OwnerChannel, _ step: (OperationHandler, OperationCall) throws -> Result
  ) throws(OperationError) -> Result {
    guard let properties = OperationTable.properties(of: request.operation) else { throw .noSuchOperation }
    do {
      try checkLook(properties)
      let handler = try handler(of: request, via: channel)
      return try knowingShut { try step(handler, OperationCall(request, via: channel)) }
    } catch { throw OperationError(error) }
  }

  private func handler(of request: ControlRequest, via channel: OwnerChannel) throws -> OperationHandler {
    // A driver is code that runs in this process: which one, is said at the machine itself.
    if channel == .console, ["module", "new_module"].contains(where: { request.parameters[$0] != nil }) {
      throw OperationError.driverFromAfar
    }
    guard let handler = Self.handlers[request.operation] else { throw OperationError.noSuchOperation }
    return handler
  }

  /// Runs a step. When everything is shut, the vault stores nothing: the error then says so, and blames no disk.
  private func knowingShut<Result>(_ step: () throws -> Result) throws -> Result {
    do { return try step() } catch {
      let error = OperationError(error)
      throw error == .notStored && core.sessionLock.isShut && core.vault.isShut ? .unlockFirst : error
    }
  }
}

extension OperationError {
  static let driverFromAfar = usage(
    "A token's driver is not named from a browser.", hint: "Use the command line on the signer's machine: --module")
}
