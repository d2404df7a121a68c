import AuditLog
import DaemonSupport
import Nostr
import Platform
import RemoteSigning
import TestSupport
import Testing

@testable import Signer

/// Requests that were read together are handled on the thread that read them.
@Suite("A round of requests on the reading thread") struct RequestRoundTests {
  /// Handles requests in one round, as the reading thread does.
  private func take(_ events: [Event], _ signer: Signer, also job: @escaping @Sendable () -> Void = {}) throws {
    let jobs = events.map { event in
      { @Sendable in signer.service.take(event, from: .embedded, isVerified: false, mayWait: false) }
    }
    try #require(comesTrue { signer.round.run(jobs + [job]) })
  }

  /// - Returns: the signer, and an app whose requests are recorded at once.
  private func signerAndApp() throws -> (Signer, App) {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "full")
    try signer.deliver(app, "sign_event", [note()])
    signer.settle()
    return (signer, app)
  }

  @Test("They are answered with one sync, and without a worker") func together() throws {
    let (signer, app) = try signerAndApp()
    let letGo = signer.holdWorkers()
    let (sent, syncs) = (signer.relay.sent.count, signer.core.log.syncs)
    let requests = try (0..<5).map { _ in try app.request("sign_event", [note()], now: signer.now) }
    try take(requests, signer)
    let answers = signer.relay.sent.dropFirst(sent)
    #expect(answers.count == 5 && signer.core.log.syncs == syncs + 1)
    for (answer, request) in zip(answers, requests) {
      guard case .result = try app.read(answer.event) else { throw Missing() }
      #expect(answer.log.map(\.entry).filter { $0.requestID == request.id }.map(\.kind) == [.requestDecided, .requestDone])
    }
    letGo()
    signer.close()
  }

  @Test("No answer is prepared before the records are written, or sent before they are on the disk") func recordedFirst() throws {
    let (signer, app) = try signerAndApp()
    let (sent, count) = (signer.relay.sent.count, signer.core.log.count)
    let seen = Locked<[Int]>([])
    try take([try app.request("sign_event", [note()], now: signer.now)], signer) {
      signer.round.whenWritten { seen.withLock { $0 = [signer.relay.sent.count, Int(signer.core.log.count)] } }
    }
    #expect(seen.withLock { $0 } == [sent, Int(count)])
    #expect(signer.relay.sent.count == sent + 1 && signer.core.log.count == count + 2)
    signer.close()
  }

  @Test("An app that is paused while the disk is at work gets no signature") func pausedMeanwhile() throws {
    let (signer, app) = try signerAndApp()
    let sent = signer.relay.sent.count
    try take([try app.request("sign_event", [note()], now: signer.now)], signer) {
      signer.round.whenWritten {
        guard let pairing = signer.core.engine.pairings.first else { return }
        var grant = pairing.grant
        grant.isSuspended = true
        _ = signer.core.engine.update(app.signer, name: pairing.name, grant: grant)
      }
    }
    signer.settle()
    guard case .error = try app.read(try unwrap(signer.relay.sent(sent + 1)?.last).event) else { throw Missing() }
    #expect(signer.service.counts.signed == 1)
    signer.close()
  }

  @Test("Without the log nothing runs here") func closedLog() throws {
    let (signer, app) = try signerAndApp()
    signer.core.log.close()
    let request = try app.request("sign_event", [note()], now: signer.now)
    let ran = Locked(false)
    #expect(!signer.round.run([{ ran.withLock { $0 = true } }]) && !ran.withLock { $0 })
    signer.service.take(request, from: .embedded, isVerified: false, mayWait: false)
    signer.settle()
    #expect(signer.service.counts.signed == 1)
    signer.close()
  }
}
