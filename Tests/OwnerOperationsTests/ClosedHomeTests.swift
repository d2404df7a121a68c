import DaemonSupport
import JSON
import Testing

@testable import OwnerOperations
@testable import Signer

/// A rehearsal of a recovery kit opens a home of its own inside the running signer, with the key that comes out of the shares.
@Suite struct ClosedHomeTests {
  @Test("A home that was closed is freed, and with it every key that it held") func aClosedHomeIsFreed() throws {
    let home = try TestHome().withVault()
    weak let freed = try Self.openedAndClosed(home)
    #expect(freed == nil)
  }

  private static func openedAndClosed(_ home: TestHome) throws -> SessionLock {
    let core = try home.core()
    let operations = Operations(home: core, Services(core), running: nil)
    _ = try operations.ask("identity/create", ["name": "rehearsed"])
    core.close()
    return core.sessionLock  // it holds the engine, which holds the keys
  }
}
