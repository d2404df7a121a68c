import Backups
package import OwnerAPI
package import Signer
import Unlocking

/// A home that the command itself has opened, because no daemon runs.
package final class LocalSession: Sendable {
  private let home: OpenedHome
  private let services: Services
  private let operations: Operations

  /// Opens the vault.
  package init(home: Home, credential: ShownCredential) throws(OperationError) {
    CommandUser.passed.remember()  // one command, then the process ends
    self.home = try Opening.openOrViewDamage(home: home, credential: credential)
    services = Services(self.home)
    operations = Operations(home: self.home, services, running: nil)
  }

  /// Takes over a home that was opened in another way.
  init(_ home: OpenedHome) {
    self.home = home
    services = Services(home)
    operations = Operations(home: home, services, running: nil)
  }

  /// As `Operations.perform`.
  package func perform(_ request: ControlRequest) throws(OperationError) -> ControlResult {
    let result = try operations.perform(request, via: .command)
    if ["client/revoke", "identity/delete", "slot/remove"].contains(request.operation) {
      services.backups.sendRevocationsIfDue()
    }
    return result
  }

  /// Writes what is still to be written and closes the vault.
  package func close() {
    services.backups.stop()
    home.close()
  }
}
