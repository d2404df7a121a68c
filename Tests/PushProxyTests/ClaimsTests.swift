import Ciphers
import Curve
import Encodings
import Nostr
import Platform
import SecretMemory
import Testing

@testable import PushProxy

@Suite("Requests that are noted before anybody is woken") struct ClaimsTests {
  private let folder = DataFolder()
  private static let now: Int64 = 1_700_000_000

  private func request(_ text: String = "x", now: Int64 = now) throws -> WakeRequest {
    let signer = try Make.key(2).publicKey
    return WakeRequest(try Make.request(text, by: Make.key(1), to: signer), for: signer, at: "wss://relay.example", now: now)
  }

  @Test("A request is noted once, also by the next proxy, and wakes there only if it was not done")
  func once() throws {
    let (one, two) = (try request("one"), try request("two"))
    do {
      let registrations = try Registrations(folder: folder.path)
      #expect(try registrations.claim([one], now: Self.now) == [one])
      #expect(try registrations.claim([two, one, two], over: [one.id], now: Self.now) == [two])
      #expect(try registrations.claim([one, two], now: Self.now).isEmpty)
    }
    let next = try Registrations(folder: folder.path)
    #expect(try next.openClaims(now: Self.now + 1).map(\.id) == [two.id])
    #expect(try Set(next.recentClaims(10)) == [one.id, two.id] && next.recentClaims(1).count == 1)
    #expect(
      try next.openClaims(now: Self.now + 1).allSatisfy { $0.event == nil && $0.relay == two.relay && $0.signer == two.signer })
    try next.settle([two.id])
    #expect(try next.openClaims(now: Self.now + 1).isEmpty && next.claim([two], now: Self.now + 1).isEmpty)
  }

  @Test("What is of no use any more wakes nobody, and is forgotten when its date is refused anyway") func forgotten() throws {
    let registrations = try Registrations(folder: folder.path)
    let old = try request("old")
    #expect(try registrations.claim([old], now: Self.now) == [old])
    #expect(try registrations.openClaims(now: Self.now + Wake.usefulSeconds).isEmpty)
    let later = Self.now + Wake.usefulSeconds + Registrations.claimSeconds
    let (second, third) = (try request("b", now: later), try request("c", now: later + 1))
    #expect(try registrations.claim([second, old], now: later) == [second])
    #expect(try registrations.claim([third, old], now: later + 1) == [third, old])
  }

  @Test("The proxy's keys are made once") func keysStay() throws {
    let (login, push) = try keys()
    let again = try keys()
    #expect(again.login == login && again.push == push)
  }

  private func keys() throws -> (login: String, push: [UInt8]) {
    let secrets = try Registrations(folder: folder.path).secrets()
    return (secrets.relayLogin.publicKey.hex, secrets.webPush.publicKey.bytes)
  }
}
