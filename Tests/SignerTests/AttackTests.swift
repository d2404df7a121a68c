import AuditLog
import Curve
import DaemonSupport
import JSON
import Nostr
import Platform
import RemoteSigning
import TestSupport
import Testing
import Vault

@testable import OwnerOperations
@testable import Signer

/// What an attacker tried against the daemon.
@Suite struct AttackTests {
  /// A machine without a battery for its clock wakes up in the past and learns the time from the network a little later. What was
  /// signed just before the restart lies in the future then, and becomes fresh again in one step.
  @Test(
    "A request answered before a restart is not answered again when the clock starts in the past and is then corrected",
    arguments: [0, 700])
  func aStartInThePastDoesNotLetAnOldRequestInWhenTheClockIsSet(requestsInThePast: Int) throws {
    let signer = try Signer()
    let app = try signer.pairedApp()
    let start = signer.now
    signer.stopClock(at: start)
    let request = try app.request("sign_event", [note()], now: start)
    signer.take(request)
    #expect(signer.service.counts.signed == 1)
    signer.close()

    let past = start - 1_000_000
    let home = signer.home.home
    let vault = try Vault.open(home: home.path, passphrase: try secret(TestHome.passphrase), now: start * 1000, kinds: .holdfast)
    let log = try Opening.log(home, vault, now: past * 1000)
    let core = try OpenedHome(folder: home, vault: vault, log: log, now: past)
    let (workers, relay, clock) = (Workers(count: 2), StubRelay(logFolder: home.log, key: try logKey(vault)), Locked(past))
    let service = SigningService(
      home: core, workers: workers, round: RequestRound(log), publishing: relay.publishing,
      milliseconds: { clock.withLock { $0 } * 1000 })
    func take(_ events: [Event]) throws {
      for event in events { workers.submitAlways { service.take(event, from: .embedded, isVerified: false) } }
      for _ in 0..<3 {
        _ = workers.drain(milliseconds: 60_000)
        try log.appendAndWait(.event(.daemonStarted))
      }
    }
    try take(try (0..<requestsInThePast).map { _ in try app.request("ping", now: past) })
    clock.withLock { $0 = start + 30 }
    try take([request])
    #expect(service.counts.signed == 0 && service.counts.dropped[.alreadySeen] == 1)
    workers.close()
    core.close()
  }
}
