import AuditLog
import Curve
import DaemonSupport
import Encodings
import Foundation
import JSON
import Nostr
import OwnerAPI
import OwnerWords
import Platform
import RemoteSigning
import SecretMemory
import TestSupport
import Testing

@testable import OwnerOperations
@testable import Signer
@testable import Vault

@Suite struct PanicTests {
  static func resume(_ signer: Signer, _ words: String = TestHome.passphrase) throws -> JSONValue {
    try signer.operations.ask("resume", secrets: ["passphrase": try box(words)])
  }

  @Test(
    "While the disk holds up a panic the class key is gone already, and no key is used",
    arguments: [
      ProtectionClass.afterFirstUnlock, .devicePasscode,
    ])
  func aSlowDiskKeepsNothingOpen(protection: ProtectionClass) throws {
    let signer = try Signer()
    try KeepingTests.reclass(signer, to: protection)
    let proof = ["passphrase": try box(TestHome.passphrase)]
    let sessionLock = signer.core.sessionLock
    let (isHeld, mayGo, isOver) = (Locked(false), Locked(false), Locked(false))
    let disk = SystemThread.start {
      sessionLock.changingSuspension {
        isHeld.change { $0 = true }
        _ = mayGo.wait(milliseconds: 20_000) { $0 ? true : nil }
      }
    }
    #expect(isHeld.wait(milliseconds: 20_000) { $0 ? true : nil } == true)
    let panic = SystemThread.start {
      _ = sessionLock.shut(AuditRule(clipping: "a test"), "a test")
      isOver.change { $0 = true }
    }
    for _ in 0..<6_000 where !signer.core.vault.isLocked { usleep(10_000) }  // between two looks at a condition
    #expect(signer.core.vault.isLocked)
    #expect(exit(signer.operations, "sign", ["event": ["kind": 1, "content": "x"]], secrets: proof) == .locked)
    #expect(!isOver.withLock { $0 })
    mayGo.change { $0 = true }
    for thread in [disk, panic].compactMap({ $0 }) { join(thread) }
    #expect(isOver.withLock { $0 })
    signer.close()
  }

  @Test("A panic locks everything down within a second, and resuming brings it back")
  func panicShutsEverythingAndResumeBringsItBack() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "full")
    signer.core.meters.listen(to: signer.core.signerEvents, known: [], now: { signer.now })
    let told = Locked<[String]>([])
    signer.core.signerEvents.subscribe { signerEvent in
      if case .incident(let incident) = signerEvent { told.withLock { $0.append(incident.severity.rawValue) } }
      if case .lockChanged = signerEvent { told.withLock { $0.append("lock") } }
    }
    let done = try signer.operations.ask("panic")
    for name in ["locked", "suspended", "keys_wiped", "stored", "recorded"] { #expect(done[name] == true, "\(name)") }
    #expect(done["failures"] == [] && (done["milliseconds"]?.integer ?? 9999) < 1000)
    #expect(told.withLock { $0 } == ["lock", "critical"])
    #expect(signer.core.vault.isLocked && signer.core.meters.counts.incidents[.critical] == nil)
    #expect(try signer.entries(.incidentCritical).map { $0.rule?.description } == ["by the owner (command)"])

    // Unlocked alone, every use of a key asks.
    try signer.deliver(app, "sign_event", [note("waits")])
    #expect(try SessionLockTests.unlock(signer) == ["locked": false, "suspended": true])
    try signer.deliver(app, "sign_event", [note("waits, too")])
    #expect(signer.relay.sent.count == 1)
    #expect(signer.core.engine.pendingRequests.map(\.rule) == [.lockedDown, .lockedDown])
    #expect(failure { try signer.operations.ask("pair/new") } == .noPairingInLockdown)
    // The owner can say yes to one by hand.
    try signer.operations.ask("request/approve", ["id": .string(try WaitingTests.name(signer))])
    guard case .result = try app.read(try unwrap(signer.relay.sent(2)?.last).event) else { throw Missing() }

    #expect(failure { try Self.resume(signer, "wrong") }?.exit == .locked)
    #expect(signer.core.sessionLock.isSuspended)
    #expect(try Self.resume(signer) == ["locked": false, "suspended": false, "was_suspended": true, "suspended_apps": []])
    signer.settle()
    // What came during the lockdown is signed only once the owner says so, whatever the rules allow.
    #expect(signer.relay.sent.count == 2 && signer.core.engine.pendingRequests.map(\.rule) == [.lockedDown])
    guard case .result = try signer.ask(app, "sign_event", [note("afterwards")]) else { throw Missing() }
    try signer.operations.ask("request/approve", ["id": .string(try WaitingTests.name(signer))])
    guard case .result = try app.read(try unwrap(signer.relay.sent(4)?.last).event) else { throw Missing() }
    signer.settle()
    #expect(signer.core.engine.pendingRequests.isEmpty)
    #expect(try signer.entries(.incidentEnded).count == 1)
    signer.close()
  }

  @Test("After a panic no class key is in memory, and status, requests and recorded attempts work without it")
  func nothingDerivableStaysAfterAPanic() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "full")
    try signer.sealIdentity(under: .afterFirstUnlock)
    try signer.operations.ask("panic")
    let (vault, before) = (signer.core.vault, signer.relay.sent.count)
    #expect(vault.isShut)
    #expect(throws: VaultError.locked) { _ = try vault.ids(.pairingKey) }

    let status = try signer.operations.ask("status")
    #expect(status["locked"] == true && status["suspended"] == true && status["clients"] == 1)
    let listed = try unwrap(try signer.operations.ask("client/list")["clients"]?[0]?["pubkey"])
    // A change is refused in words until the owner unlocks.
    #expect(failure { try signer.operations.ask("client/revoke", ["client": listed]) } == .lockedDown)
    // What comes now is received and waits, in memory only.
    try signer.deliver(app, "sign_event", [note("while shut")])
    #expect(signer.core.engine.pendingRequests.count == 1 && signer.relay.sent.count == before)
    // Neither a wrong proof nor the right one for another purpose opens it.
    #expect(failure { try SessionLockTests.unlock(signer, "wrong") }?.exit == .locked)
    try signer.core.sessionLock.verify(PassphraseOpener(box(TestHome.passphrase)))
    #expect(vault.isShut)

    #expect(try SessionLockTests.unlock(signer) == ["locked": false, "suspended": true])
    signer.settle()
    #expect(signer.core.store.storedNames?.count == 1, "what waited is stored now")
    #expect(try signer.entries(.vaultOpenFailed).count == 1)
    _ = try Self.resume(signer)
    try signer.operations.ask("request/approve", ["id": .string(try WaitingTests.name(signer))])
    guard case .result = try app.read(try unwrap(signer.relay.sent(before + 1)?.last).event) else { throw Missing() }
    signer.close()
  }

  @Test("The keyring does not bring the class key back after a panic")
  func theKeyringOpensNothingAfterAPanic() throws {
    let signer = try Signer()
    try TestKeyring.add(to: signer)
    try signer.operations.ask("panic")
    #expect(failure { try signer.core.sessionLock.unlock(TestKeyring()) } == OperationError(.keysStayLocked))
    #expect(signer.core.vault.isShut)
    _ = try Self.resume(signer)
    #expect(!signer.core.vault.isShut)
    signer.close()
  }

  /// What every program of the owner's has that may read the desktop's keyring.
  @Test("The keyring does not end a lockdown, even while the session is unlocked")
  func theKeyringEndsNoSuspensionWhileTheSessionIsOpen() throws {
    let signer = try Signer()
    try TestKeyring.add(to: signer)
    try signer.operations.ask("panic")
    _ = try SessionLockTests.unlock(signer)
    #expect(failure { try signer.core.sessionLock.unlock(TestKeyring(), resuming: true) } == OperationError(.keysStayLocked))
    #expect(signer.core.sessionLock.isSuspended)
    #expect(try signer.entries(.incidentEnded).isEmpty)
    _ = try Self.resume(signer)
    #expect(!signer.core.sessionLock.isSuspended)
    signer.close()
  }

  @Test("A second panic succeeds like the first, and one resume ends both") func panicTwiceIsAsGoodAsOnce() throws {
    let signer = try Signer()
    for _ in 0..<2 {
      let done = try signer.operations.ask("panic")
      #expect(done["keys_wiped"] == true && done["stored"] == true && done["failures"] == [])
    }
    _ = try Self.resume(signer)
    #expect(!signer.core.sessionLock.isSuspended && !signer.core.sessionLock.isLocked)
    let again = try signer.reopened()
    #expect(!again.core.sessionLock.isSuspended)
    again.close()
  }

  @Test("A lockdown survives a restart until the owner resumes") func aSuspensionSurvivesARestart() throws {
    let signer = try Signer()
    try signer.operations.ask("panic")
    let again = try signer.reopened()
    #expect(again.core.sessionLock.isSuspended && again.core.sessionLock.remarks.count == 1)
    _ = try Self.resume(again)
    let third = try again.reopened()
    #expect(!third.core.sessionLock.isSuspended)
    third.close()
  }

  /// Either place is enough: who removes the file has not lifted it, and a full disk may have let only the file be made.
  @Test("A pipe in place of the panic marker does not delay a panic and counts as the marker")
  func aPipeHoldsNoPanicUp() throws {
    let home = TestHome()
    #expect(mkdir(home.path, 0o700) == 0 && mkfifo(home.path + "/" + Suspension.fileName, 0o600) == 0)
    #expect(Suspension(home.home).mark() == 0 && Suspension(home.home).isMarked)
  }

  @Test("A lockdown holds if either its record in the vault or its marker file is lost", arguments: [true, false])
  func eitherPlaceKeepsTheSuspension(isRecordLost: Bool) throws {
    let signer = try Signer()
    try signer.operations.ask("panic")
    if isRecordLost {
      try signer.core.vault.unlock(with: PassphraseOpener(box(TestHome.passphrase)), now: 1)
      try signer.core.vault.transaction([.delete(kind: .setting, id: Array("suspended".utf8))])
    } else {
      try FileManager.default.removeItem(atPath: signer.home.path + "/suspended")
    }
    let again = try signer.reopened()
    #expect(again.core.sessionLock.isSuspended)
    again.close()
  }

  @Test("A panic while no daemon runs locks down the next start until the owner resumes")
  func panicWithoutADaemonShutsTheNextStart() throws {
    let home = try TestHome().withVault()
    try Opening.suspend(home: home.home)
    try Opening.suspend(home: home.home)
    #expect(try home.files()["suspended"] == [])
    let session = try home.session()
    #expect(try session.perform(ControlRequest("status"))["suspended"] == true)
    #expect(try session.perform(ControlRequest("resume"))["was_suspended"] == true)
    session.close()
    #expect(try home.files()["suspended"] == nil)
    let again = try home.core()
    #expect(!again.sessionLock.isSuspended)
    again.close()
    #expect(failure { try Opening.suspend(home: TestHome().home) }?.exit == .notFound)
  }

  @Test("A panic wipes the keys even if nothing can be written, and says what failed")
  func panicWorksWhereNothingCanBeWritten() throws {
    let signer = try Signer()
    _ = try signer.pairedApp()
    signer.settle()
    // The log refuses, the vault refuses, the file cannot be made.
    signer.core.log.close()
    signer.core.vault.close()
    try FileManager.default.createDirectory(atPath: signer.home.path + "/suspended", withIntermediateDirectories: false)
    let done = try signer.operations.ask("panic")
    #expect(done["keys_wiped"] == true && done["locked"] == true && done["suspended"] == true)
    #expect(done["stored"] == false && done["recorded"] == false)
    #expect(done["failures"]?.array?.count == 2)
    signer.close()
  }

  @Test("A panic and a resume at the same moment leave keys, vault and stored state in agreement")
  func aResumeThatAPanicOvertakesComesToNothing() throws {
    let signer = try Signer()
    for _ in 0..<20 {
      try signer.operations.ask("panic")
      inParallel(2) { index in
        if index == 0 { _ = try? Self.resume(signer) } else { _ = try? signer.operations.ask("panic") }
      }
      // Whichever came last: what is stored, what holds and what is in memory agree.
      let sessionLock = signer.core.sessionLock
      #expect(sessionLock.isLocked == sessionLock.isSuspended && sessionLock.isLocked == signer.core.vault.isLocked)
      #expect(sessionLock.isLocked == signer.core.vault.isShut)
      #expect(try sessionLock.suspension.isStored(in: sessionLock.vault) == sessionLock.isSuspended)
    }
    signer.close()
  }

  @Test("A request that was allowed when a panic began is not carried out")
  func whatWasAllowedWhenEverythingWasShutIsNotDone() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "full")
    let request = try app.request("sign_event", [note()], now: signer.now)
    guard case .decided(let exchange) = signer.core.engine.receive(request, now: signer.now) else { throw Missing() }
    _ = signer.core.sessionLock.shut("a test", "A test.")
    signer.service.carryOut(exchange, from: .embedded)
    signer.settle()
    #expect(signer.relay.sent.count == 1 && signer.service.counts.signed == 0)
    #expect(signer.core.engine.pendingRequests.map(\.eventID) == [request.id])
    signer.close()
  }
}
