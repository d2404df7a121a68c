import AuditLog
import Curve
import DaemonSupport
import JSON
import Nostr
import Platform
import RemoteSigning
import Testing
import Vault

@testable import Signer

/// The answer is made while the disk is at work on the record. When it may leave.
@Suite("An answer prepared while its record is written") struct RequestRunTests {
  /// Stops the log's thread until it is let go: what is recorded meanwhile is not on the disk.
  private struct HeldLog {
    private let release = Locked(false)

    init(_ signer: Signer) {
      let (entered, release) = (Locked(false), release)
      signer.core.log.append(.event(.daemonStarted)) { _ in
        entered.change { $0 = true }
        _ = release.wait { $0 ? true : nil }
      }
      _ = entered.wait { $0 ? true : nil }
    }

    func letGo() { release.change { $0 = true } }
  }

  /// Takes a request and returns when a worker has done all it can.
  private func take(_ event: Event, _ signer: Signer) {
    signer.workers.submitAlways { signer.service.take(event, from: .embedded, isVerified: false) }
    _ = signer.workers.drain(milliseconds: 20_000)
  }

  @Test("An answer is not sent before its record is on the disk", arguments: ["sign_event", "nip44_encrypt"])
  func recordedFirst(method: String) throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "full")
    let log = HeldLog(signer)
    take(try app.request(method, method == "sign_event" ? [note()] : [app.key.publicKey.hex, "text"], now: signer.now), signer)
    #expect(signer.relay.sent.count == 1)
    log.letGo()
    signer.settle()
    let sent = try unwrap(signer.relay.sent(2)?.last)
    guard case .result = try app.read(sent.event) else { throw Missing() }
    signer.close()
  }

  @Test("An answer is sent after the records of intent and outcome") func outcomeFirst() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "full")
    let log = HeldLog(signer)
    let requests = try (0..<3).map { _ in try app.request("sign_event", [note()], now: signer.now) }
    for request in requests { take(request, signer) }
    log.letGo()
    signer.settle()
    let sent = try unwrap(signer.relay.sent(4)).dropFirst()
    for (answer, request) in zip(sent, requests) {
      let entries = answer.log.map(\.entry).filter { $0.requestID == request.id }
      #expect(entries.map(\.kind) == [.requestDecided, .requestDone])
    }
    signer.close()
  }

  @Test("An app that is paused meanwhile gets no signature") func pausedMeanwhile() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "full")
    let log = HeldLog(signer)
    take(try app.request("sign_event", [note()], now: signer.now), signer)
    let pairing = try unwrap(signer.core.engine.pairings.first)
    var grant = pairing.grant
    grant.isSuspended = true
    #expect(signer.core.engine.update(app.signer, name: pairing.name, grant: grant))
    log.letGo()
    signer.settle()
    guard case .error = try app.read(try unwrap(signer.relay.sent(2)?.last).event) else { throw Missing() }
    #expect(signer.service.counts.signed == 0)
    signer.close()
  }

  @Test("A request waits when the session is locked meanwhile") func lockedMeanwhile() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "full")
    let log = HeldLog(signer)
    take(try app.request("sign_event", [note()], now: signer.now), signer)
    signer.core.engine.lock()
    log.letGo()
    signer.settle()
    #expect(signer.relay.sent.count == 1 && signer.service.counts.signed == 0)
    #expect(signer.core.engine.pendingRequests.count == 1)
    signer.close()
  }

  @Test("A prepared answer that cannot be recorded is refused") func notRecorded() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "full")
    FailingStorageTests.fail(signer, .log)
    #expect(try signer.ask(app, "sign_event", [note()]) == .error(FailingStorageTests.notRecorded))
    #expect(signer.service.counts.signed == 0)
    signer.close()
  }

  /// The log is whole, but so much waits for it that it takes no more: an outcome could still be written.
  @Test("A prepared answer is refused when the log has no place for it") func noPlaceInTheLog() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "full")
    let log = HeldLog(signer)
    for _ in 0..<AuditLog.maximumWaiting { signer.core.log.append(.event(.daemonStarted)) { _ in } }
    take(try app.request("sign_event", [note()], now: signer.now), signer)
    let sent = try unwrap(signer.relay.sent(2)?.last)
    #expect(try app.read(sent.event) == .error(FailingStorageTests.notRecorded))
    #expect(signer.service.counts.signed == 0)
    log.letGo()
    signer.close()
  }

  // MARK: on the thread that owns the sockets

  /// Takes a request as that thread does.
  private func takeAtOnce(_ event: Event, _ signer: Signer) {
    signer.service.take(event, from: .embedded, isVerified: false, mayWait: false)
  }

  @Test("The reading thread can answer without a worker") func withoutWorker() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "full")
    try signer.deliver(app, "sign_event", [note()])
    let letGo = signer.holdWorkers()
    takeAtOnce(try app.request("sign_event", [note()], now: signer.now), signer)
    let sent = try unwrap(signer.relay.sent(3)?.last)
    guard case .result = try app.read(sent.event) else { throw Missing() }
    #expect(sent.log.last?.entry.kind == .requestDone)
    letGo()
    signer.close()
  }

  @Test("The reading thread does not wait for a disk that does not report its free space") func silentDisk() throws {
    let (asked, release) = (Locked(false), Locked(false))
    let shares = LogQuotas {
      asked.change { $0 = true }
      _ = release.wait { $0 ? true : nil }
      return nil
    }
    let signer = try Signer(shares: shares)
    release.change { $0 = true }
    let (first, second) = (try signer.pairedApp(trust: "full"), try signer.pairedApp(trust: "full", name: "other"))
    release.change { $0 = false }
    asked.change { $0 = false }
    for app in [first, second] { takeAtOnce(try app.request("sign_event", [note()], now: signer.now), signer) }
    _ = asked.wait { $0 ? true : nil }
    takeAtOnce(try second.request("sign_event", [note()], now: signer.now), signer)
    #expect(signer.relay.sent.count == 2)
    release.change { $0 = true }
    #expect(signer.relay.sent(5)?.count == 5)
    signer.close()
  }

  @Test("Requests that may not run at once go to a worker", arguments: ["ping", "switch_relays", "nonsense"])
  func othersByWorkers(method: String) throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "full")
    takeAtOnce(try app.request(method, now: signer.now), signer)
    signer.settle()
    #expect(signer.relay.sent.count == 2)
    takeAtOnce(try App(signer: app.signer).request("ping", now: signer.now), signer)
    signer.settle()
    #expect(!signer.service.counts.dropped.isEmpty)
    signer.close()
  }
}
