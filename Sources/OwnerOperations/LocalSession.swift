import Backups
package import OwnerAPI
package import Signer
import Unlocking

/// A home that the command itself has opened, because no daemon runs.
package final class LocalSession: Sendable {
  private let core: Core
  private let services: Services
  private let operations: Operations

  /// Opens the vault.
  package init(home: Home, evidence: ShownCredential) throws(OperationError) {
    CommandUser.passed.remember()  // one command, then the process ends
    core = try Opening.coreOrDamagedView(home: home, evidence: evidence)
    services = Services(core)
    operations = Operations(core: core, services, running: nil)
  }

  /// Takes over what was opened in another way.
  init(core: Core) {
    self.core = core
    services = Services(core)
    operations = Operations(core: core, services, running: nil)
  }

  /// As `Operations.perform`.
  package func perform(_ request: ControlRequest) throws(OperationError) -> ControlResult {
    let result = try operations.perform(request, via: .command)
    if ["client/revoke", "identity/delete", "slot/remove"].contains(request.operation) {
      services.backups.sendRevocationsIfDue()
    }
    return result
  }

  /// Writes what is left to write and lets go of the vault.
  package func close() {
    services.backups.stop()
    core.close()
  }
}
