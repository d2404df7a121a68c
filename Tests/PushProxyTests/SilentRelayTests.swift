import Curve
import Platform
import Relays
import TestSupport
import Testing

@testable import PushProxy

@Suite("A relay that never confirms what it is asked for") struct SilentRelayTests {
  @Test("It counts as silent after a while, and as heard once it answers") func silent() throws {
    let time = TurnedClock()
    let relay = try LyingRelay()
    relay.isMute.withLock { $0 = true }
    defer { relay.stop() }
    let bench = try WatchBench(
      time, relays: [relay.url], keys: [try Make.key(1).publicKey], change: { $0.timing.confirmedWithin = 50 })
    defer { bench.stop() }
    #expect(comesTrue { bench.watcher.health.contains(where: \.isSilent) })
    #expect(!bench.watcher.isHearing && bench.watcher.ownHearing == 0)
    relay.isMute.withLock { $0 = false }
    relay.hangUp()
    #expect(comesTrue { bench.watcher.isHearing && bench.watcher.ownHearing == 1 })
  }

  @Test("Health says that relays are connected and confirm nothing") func health() {
    var figures = ProxyFigures()
    (figures.silentSeconds, figures.relaysSilent) = (61, 1)
    let report = ProxyReport(
      counts: .init(), store: .init(), figures: figures, uptime: 100, publicRelay: nil, requests: ProxyTally())
    #expect(report.trouble?.hasPrefix("No relay has confirmed what the proxy asks for (EOSE) for 61 seconds") == true)
  }
}
