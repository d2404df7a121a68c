import Curve
import Encodings
import JSON
import Nostr
import Testing

@testable import RemoteSigning

/// One who writes a lot does not keep others out.
@Suite struct FairShareTests {
  @Test("Forgeries in an app's name do not use up its rate") func forgeriesInAnAppsNameDoNotUseUpItsRate() throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    let event = App.forged(try app.request("ping", [], now: scene.now))
    var looked = 0
    for _ in 0..<(RateLimit.pairedClient.burst + 1_000) {
      if case .dropped(.badSignature) = scene.engine.receive(event, now: scene.now) { looked += 1 }
    }
    #expect(looked == RateLimit.forgeries.burst, "and not all of them are looked at")
    let real = try app.request("ping", [], now: scene.now)
    guard case .decided = scene.engine.receive(real, isVerified: true, now: scene.now) else {
      Issue.record("the app is not heard where its events are verified")
      return
    }
    scene.now += 2
    #expect(try scene.ask(app, "ping") == .result("pong"), "and everywhere a moment later")
  }

  @Test("An app's rate limit counts its verified events") func anAppsOwnRateHoldsForWhatIsVerifiedHere() throws {
    var rates = ServedKeyRates(now: 0)
    for _ in 0..<RateLimit.pairedClient.burst { #expect(rates.mayLook(isVerified: false, now: 0) && rates.verified(now: 0)) }
    #expect(!rates.mayLook(isVerified: false, now: 0) && !rates.mayLook(isVerified: true, now: 0))
  }

  @Test("One stranger's flood does not keep another from connecting") func oneStrangerDoesNotKeepAnotherFromALink() throws {
    let scene = try Scene()
    let (loud, quiet) = (try App(signer: scene.signer.publicKey), try App(signer: scene.signer.publicKey))
    for number in 0..<1_000 {
      _ = scene.engine.receive(try loud.request("connect", ["", .string("wrong \(number)")], now: scene.now), now: scene.now)
    }
    #expect(try scene.ask(quiet, "ping") == UnansweredTests.connectFirst, "heard, and not let in")
  }

  @Test("Strangers together have one rate limit") func strangersThatAreCountedAreBounded() throws {
    var rates = ServedKeyRates(now: 0)
    let keys = try (0..<200).map { _ in try KeyPair.random().publicKey }
    let passed = (0..<30).reduce(0) { passed, second in passed + keys.count { rates.mayPass($0, now: Int64(second)) } }
    #expect(passed <= RateLimit.strangers.burst + 30 * RateLimit.strangers.perSecond)
  }

  @Test("One app's flood leaves room for the event ids of others") func oneAppsFloodLeavesPlacesForTheIdsOfOthers() throws {
    var seen = SeenEvents(limit: 1_000)
    let (loud, quiet) = (try KeyPair.random().publicKey, try KeyPair.random().publicKey)
    var taken = 0
    for _ in 0..<5_000 { if case .new = seen.insert(.fresh(), createdAt: 1_000, to: loud, now: 1_000) { taken += 1 } }
    #expect(taken == 500)
    for _ in 0..<250 {
      guard case .new = seen.insert(.fresh(), createdAt: 1_000, to: quiet, now: 1_000) else {
        Issue.record("no place left")
        return
      }
    }
    #expect(seen.count == 750)
    guard case .new = seen.insert(.fresh(), createdAt: 2_000, to: loud, now: 2_000) else {
      Issue.record("places are not free again")
      return
    }
    #expect(seen.count == 1)
  }
}
