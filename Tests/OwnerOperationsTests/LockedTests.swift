import AuditLog
import DaemonSupport
import JSON
import OwnerAPI
import OwnerWords
import RemoteSigning
import Testing

@testable import OwnerOperations
@testable import Signer

/// What the owner, or whoever sits at the owner's desk, may change while the signer is locked.
@Suite struct LockedTests {
  private static let looser: [(String, JSONValue)] = [
    ("client/trust", ["client": "tester", "trust": "full"]),
    ("client/allow", ["client": "tester", "permission": "sign_event:1"]),
    ("client/ask", ["client": "tester", "permission": "sign_event:7"]),
    ("client/forget", ["client": "tester", "permission": "sign_event:7"]),
    ("client/limit", ["client": "tester", "per_hour": .null]),
    ("client/budget", ["client": "tester", "permission": "sign_event:1", "count": 9, "period": "1d"]),
    ("client/resume", ["client": "tester"]), ("policy/set", ["default_trust": "full"]), ("policy/set", ["follow_share": 50]),
    ("identity/set", ["name": "main", "relays": ["wss://relay.example"]]), ("pair/new", [:]),
    ("session/set", ["lock_after": .null]),
    ("session/set", ["lock_on_suspend": false]),
  ]

  private static let stricter: [(String, JSONValue)] = [
    ("client/trust", ["client": "tester", "trust": "low"]),
    ("client/deny", ["client": "tester", "permission": "sign_event:1"]),
    ("client/ask", ["client": "tester", "permission": "sign_event:6"]),
    ("client/limit", ["client": "tester", "per_hour": 1]),
    ("client/budget", ["client": "tester", "permission": "sign_event:1", "count": 1, "period": "1d"]),
    ("client/suspend", ["client": "tester"]), ("policy/set", ["default_trust": "low"]), ("policy/set", ["follow_share": 0]),
    ("identity/set", ["name": "main", "notes": "mine", "relays": []]), ("session/set", ["lock_after": 60]),
    ("client/revoke", ["client": "tester"]),
  ]

  private func signer() throws -> Signer {
    let signer = try Signer()
    _ = try signer.pairedApp(trust: "medium")
    for (operation, request) in [
      ("client/deny", ["client": "tester", "permission": "sign_event:7"] as JSONValue),
      ("client/limit", ["client": "tester", "per_hour": 5]),
      ("client/budget", ["client": "tester", "permission": "sign_event:1", "count": 5, "period": "1d"]),
      ("session/set", ["lock_after": 3600, "lock_on_suspend": true]),
    ] { try signer.operations.ask(operation, request) }
    return signer
  }

  @Test("While the signer is locked, nobody reads what a waiting request says") func whatWaitsIsHiddenWhileLocked() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "low")
    try signer.deliver(app, "sign_event", [#"{"kind":1,"content":"meet me at nine","tags":[],"created_at":1}"#])
    func request() throws -> JSONValue { try unwrap(try signer.operations.ask("request/list")["requests"]?[0]) }
    func whole() throws -> JSONValue { try signer.operations.ask("request/show", ["id": try unwrap(try request()["id"])]) }
    let (before, wholeBefore) = (try request(), try whole())
    #expect("\(before)".contains("meet me") && "\(wholeBefore["raw"] ?? .null)".contains("meet me"))
    signer.core.sessionLock.lock("a test")
    for hidden in [try request(), try whole()] {
      #expect(hidden["needs_unlock"] == true, "an approval fails")
      #expect(hidden["hidden"] == true && hidden["parts"]?.array?.isEmpty == true && hidden["summary"] == "")
      #expect(hidden["title"] == "Sign a note" && !"\(hidden)".contains("meet me"))
    }
    try signer.operations.ask("unlock", [:], secrets: ["passphrase": box(TestHome.passphrase)])
    #expect(try request() == before && whole() == wholeBefore)
    signer.close()
  }

  @Test("A request whose key is not locked away can be approved while the signer is locked")
  func aKeyMayStayThroughLocks() throws {
    let signer = try Signer()
    try signer.operations.ask(
      "identity/class", ["name": "main", "class": "after-first-unlock"], secrets: ["passphrase": box(TestHome.passphrase)])
    let app = try signer.pairedApp(trust: "low")
    try signer.deliver(app, "sign_event", [#"{"kind":1,"content":"hello","tags":[],"created_at":1}"#])
    signer.core.sessionLock.lock("a test")
    let request = try unwrap(try signer.operations.ask("request/list")["requests"]?[0])
    #expect(request["hidden"] == true && request["needs_unlock"] == nil)
    try signer.operations.ask("request/approve", ["id": try unwrap(request["id"])])
    signer.close()
  }

  @Test("While the signer is locked, nothing gives an app more, and the error says what to do")
  func nothingIsLoosenedWhileLocked() throws {
    let signer = try signer()
    try signer.operations.ask("client/suspend", ["client": "tester"])
    let before = try signer.operations.ask("client/show", ["client": "tester"])
    signer.core.sessionLock.lock("a test")
    for (operation, request) in Self.looser {
      #expect(throws: OperationError.onlyTightening, "\(operation) \(request)") {
        try signer.operations.ask(operation, request)
      }
    }
    #expect(try signer.operations.ask("client/show", ["client": "tester"]) == before)
    #expect(try signer.operations.ask("policy/show")["default_trust"] == "medium")
    #expect(signer.core.engine.openLinks.isEmpty)
    signer.close()
  }

  @Test("While the signer is locked, apps can be allowed less, paused and revoked")
  func tighteningWorksWhileLocked() throws {
    let signer = try signer()
    signer.core.sessionLock.lock("a test")
    for (operation, request) in Self.stricter {
      #expect(throws: Never.self, "\(operation) \(request)") { try signer.operations.ask(operation, request) }
    }
    #expect(signer.core.engine.pairings.isEmpty)
    signer.close()
  }

  @Test("The same changes are made once the signer is unlocked") func looseningWorksUnlocked() throws {
    let signer = try signer()
    for (operation, request) in Self.looser {
      #expect(throws: Never.self, "\(operation) \(request)") { try signer.operations.ask(operation, request) }
    }
    signer.close()
  }

  @Test("A locked signer refuses every operation that is marked so, before it reads the request")
  func markedOperationsAreRefusedWhileLocked() throws {
    let signer = try signer()
    signer.core.sessionLock.lock("a test")
    let marked = OperationTable.all.map { $0.properties }.filter { $0.needsUnlocked }.map { $0.name }
    #expect(
      Set(marked).isSuperset(of: ["identity/import", "identity/default", "client/rename", "incidents/checked", "push/remove"]))
    for name in marked {
      #expect(throws: OperationError.unlockFirst, "\(name)") { try signer.operations.ask(name) }
    }
    signer.close()
  }

  @Test("A refusal because of the lock says that the change goes through once the signer is unlocked")
  func refusalsBecauseOfTheLockAreMarked() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "low")
    try signer.deliver(app, "sign_event", [note()])
    let request = try unwrap(try signer.operations.ask("request/list")["requests"]?[0]?["id"]?.string)
    signer.core.sessionLock.lock("a test")
    for (operation, parameters) in [
      ("identity/default", ["identity": "x"]), ("client/trust", ["client": "tester", "trust": "full"]),
    ]
      as [(String, JSONValue)]
    {
      #expect(failure { try signer.operations.ask(operation, parameters) }?.wantsUnlocking == true, "\(operation)")
    }
    // What is approved may look different then, and a page that only shows something waits for the person.
    let others = [("request/approve", ["id": .string(request)]), ("log/show", [:])] as [(String, JSONValue)]
    for (operation, parameters) in others {
      let refusal = failure { try signer.operations.ask(operation, parameters) }
      #expect(refusal?.exit == .locked && refusal?.wantsUnlocking == false, "\(operation)")
    }
    try signer.operations.ask("panic")
    #expect(failure { try signer.operations.ask("identity/default", ["identity": "x"]) }?.wantsUnlocking == false)
    signer.close()
  }

  @Test("A sign-in that waited while everything was locked down opens no key") func aLateSignInOpensNothing() throws {
    let signer = try signer()
    try signer.operations.ask("panic")
    var request = ControlRequest("unlock", [:], secrets: ["passphrase": try box(TestHome.passphrase)])
    request.isSignIn = true
    #expect(failure { try signer.operations.perform(request, via: .console) }?.exit == .locked)
    #expect(signer.core.sessionLock.isLocked)
    request.isSignIn = false
    _ = try signer.operations.perform(request, via: .console)
    #expect(!signer.core.sessionLock.isLocked && signer.core.sessionLock.isSuspended, "the owner's own unlock still does")
    signer.close()
  }

  @Test("While the signer is locked, nothing of the log is dropped") func theLogKeepsItsContentWhileLocked() throws {
    let signer = try signer()
    signer.core.sessionLock.lock("a test")
    #expect(throws: OperationError.unlockFirst) { try signer.operations.ask("log/retain", ["keep": "30d", "daily": true]) }
    #expect(try signer.operations.ask("log/retain")["daily_days"]?.isNull ?? true)
    signer.close()
  }
}
