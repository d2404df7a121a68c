import AuditLog
import DaemonSupport
import JSON
import OwnerAPI
import Platform
import Testing
import Vault

@testable import Signer

/// What of the owner's operations keeps a session open.
@Suite struct ActivityTests {
  /// Every operation that only shows something, named here once more: whoever adds one decides it twice.
  static let looks = [
    "status", "custody/overview", "doctor/vault", "doctor/device", "vault/check", "identity/list", "identity/show",
    "identity/receipt", "identity/accounts",
    "identity/rotation", "pair/qr", "pair/list", "client/list", "client/show", "client/permissions", "local/list", "pair/preview",
    "relay/list",
    "relay/try", "policy/show", "policy/explain", "request/list",
    "request/show", "request/watch", "request/outcome", "log/show", "log/verify", "log/prove", "log/export", "log/key",
    "log/checkpoint",
    "slot/list", "recovery/list", "guardian/list", "guardian/held", "guardian/requests", "guardian/asked", "guardian/shares",
    "backup/list", "backup/plan", "backup/verify", "session/show", "push/key", "push/list", "push/status", "passphrase/suggest",
    "passphrase/check", "people/show", "trial/place",
  ]

  /// Done for a stranger, who must not hold a session open either.
  static let forOthers = ["request/hand-over"]

  @Test("Read-only operations do not extend the session, and all others do")
  func lookingHoldsNoSessionOpenAndDoingDoes() {
    let all = OperationTable.all.map { $0.properties }
    for operation in all {
      #expect(operation.isActivity == !(Self.looks + Self.forOthers).contains(operation.name), "\(operation.name)")
    }
    #expect(Set(Self.looks).isSubset(of: all.map(\.name)))
    for operation in ["", "identity/receipts", "status/now"] { #expect(OperationTable.properties(of: operation) == nil) }
  }

  /// What the table calls looking stores nothing.
  @Test("Read-only operations change nothing") func whatOnlyLooksChangesNothing() throws {
    let signer = try Signer()
    _ = try signer.pairedApp()
    try signer.operations.ask("push/key")  // made when it is asked for the first time
    signer.settle()
    let given: JSONValue = ["name": "main", "client": "tester", "sequence": 1, "text": "x"]
    for operation in Self.looks {
      let before = signer.core.vault.mark
      _ = exit(signer.operations, operation, given)
      #expect(signer.core.vault.mark == before, "\(operation)")
    }
    signer.close()
  }

  @Test("Each incident is counted once") func anIncidentIsCountedOnce() throws {
    let signer = try Signer()
    signer.core.meters.listen(to: signer.core.signerEvents, known: [], now: { signer.now })
    signer.core.sessionLock.report(.forgery)
    #expect(signer.core.meters.counts.incidents == [.minor: 1])
    _ = signer.core.sessionLock.shut("log", "The log was changed.")
    #expect(signer.core.meters.counts.incidents == [.minor: 1, .critical: 1])
    #expect(signer.core.meters.counts.newIncidents == 2)
    signer.core.meters.note { $0.checkIncidents() }
    #expect(signer.core.meters.counts.newIncidents == 0)
    signer.core.sessionLock.report(.forgery)
    #expect(signer.core.meters.counts.newIncidents == signer.core.meters.counts.allIncidents - 2)
    signer.close()
  }

  @Test("The owner's own lockdown is told and recorded as such, and is no incident to check") func anOwnLockdownIsNoIncident()
    throws
  {
    let signer = try Signer()
    signer.core.meters.listen(to: signer.core.signerEvents, known: [], now: { signer.now })
    let told = Locked<[Incident]>([])
    _ = signer.core.signerEvents.subscribe { event in
      if case .incident(let incident) = event { told.change { $0.append(incident) } }
    }
    try signer.operations.ask("panic")
    #expect(signer.core.meters.counts.newIncidents == 0)
    #expect(told.withLock { $0.map(\.isOwners) } == [true])
    try signer.operations.ask("resume", secrets: ["passphrase": box(TestHome.passphrase)])
    let entry = try signer.operations.ask("log/show", ["entry": "incidentCritical"])["entries"]?[0]
    #expect(entry?["text"] == "You locked everything down")
    signer.close()
  }
}
