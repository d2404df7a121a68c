internal import JSON
package import OwnerAPI
internal import RemoteSigning
package import Signer
internal import Vault

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
    guard let properties = OperationTable.properties(of: request.operation) else { throw .noSuchOperation }
    do {
      try checkLook(properties)
      let result = try performKnown(request, via: channel)
      return core.damagedView?.marked(result) ?? result
    } catch { throw OperationError(error) }
  }

  private func performKnown(_ request: ControlRequest, via channel: OwnerChannel) throws -> ControlResult {
    // A driver is code that runs in this process: which one, is said at the machine itself.
    if channel == .console, ["module", "new_module"].contains(where: { request.parameters[$0] != nil }) {
      throw OperationError.driverFromAfar
    }
    if let handler = Self.handlers[request.operation] {
      return try knowingShut { try handler.perform(self, OperationCall(request, via: channel)) }
    }
    let given = Parameters(request, via: channel)
    switch request.operation {
    case "identity/export": return try exportIdentity(given)
    case "pair/qr": return try drawCode(given)
    default: return try knowingShut { ControlResult(try performOpenly(given, request.operation)) }
    }
  }

  /// Runs a step. When everything is shut, the vault stores nothing: the error then says so, and blames no disk.
  private func knowingShut(_ step: () throws -> ControlResult) throws -> ControlResult {
    do { return try step() } catch {
      let error = OperationError(error)
      throw error == .notStored && core.sessionLock.isShut && core.vault.isShut ? .unlockFirst : error
    }
  }

  /// What answers without a secret.
  private func performOpenly(_ given: Parameters, _ operation: String) throws -> JSONValue {
    switch operation {
    case "identity/create": return try createIdentity(given)
    case "identity/import": return try importIdentity(given)
    case "identity/list": return listIdentities()
    case "identity/show": return try showIdentity(given)
    case "identity/rename": return try renameIdentity(given)
    case "identity/delete": return try deleteIdentity(given)
    case "identity/default": return try setDefaultIdentity(given)
    case "console/link": return try consoleLink(given)
    case "status": return status()
    case "doctor/vault": return try examineVault()
    case "doctor/device": return try deviceMark()
    case "sign": return try sign(given)
    case "lock": return try lock(given)
    case "unlock": return try unlock(given)
    case "panic": return panic(given)
    case "resume": return try resume(given)
    default: return try performOfNoun(given, operation)
    }
  }

  /// The operations that a noun's own file takes.
  private func performOfNoun(_ given: Parameters, _ operation: String) throws -> JSONValue {
    switch operation.prefix(while: { $0 != "/" }) {
    case "slot": return try slotOperation(given, operation)
    case "session": return try sessionOperation(given, operation)
    case "identity": return try furtherIdentityOperation(given, operation)
    case "vault": return try vaultOperation(given, operation)
    default: throw OperationError.noSuchOperation
    }
  }
}

extension OperationError {
  static let driverFromAfar = usage(
    "A token's driver is not named from a browser.", hint: "Use the command line on the signer's machine: --module")
}
