import AuditLog
import Curve
import DaemonSupport
import JSON
import OwnerAPI
import Platform
import RemoteSigning
import Testing

@testable import OwnerOperations
@testable import PushRegistration
@testable import Signer

@Suite("Registering at a push proxy") struct PushRegistrarTests {
  private static let long = String(repeating: "y", count: 300)
  private static let device = String(repeating: "ab", count: 32)

  private func register(_ signer: Signer, _ proxy: StubProxy) throws -> JSONValue {
    try signer.operations.ask("push/register", ["proxy": .string(proxy.address), "device": .string(Self.device)])
  }

  private func begin(_ signer: Signer) -> PushRegistrar {
    let registrar = PushRegistrar(signer.operations.services.registrations, signer.core.engine, certificates: nil)
    registrar.begin(signer.core.signerEvents, signer.workers)
    return registrar
  }

  private func apps(_ signer: Signer) throws -> [JSONValue] {
    try unwrap(signer.operations.ask("push/status")["apps"]?.array)
  }

  /// Waits until a status is as wanted.
  private func until(_ signer: Signer, _ isSo: ([JSONValue]) -> Bool) throws -> [JSONValue] {
    for _ in 0..<200 {
      let found = try apps(signer)
      if isSo(found) { return found }
      usleep(50_000)
    }
    return try apps(signer)
  }

  @Test("Each app's key is registered by itself, proven by itself, and its app's relays are named") func registers() throws {
    let (signer, proxy) = (try Signer(), try StubProxy())
    let app = try signer.pairedApp()
    #expect(try register(signer, proxy)["apps"]?.array?.first?["state"]?.string == "waiting")
    let registrar = begin(signer)
    let asked = try unwrap(proxy.asked(2))
    #expect(asked.map(\.path) == ["/register", "/pair-client"])
    let pairing = try unwrap(signer.core.engine.pairings.first)
    #expect(asked.allSatisfy { $0.key == pairing.remoteSigner } && proxy.refused == 0)
    #expect(asked[0].body == ["token": .string(Self.device)])
    #expect(asked[1].body["client_pubkey"]?.string == app.key.publicKey.hex)
    #expect(asked[1].body["relay_urls"]?.array?.compactMap(\.string) == pairing.relays.map(\.text))
    let found = try until(signer) { $0.first?["state"]?.string == "registered" }
    #expect(found.count == 1 && found[0]["since"]?.integer != nil && found[0]["next"]?.isNull == true)
    let status = try signer.operations.ask("push/status")
    #expect(status["answers"]?.bool == true && status["proxy_error"]?.isNull == true && status["ok"]?.bool == true)
    #expect(try signer.entries(.settingChanged).compactMap(\.rule?.description) == ["apps are registered at a push proxy"])
    registrar.stop()
    signer.close()
    proxy.stop()
  }

  @Test("A new app is registered by itself, and an ended one is unregistered") func follows() throws {
    let (signer, proxy) = (try Signer(), try StubProxy())
    _ = try register(signer, proxy)
    let registrar = begin(signer)
    _ = try signer.pairedApp()
    signer.core.signerEvents.tell(.clientsChanged)
    _ = try unwrap(proxy.asked(2))
    let key = try unwrap(signer.core.engine.pairings.first?.remoteSigner)
    _ = try until(signer) { $0.first?["state"]?.string == "registered" }
    #expect(signer.core.forget(key, by: .owner))
    let leaving = try apps(signer)
    #expect(leaving.first?["state"]?.string == "leaving" && leaving.first?["name"]?.isNull == true)
    registrar.stop()
    signer.close()
    proxy.stop()
  }

  @Test("What a proxy did not acknowledge is asked again after a restart, with what went wrong") func restart() throws {
    let (signer, proxy) = (try Signer(), try StubProxy())
    _ = try signer.pairedApp()
    proxy.answer(503, #"{"error":"not_stored"}"#)
    _ = try register(signer, proxy)
    let registrar = begin(signer)
    _ = try unwrap(proxy.asked(1))
    let waiting = try until(signer) { $0.first?["error"]?.string != nil }
    #expect(waiting.first?["error"]?.string == "it cannot store anything now" && waiting.first?["state"]?.string == "waiting")
    #expect(try #require(waiting.first?["next"]?.integer) > Clock.seconds - 1)
    registrar.stop()
    let again = try signer.reopened()
    #expect(try apps(again).first?["error"]?.string == "it cannot store anything now")
    let second = begin(again)
    #expect(try unwrap(proxy.asked(3)).map(\.path) == ["/register", "/register", "/pair-client"])
    second.stop()
    again.close()
    proxy.stop()
  }

  @Test("A proxy that refused is asked at once when the owner registers again, and after a restart") func refusedForLong() throws
  {
    let (signer, proxy) = (try Signer(), try StubProxy())
    _ = try signer.pairedApp()
    let refusal = #"{"error":"invalid_body","message":"“token” names a push service on this machine."}"#
    proxy.answer(400, refusal)
    proxy.answer(400, refusal)
    _ = try register(signer, proxy)
    let registrar = begin(signer)
    func isRefused(_ apps: [JSONValue]) -> Bool { (apps.first?["next"]?.integer ?? 0) > Clock.seconds + 1_000 }
    let found = try until(signer, isRefused)
    #expect(
      found.first?["error"]?.string
        == #"it does not take this kind of device. It says: “"token" names a push service on this machine.”"#)
    _ = try register(signer, proxy)
    #expect(try unwrap(proxy.asked(2)).map(\.path) == ["/register", "/register"])
    _ = try until(signer, isRefused)
    registrar.stop()
    let again = try signer.reopened()
    let second = begin(again)
    #expect(try unwrap(proxy.asked(4)).map(\.path) == ["/register", "/register", "/register", "/pair-client"])
    #expect(try again.entries(.settingChanged).count == 1, "to ask again changes nothing that the owner set")
    second.stop()
    again.close()
    proxy.stop()
  }

  @Test("A key that the proxy refused for good is not unregistered: the proxy never had it") func refusedIsForgotten() throws {
    let (signer, proxy) = (try Signer(), try StubProxy())
    _ = try signer.pairedApp()
    proxy.answer(400, #"{"error":"invalid_body"}"#)
    _ = try register(signer, proxy)
    let registrar = begin(signer)
    _ = try until(signer) { $0.first?["error"]?.string != nil }
    #expect(try signer.operations.ask("push/unregister")["apps"]?.array?.isEmpty == true)
    registrar.stop()
    signer.close()
    proxy.stop()
  }

  @Test("What was registered is unregistered at the owner's wish, once the proxy answers") func unregisters() throws {
    let (signer, proxy) = (try Signer(), try StubProxy())
    _ = try signer.pairedApp()
    _ = try register(signer, proxy)
    let registrar = begin(signer)
    _ = try until(signer) { $0.first?["state"]?.string == "registered" }
    let left = try signer.operations.ask("push/unregister")
    #expect(left["proxy"]?.isNull == true && left["apps"]?.array?.first?["state"]?.string == "leaving")
    #expect(throws: OperationError.notRegistered) { try signer.operations.ask("push/unregister") }
    #expect(try signer.entries(.settingChanged).count == 2)
    registrar.stop()
    // Its time may be a minute away, or have come already: the test turns the clock.
    let registrations = signer.operations.services.registrations
    while let (entry, step) = registrations.begin(now: Clock.seconds + 120) {
      let key = try #require(signer.core.engine.transportKeys.first { $0.publicKey == entry.signer })
      try ProxyCall(certificates: nil).perform(step, of: entry, key: key, now: Clock.seconds)
      registrations.settle(entry, step, nil, now: Clock.seconds)
    }
    #expect(proxy.all.suffix(2).map(\.path) == ["/unpair-client", "/unregister"])
    #expect(try apps(signer).isEmpty && registrations.isEmpty)
    signer.close()
    proxy.stop()
  }

  @Test(
    "A proxy that refuses, lies or redirects is said to, in our own words, with its own in quotation marks",
    arguments: [
      (
        401, #"{"error":"unauthorized"}"#,
        "it does not take the proof: its address must be exactly the one it calls itself, and the clocks must agree"
      ),
      (307, "", "it redirects (307), which is not followed"), (200, "<html>", "it refused (200)"),
      (200, "{}", "it refused (200)"),
      (400, #"{"error":"\u001b[31mboo"}"#, "it refused (400)"), (500, "", "it refused (500)"),
      (200, String(repeating: "x", count: 9_000), "its answer had no end"),
      (
        429, #"{"error":"too_many_requests","message":"\u001b[2JWait.” Run: holdfast stop"}"#,
        "it was asked too often. It says: “[2JWait.\" Run: holdfast\u{A0}stop”"
      ),
      (400, #"{"error":"\#(long)","message":"\#(long)"}"#, "it refused (400). It says: “\(long.prefix(200))…”"),
    ])
  func refusals(_ status: Int, _ body: String, _ text: String) throws {
    let (signer, proxy) = (try Signer(), try StubProxy())
    _ = try signer.pairedApp()
    proxy.answer(status, body)
    _ = try register(signer, proxy)
    let registrar = begin(signer)
    #expect(try until(signer) { $0.first?["error"]?.string != nil }.first?["error"]?.string == text)
    registrar.stop()
    signer.close()
    proxy.stop()
  }

  @Test("A proxy that is not there is said to, and a status still answers") func away() throws {
    let (signer, proxy) = (try Signer(), try StubProxy())
    #expect(try signer.operations.ask("push/status")["ok"]?.bool == true, "no proxy is named")
    _ = try register(signer, proxy)
    proxy.stop()
    let status = try signer.operations.ask("push/status")
    #expect(status["ok"]?.bool == false)
    #expect(status["answers"]?.bool == false && status["proxy_error"]?.string == "its host cannot be reached")
    signer.close()
  }
}
