import Platform
import Testing

@testable import PushProxy

@Suite("How many files and sockets a proxy uses") struct OpenFilesTests {
  @Test(
    "Clients leave descriptors to relays, push services and the store",
    arguments: [(4_096, 1_024), (2_560, 1_024), (2_060, 524), (1_024, 256), (256, 64), (0, 0)])
  func clients(limit: Int, count: Int) { #expect(OpenFiles.clients(of: limit) == count) }

  @Test("That no descriptor is free is told once a minute") func shortage() {
    let said = Locked(0)
    let remarks = ShortageRemarks { _ in said.withLock { $0 += 1 } }
    for time: Int64 in [0, 100, 59_999, 60_000, 60_100] { remarks.short(now: time) }
    #expect(said.withLock { $0 } == 2)
  }
}
