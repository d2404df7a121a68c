import Curve
import Platform
import Testing

@testable import RemoteSigning

@Suite("An app's request rate depends on its trust level") struct TrustRateTests {
  @Test("An app has a burst of requests and then a steady rate", arguments: [TrustLevel.low, .medium, .full])
  func aBurstAndThenARate(_ trust: TrustLevel) throws {
    let limit = RateLimit.pairedClient(trust)
    var rates = ServedKeyRates(trust: trust, now: 100)
    func taken(at now: Int64) -> Int {
      var count = 0
      while rates.verified(now: now) { count += 1 }
      return count
    }
    #expect(taken(at: 100) == limit.burst)
    #expect(taken(at: 110) == min(limit.burst, 10 * limit.perSecond))
    if trust != .full { #expect((10...99).contains(limit.perSecond)) } else { #expect(limit.perSecond >= 1_000) }
  }

  @Test("A changed trust level changes the rate at once")
  func theRateFollowsTheTrust() throws {
    let scene = try Scene(trust: .full)
    let app = try scene.pairedApp()
    #expect(scene.engine.update(app.signer, name: "app", grant: Grant(trust: .low)))
    var rates = try #require(scene.engine.state.withLock { $0.servedKeys[app.signer]?.rates })
    var count = 0
    while rates.verified(now: scene.now) { count += 1 }
    #expect(count == RateLimit.lowTrust.burst)
  }
}

@Suite("The owner's limits apply to every method") struct EveryMethodLimitTests {
  private func limited() throws -> (Scene, App) {
    let scene = try Scene(trust: .full)
    let app = try scene.pairedApp()
    #expect(scene.engine.update(app.signer, name: "app", grant: Grant(trust: .full, limits: RequestLimits(perMinute: 3))))
    return (scene, app)
  }

  @Test("Requests that use no key have their own count and are refused beyond the limit")
  func pingsHaveALimit() throws {
    let (scene, app) = try limited()
    for _ in 0..<3 { #expect(try scene.ask(app, "ping") == .result("pong")) }
    #expect(try scene.ask(app, "ping") == .error(ReplyText.limitUsedUp))
    #expect(try scene.ask(app, "get_public_key") == .error(ReplyText.limitUsedUp))
    guard case .result = try scene.ask(app, "sign_event", [template()]) else {
      Issue.record("uses of the key have a limit of their own")
      return
    }
    scene.now += 60
    #expect(try scene.ask(app, "ping") == .result("pong"))
  }

  @Test("An app can always log out")
  func leavingIsNeverOneTooMany() throws {
    let (scene, app) = try limited()
    for _ in 0..<5 { _ = try scene.ask(app, "ping") }
    #expect(try scene.ask(app, "logout") == .result("ack"))
  }
}
