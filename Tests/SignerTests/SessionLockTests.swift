import AuditLog
import Curve
import DaemonSupport
import Encodings
import Foundation
import JSON
import Nostr
import OwnerAPI
import Platform
import RemoteSigning
import TestSupport
import Testing
import Vault

@testable import OwnerOperations
@testable import Signer

@Suite struct SessionLockTests {
  static func unlock(_ signer: Signer, _ words: String = TestHome.passphrase) throws -> JSONValue {
    try signer.operations.ask("unlock", secrets: ["passphrase": try box(words)])
  }

  @Test("A request that needs a key waits while the session is locked and is answered after the unlock")
  func lockedAndUnlockedEndToEnd() throws {
    let signer = try Signer()
    let app = try signer.pairedApp()
    #expect(try signer.operations.ask("lock") == ["locked": true])
    #expect(try signer.operations.ask("status")["locked"] == true)
    let before = signer.relay.sent.count
    let request = try signer.deliver(app, "sign_event", [note()])
    #expect(signer.relay.sent.count == before)
    let waiting = try signer.operations.ask("request/list")["requests"]?[0]
    #expect(waiting?["reason"] == "the signer is locked")
    #expect(try signer.ask(app, "ping") == .result("pong"))

    #expect(try Self.unlock(signer) == ["locked": false, "suspended": false])
    let sent = try unwrap(signer.relay.sent(before + 2)?.last)
    guard case .result(let json) = try app.read(sent.event) else { throw Missing() }
    try Event(parsing: Array(json.utf8)).verify()
    // Recorded first: asked for the lock, then allowed by trust.
    let decisions = sent.log.map(\.entry).filter { $0.requestID == request.id && $0.kind == .requestDecided }
    #expect(decisions.map(\.decision) == [.ask, .allow])
    #expect(decisions.map { $0.rule?.description } == ["the signer is locked", "medium trust"])
    signer.settle()
    #expect(try signer.core.vault.ids(.pendingRequest).isEmpty)
    #expect(try signer.entries(.locked, .unlocked).map(\.kind) == [.locked, .unlocked])
    signer.close()
  }

  @Test(
    "The console cannot name a token driver to load",
    arguments: ["unlock", "slot/test", "slot/add", "identity/export", "request/approve"])
  func aBrowserNamesNoDriverToLoad(operation: String) throws {
    let signer = try Signer()
    let request = ControlRequest(
      operation, ["token": true, "module": "/usr/lib/no-such-driver.so", "type": "token", "name": "main", "id": "x"],
      secrets: ["pin": try box("1234"), "new_pin": try box("1234")])
    #expect(failure { try signer.operations.perform(request, via: .console) } == .driverFromAfar)
    let ofNewToken = ControlRequest(operation, ["new_module": "/usr/lib/no-such-driver.so", "type": "token"])
    #expect(failure { try signer.operations.perform(ofNewToken, via: .console) } == .driverFromAfar)
    signer.close()
  }

  @Test("While locked, the owner can deny a request but cannot approve, sign or create an identity")
  func whileLockedNothingThatNeedsAKeyIsDoneForTheOwnerEither() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "low")
    try signer.deliver(app, "sign_event", [note()])
    let name = try WaitingTests.name(signer)
    try signer.operations.ask("lock")
    #expect(exit(signer.operations, "request/approve", ["id": .string(name)]) == .locked)
    #expect(try WaitingTests.name(signer) == name)
    #expect(exit(signer.operations, "sign", ["event": ["kind": 1, "content": "x"]]) == .locked)
    #expect(exit(signer.operations, "identity/create", ["name": "second"]) == .locked)
    // A refusal needs no key.
    try signer.operations.ask("request/deny", ["id": .string(name)])
    #expect(try app.read(try unwrap(signer.relay.sent(2)?.last).event) == .error("user rejected"))
    signer.close()
  }

  @Test("Wrong passphrases unlock nothing, are recorded, and delay even the right one")
  func aWrongPassphraseUnlocksNothingAndIsRecorded() throws {
    let signer = try Signer()
    try signer.operations.ask("lock")
    for _ in 0..<3 { #expect(failure { try Self.unlock(signer, "wrong") }?.exit == .locked) }
    // On a machine so busy that a wait is over before the next attempt, the next wait is twice as long.
    func isThrottled(_ passphrase: String) -> Bool {
      failure { try Self.unlock(signer, passphrase) }?.error.contains("Too many wrong passphrases") == true
    }
    #expect((0..<8).contains { _ in isThrottled("wrong") })
    #expect(isThrottled(TestHome.passphrase))
    #expect(signer.core.sessionLock.isLocked && signer.core.vault.isLocked)
    let errors = try signer.entries(.vaultOpenFailed).map(\.error)
    #expect(errors.prefix(3).allSatisfy { $0 == .wrongPassphrase } && errors.last == .throttled, "\(errors)")
    #expect(exit(signer.operations, "unlock") == .usage)
    signer.close()
  }

  @Test(
    "A wrong passphrase that should prove who is there counts, waits and is recorded as any other; a token or keyring proves nothing"
  )
  func aProofForABrowserCountsAsAnyOther() throws {
    let signer = try Signer()
    func prove(_ passphrase: String) -> OperationError? {
      failure {
        try signer.operations.perform(
          ControlRequest("session/prove", secrets: ["passphrase": try box(passphrase)]), via: .console)
      }
    }
    #expect(prove(TestHome.passphrase) == nil)
    #expect((0..<8).contains { _ in prove("wrong")?.error.contains("Too many wrong passphrases") == true })
    let errors = try signer.entries(.vaultOpenFailed).map(\.error)
    #expect(errors.first == .wrongPassphrase && errors.last == .throttled, "\(errors)")
    #expect(exit(signer.operations, "session/prove", ["keyring": true]) == .usage)
    #expect(!signer.core.sessionLock.isLocked)
    signer.close()
  }

  @Test("Attempts that come too soon make one log entry after each wrong passphrase, however many they are")
  func hastyAttemptsMakeFewEntries() throws {
    let signer = try Signer()
    try Self.fail(signer, times: 5)
    for _ in 0..<200 { _ = failure { try Self.unlock(signer, "wrong") } }
    let errors = try signer.entries(.vaultOpenFailed).map(\.error)
    #expect(errors.contains(.throttled) && errors.count <= 6, "\(errors)")
    signer.close()
  }

  @Test("The tenth wrong passphrase or kit in a row is reported, however slowly they come", arguments: [8, 9])
  func guessingIsReported(before: Int) throws {
    let signer = try Signer()
    let isReported = Locked(false)
    signer.core.signerEvents.subscribe { signerEvent in
      if case .guessing = signerEvent { isReported.change { $0 = true } }
    }
    try Self.fail(signer, times: before)
    #expect(failure { try Self.unlock(signer, "wrong") }?.exit == .locked)
    #expect(isReported.withLock { $0 } == (before == 9) && !signer.core.sessionLock.isSuspended)
    signer.close()
  }

  /// Wrong passphrases, each an hour after the one before, the last an hour ago.
  private static func fail(_ signer: Signer, times: Int) throws {
    let wrong = PassphraseOpener(try box("wrong"))
    for hours in (1...times).reversed() {
      #expect(throws: KeyStoreError.self) {
        try signer.core.vault.verify(with: wrong, now: Clock.milliseconds - Int64(hours) * 3_600_000)
      }
    }
  }

  @Test("A request that waited for the unlock is answered after a restart")
  func whatWaitedForTheLockGoesOnAfterARestart() throws {
    let signer = try Signer()
    let app = try signer.pairedApp()
    try signer.operations.ask("lock")
    let request = try signer.deliver(app, "sign_event", [note()])
    let again = try signer.reopened()
    #expect(again.core.engine.pendingRequests.map(\.eventID) == [request.id])
    again.service.reconsider()
    guard case .result = try app.read(try unwrap(again.relay.sent(1)?.first).event) else { throw Missing() }
    again.settle()
    #expect(again.core.engine.pendingRequests.isEmpty)
    again.close()
  }

  /// The log says "allowed" for it, and then that it was put off: it is not taken for one that may have been signed.
  @Test("A request that was allowed just before a lock still waits after a restart")
  func whatALockOvertookIsThereAfterARestart() throws {
    let signer = try Signer()
    let app = try signer.pairedApp()
    let request = try app.request("sign_event", [note()], now: signer.now)
    guard case .decided(let exchange) = signer.core.engine.receive(request, now: signer.now) else { throw Missing() }
    signer.core.sessionLock.lock("a test")
    signer.service.carryOut(exchange, from: .embedded)
    signer.settle()
    #expect(signer.relay.sent.count == 1)  // the pairing's
    let again = try signer.reopened()
    #expect(again.core.engine.pendingRequests.map(\.eventID) == [request.id])
    again.close()
  }

  @Test("After an approval that a lock interrupted, the request waits and asks the owner again")
  func anApprovalThatALockOvertookWaitsOn() throws {
    let (signer, app, request, name) = try WaitingTests.waiting()
    let exchange = try unwrap(signer.core.engine.answerPending(name, approve: true, now: Clock.seconds))
    signer.core.sessionLock.lock("a test")
    signer.service.carryOut(exchange, answering: name)
    signer.settle()
    #expect(signer.relay.sent.count == 1)
    #expect(signer.core.engine.pendingRequests.map(\.eventID) == [request.id])
    #expect(try signer.core.vault.ids(.pendingRequest).count == 1)
    _ = try Self.unlock(signer)
    signer.settle()
    // The owner is asked once more: the yes was for then.
    #expect(signer.core.engine.pendingRequests.map(\.rule) == [.lowTrust])
    try signer.operations.ask("request/approve", ["id": .string(name)])
    guard case .result = try app.read(try unwrap(signer.relay.sent(2)?.last).event) else { throw Missing() }
    signer.close()
  }

  @Test("A lock and an unlock at the same moment leave the vault and the engine in the same state")
  func anUnlockingThatALockOvertakesComesToNothing() throws {
    let signer = try Signer()
    try signer.operations.ask("lock")
    // Again and again, at every moment of an unlocking: whichever came last must hold.
    for _ in 0..<20 {
      inParallel(2) { index in if index == 0 { _ = try? Self.unlock(signer) } else { signer.core.sessionLock.lock("a test") } }
      #expect(signer.core.vault.isLocked == signer.core.engine.isLocked)
      signer.core.sessionLock.lock("a test")
    }
    #expect(try Self.unlock(signer) == ["locked": false, "suspended": false])
    signer.close()
  }

  @Test("Without a running daemon there is no session to lock or unlock") func withoutADaemonThereIsNothingToLock() throws {
    let home = try TestHome().withVault()
    let session = try home.session()
    #expect(failure { try session.perform(ControlRequest("lock")) }?.exit == .failed)
    #expect(failure { try session.perform(ControlRequest("unlock")) }?.exit == .failed)
    session.close()
  }

  @Test("Wrong secrets that nobody can guess make a few log entries an hour, and hide no wrong passphrase")
  func unguessableSecretsFillNoLog() throws {
    let signer = try Signer()
    let wrong = KeyStoreError.authenticationFailed(triesLeft: nil, waitSeconds: 0)
    for _ in 0..<500 { signer.core.sessionLock.note(wrong, by: .passkey) }
    for _ in 0..<500 { signer.core.sessionLock.note(wrong, by: .keyring) }
    #expect(try signer.entries(.vaultOpenFailed).count <= 2 * SessionLock.unguessablePerHour)
    let before = try signer.entries(.vaultOpenFailed).count
    #expect(failure { try Self.unlock(signer, "not the passphrase") }?.exit == .locked)
    #expect(try signer.entries(.vaultOpenFailed).count == before + 1)
  }

  @Test("A page cannot have the keyring's PAM check asked by unlocking") func aPageDoesNotUnlockWithTheKeyring() throws {
    let signer = try Signer()
    _ = try signer.operations.ask("lock")
    let before = try signer.entries(.vaultOpenFailed).count
    let error = failure {
      _ = try signer.operations.perform(ControlRequest("unlock", ["keyring": true]), via: .console)
    }
    #expect(error?.exit == .denied && error?.error.contains("Your keys stay locked") == true)
    #expect(try signer.entries(.vaultOpenFailed).count == before)
  }
}
