import AuditLog
import Curve
import DaemonSupport
import JSON
import Nostr
import OwnerAPI
import Platform
import RemoteSigning
import Testing
import Vault

@testable import Signer

/// What cannot be recorded is not done, and the app is told.
@Suite struct FailingStorageTests {
  static let notRecorded = "the signer could not record the request; try again"

  enum Fault: CaseIterable { case log, vault, both }

  static func fail(_ signer: Signer, _ fault: Fault) {
    signer.settle()
    if fault != .vault { signer.core.log.close() }
    if fault != .log { signer.core.vault.close() }
  }

  @Test(
    "While the log cannot be written, nothing is done and the app gets an error",
    arguments: ["sign_event", "nip44_encrypt", "ping", "logout"])
  func withoutTheLogNothingIsDone(method: String) throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "full")
    Self.fail(signer, .log)
    let parameters = method == "sign_event" ? [note()] : [app.key.publicKey.hex, "text"]
    #expect(try signer.ask(app, method, parameters) == .error(Self.notRecorded))
    let counts = signer.service.counts
    #expect(counts.signed == 0 && counts.unrecorded == 1)
    #expect(signer.core.engine.pairings.count == 1)
    signer.close()
  }

  @Test("A pairing that cannot be stored or recorded fails, and its link stays valid", arguments: Fault.allCases)
  func aPairingThatCannotBeStoredLeavesTheLinkOpen(fault: Fault) throws {
    let signer = try Signer()
    let (app, secret) = try signer.appWithLink()
    Self.fail(signer, fault)
    #expect(try signer.ask(app, "connect", [app.signer.hex, secret]) == .error(Self.notRecorded))
    #expect(signer.core.engine.pairings.isEmpty && signer.core.engine.openLinks.count == 1)
    let again = try signer.reopened()
    #expect(again.core.engine.pairings.isEmpty)
    #expect(try again.ask(app, "connect", [app.signer.hex, secret]) == .result("ack"))
    again.close()
  }

  @Test("A request that cannot be stored or recorded does not wait, and its app gets an error", arguments: Fault.allCases)
  func aRequestThatCannotWaitIsWithdrawn(fault: Fault) throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "low")
    Self.fail(signer, fault)
    #expect(try signer.ask(app, "sign_event", [note()]) == .error(Self.notRecorded))
    #expect(signer.core.engine.pendingRequests.isEmpty && signer.service.counts.unrecorded == 1)
    let again = try signer.reopened()
    #expect(again.core.engine.pendingRequests.isEmpty)
    again.close()
  }

  @Test("An approval that cannot be recorded signs nothing and ends the request with an error")
  func anApprovalThatCannotBeRecordedSignsNothing() throws {
    let (signer, app, _, name) = try WaitingTests.waiting()
    Self.fail(signer, .log)
    try signer.operations.ask("request/approve", ["id": .string(name)])
    #expect(try app.read(try unwrap(signer.relay.sent(2)?.last).event) == .error(Self.notRecorded))
    #expect(signer.service.counts.signed == 0)
    signer.settle()
    // The app was told no: it does not wait for this any more, before or after a restart.
    let again = try signer.reopened()
    #expect(again.core.engine.pendingRequests.isEmpty)
    again.close()
  }

  /// The log is whole, but so much waits for it that it takes no more: an outcome could still be written.
  @Test("An approval signs nothing while too many entries wait for the log")
  func anApprovalThatFindsNoPlaceInTheLogSignsNothing() throws {
    let (signer, app, _, name) = try WaitingTests.waiting()
    signer.settle()
    let (entered, release) = (Locked(false), Locked(false))
    signer.core.log.append(.event(.daemonStarted)) { _ in
      entered.change { $0 = true }
      _ = release.wait { $0 ? true : nil }
    }
    _ = entered.wait { $0 ? true : nil }
    for _ in 0..<AuditLog.maximumWaiting + AuditLog.reserved { signer.core.log.append(.event(.daemonStarted)) { _ in } }
    try signer.operations.ask("request/approve", ["id": .string(name)])
    #expect(try app.read(try unwrap(signer.relay.sent(2)?.last).event) == .error(Self.notRecorded))
    #expect(signer.service.counts.signed == 0)
    release.change { $0 = true }
    signer.close()
  }

  @Test("The owner's own signature is refused while the log cannot be written")
  func theOwnersOwnSignatureNeedsTheLogToo() throws {
    let signer = try Signer()
    Self.fail(signer, .log)
    let refusal = failure { try signer.operations.ask("sign", ["event": ["kind": 1, "content": "x"]]) }
    #expect(refusal?.exit == .failed && refusal?.error.contains("The log") == true)
    signer.close()
  }

  @Test("A decision that the vault cannot store has an outcome in the log that says so")
  func anIntentThatTheVaultStoppedHasAnOutcome() throws {
    let signer = try Signer()
    let (app, secret) = try signer.appWithLink()
    Self.fail(signer, .vault)
    let request = try signer.deliver(app, "connect", [app.signer.hex, secret])
    let outcome = try unwrap(try signer.entries(.requestDone).last)
    #expect(outcome.requestID == request.id && outcome.error == .storage)
    signer.close()
  }

  /// A whole disk of 1 MiB: requests are refused while it is full, and signed again when there is room.
  @Test("Requests are refused while the disk is full and signed again once there is room")
  func aFullDiskRefusesAndHeals() async throws {
    let home = TestHome()
    #expect(mkdir(home.path, 0o700) == 0)
    guard mount("tmpfs", home.path, "tmpfs", 0, "size=1m,mode=700") == 0 else { return await aFileSizeLimitRefusesAndHeals() }
    defer { umount2(home.path, 2) }  // 2: MNT_DETACH
    let ballast = home.path + "/ballast"
    try Self.check(home) {
      let file = open(ballast, O_WRONLY | O_CREAT, 0o600)
      let zeros = [UInt8](repeating: 0, count: 4096)
      while write(file, zeros, zeros.count) > 0 {}
      Platform.close(file)
    } makeRoom: {
      #expect(unlink(ballast) == 0)
    }
  }

  /// The same through a limit on the length of a file, in a process of its own.
  @Test("Requests are refused while files cannot grow and signed again once they can")
  func aFileSizeLimitRefusesAndHeals() async {
    await #expect(processExitsWith: .success) {
      signal(SIGXFSZ, SIG_IGN)
      var old = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &old)
      let home = TestHome()
      try Self.check(home) {
        var status = stat()
        #expect(stat(home.home.log + "/audit.log", &status) == 0)
        var small = rlimit(rlim_cur: rlim_t(status.st_size) + 1500, rlim_max: old.rlim_max)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &small)
      } makeRoom: {
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &old)
      }
    }
  }

  private static func check(_ home: TestHome, fill: () -> Void, makeRoom: () -> Void) throws {
    let signer = try Signer(home)
    let app = try signer.pairedApp(trust: "full")
    signer.settle()
    fill()
    var (signed, refused) = (0, 0)
    for _ in 0..<200 where refused < 3 {
      switch try signer.ask(app, "sign_event", [note()]) {
      case .result: signed += 1
      case .error(let text):
        #expect(text == notRecorded)
        refused += 1
      }
    }
    #expect(refused == 3 && signer.service.counts.unrecorded == 3 && signer.service.counts.signed == signed)
    makeRoom()
    guard case .result = try signer.ask(app, "sign_event", [note()]) else { throw Missing() }
    signer.close()
    #expect(try AuditLog.verify(folder: home.home.log).fault == nil)
  }
}
