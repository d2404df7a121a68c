import Curve
import Testing

@testable import RemoteSigning

/// What an app used up, as a start puts it back.
@Suite struct RestoredUsageTests {
  private static let now: Int64 = 1_750_000_000
  private static let day = Usage.Counter.budget(Permission(.signEvent, kind: 1), .day)

  private func usage(_ count: Int, from time: Int64) -> Usage {
    Usage(windows: [Self.day: .init(startedAt: time, count: count)])
  }

  @Test("A start with the clock ahead forgets no uses, and they count when the clock is right again")
  func clockAhead() throws {
    let (engine, app) = (SigningEngine(), try KeyPair.random().publicKey)
    let ahead = Self.now + 2 * 86_400
    engine.restoreUsage(usage(4, from: Self.now - 60), of: app, now: ahead)
    #expect(engine.usage(of: app).used(Self.day, at: Self.now) == 4)
    engine.restoreUsage(usage(5, from: Self.now - 30), of: app, now: ahead)
    #expect(engine.usage(of: app).used(Self.day, at: Self.now) == 5, "of two that seem to be over the later one")
    engine.restoreUsage(usage(3, from: Self.now - 40), of: app, now: ahead)
    #expect(engine.usage(of: app).used(Self.day, at: Self.now) == 5)
    engine.restoreUsage(usage(6, from: Self.now - 30), of: app, now: ahead)
    #expect(engine.usage(of: app).used(Self.day, at: Self.now) == 6, "the same period, with more")
  }

  @Test("Restoring stored counts never lowers the current ones")
  func notLowered() throws {
    let (engine, app) = (SigningEngine(), try KeyPair.random().publicKey)
    engine.restoreUsage(usage(4, from: Self.now - 3_600), of: app, now: Self.now)
    for other in [usage(3, from: Self.now - 60), usage(9, from: Self.now - 2 * 86_400)] {
      engine.restoreUsage(other, of: app, now: Self.now)
      #expect(engine.usage(of: app).used(Self.day, at: Self.now) == 4)
    }
  }
}
