import Curve
import Encodings
import Foundation
import JSON
import Platform
import Sockets
import Testing
import WebPush

@testable import PushProxy

@Suite("Registrations of the push proxy") struct RegistrationsTests {
  private let folder = DataFolder()
  private let signer = numbered(1)

  private func open(_ limits: Registrations.Limits = .init()) throws -> Registrations {
    try Registrations(folder: folder.path, limits: limits)
  }

  @Test("A registered device is known after a kill, and a removed one is not") func survivesKill() throws {
    let registrations = try open()
    try registrations.register(device(1), for: signer, now: 100)
    try registrations.register(device(2), for: signer, now: 200)
    try registrations.unregister(device(2), for: signer, now: 250)
    try registrations.pair(client: numbered(7), relays: [relay("wss://a.example")], for: signer, now: 300)
    let left = try folder.asKilled()
    defer { withExtendedLifetime(left) {} }
    let again = try Registrations(folder: left.path)
    #expect(try again.targets(of: signer) == [.init(target: device(1), since: 100, seen: 100)])
    #expect(try again.keys() == [signer])
    #expect(try again.relays() == [relay("wss://a.example"): [signer]])
    #expect(again.counts == registrations.counts && again.counts == .init(targets: 1, keys: 1, clients: 1, pairs: 1))
  }

  @Test("Each kind of device comes back as it was registered") func kinds() throws {
    let point = bytesOf(
      "0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb67903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299"
    )
    let endpoint = try PushEndpoint(parsing: "https://push.example/a")
    let browser = PushTarget.webPush(try PushReceiver(endpoint: endpoint, key: point, auth: [UInt8](repeating: 7, count: 16)))
    let renewed = PushTarget.webPush(try PushReceiver(endpoint: endpoint, key: point, auth: [UInt8](repeating: 8, count: 16)))
    let unified = PushTarget.unifiedPush(try PushEndpoint(parsing: "https://ntfy.example/up"))
    let registrations = try open()
    for target in [browser, unified, try device(1)] { try registrations.register(target, for: signer, now: 1) }
    #expect(try Set(registrations.targets(of: signer).map(\.target)) == [browser, unified, device(1)])
    try registrations.register(renewed, for: signer, now: 2)
    #expect(try Set(registrations.targets(of: signer).map(\.target)) == [renewed, unified, device(1)], "the same browser twice")
  }

  @Test("A device that registers again stays one, and keeps its first date") func again() throws {
    let registrations = try open()
    try registrations.register(device(1), for: signer, now: 100)
    let before = registrations.revision
    try registrations.register(device(1), for: signer, now: 500)
    #expect(try registrations.targets(of: signer) == [.init(target: device(1), since: 100, seen: 500)])
    #expect(registrations.revision == before && registrations.counts.targets == 1)
  }

  @Test("With an eleventh device the one that was heard of least recently goes") func mostDevices() throws {
    let registrations = try open()
    for number in 1...10 { try registrations.register(device(number), for: signer, now: Int64(number)) }
    try registrations.register(device(1), for: signer, now: 11)
    let results = try registrations.apply([
      .init(.register(device(11)), of: signer, now: 12), .init(.register(device(11)), of: signer, now: 12),
    ])
    #expect(results == [.init(forgotten: 1, isAdded: true), .init()])
    let left = try registrations.targets(of: signer).map(\.target)
    #expect(try left.count == 10 && left.contains(device(1)) && !left.contains(device(2)))
    #expect(registrations.counts == .init(targets: 10, keys: 1))
  }

  @Test("A dead device is removed from all keys, unless it registered again after") func forgets() throws {
    let registrations = try open()
    for number in 1...3 { try registrations.register(device(1), for: numbered(number), now: Int64(100 * number)) }
    try registrations.register(device(2), for: numbered(1), now: 100)
    try registrations.forget(device(1), before: 200)
    #expect(try registrations.keys() == [numbered(1), numbered(3)])
    #expect(registrations.counts == .init(targets: 2, keys: 2))
    try registrations.forget(device(1))
    #expect(try registrations.keys() == [numbered(1)])
  }

  @Test("A device that was not heard of for 400 days is forgotten with its key's pairs, and a younger one stays") func expires()
    throws
  {
    let registrations = try open()
    let day: Int64 = 86_400
    for (number, last) in [(1, 0), (2, 100), (3, 500)] {
      try registrations.register(device(number), for: numbered(number), now: Int64(last) * day)
      try registrations.pair(
        client: numbered(9), relays: [relay("wss://a.example")], for: numbered(number), now: Int64(last) * day)
    }
    #expect(try registrations.expire(now: 400 * day) == 0, "on the day itself it stays")
    let before = registrations.revision
    #expect(try registrations.expire(now: 500 * day) == 1)
    #expect(try registrations.keys() == [numbered(2), numbered(3)] && registrations.revision > before)
    #expect(registrations.counts == .init(targets: 2, keys: 2, clients: 2, pairs: 2))
    #expect(try registrations.expire(now: 9_000 * day) == 0, "a clock that is years ahead forgets nobody")
    #expect(try registrations.keys().count == 2)
  }

  @Test("A wake that was taken counts as heard of, at most once a week") func renewed() throws {
    let registrations = try open()
    try registrations.register(device(1), for: signer, now: 100)
    func seen() throws -> Int64? { try registrations.targets(of: signer).first?.seen }
    try registrations.renew(device(1), of: signer, now: 100 + Retention.renewing)
    #expect(try seen() == 100)
    try registrations.renew(device(1), of: signer, now: 101 + Retention.renewing)
    try registrations.renew(device(2), of: signer, now: 101 + Retention.renewing)
    #expect(try seen() == 101 + Retention.renewing && registrations.counts.targets == 1)
  }

  @Test("Pairs of a key whose device is gone are forgotten after 400 days, too") func pairsExpire() throws {
    let registrations = try open()
    for number in 1...2 { try registrations.register(device(number), for: numbered(number), now: 0) }
    try registrations.pair(client: numbered(7), relays: [relay("wss://a.example")], for: numbered(1), now: 0)
    try registrations.unregister(device(1), for: numbered(1), now: 1)
    try registrations.register(device(2), for: numbered(2), now: Retention.age + 1)
    #expect(try registrations.expire(now: Retention.age + 1) == 0)
    #expect(registrations.counts == .init(targets: 1, keys: 1))
  }

  @Test("A key without a device cannot pair, and its pairs count again once it has one") func pairsNeedDevice() throws {
    let registrations = try open()
    let relays = [try relay("wss://a.example")]
    let refusal = refused { () throws(ProxyRefusal) in
      try registrations.pair(client: numbered(7), relays: relays, for: signer, now: 1)
    }
    #expect(refusal?.name == .notRegistered && refusal?.status == 409)
    try registrations.register(device(1), for: signer, now: 1)
    try registrations.pair(client: numbered(7), relays: relays, for: signer, now: 1)
    try registrations.forget(device(1))
    #expect(try registrations.relays().isEmpty)
    try registrations.register(device(2), for: signer, now: 2)
    #expect(try registrations.relays() == [relays[0]: [signer]])
  }

  @Test("A sixth client is refused with both numbers, and a known one may change its relays") func mostClients() throws {
    let registrations = try open()
    try registrations.register(device(1), for: signer, now: 1)
    for number in 1...5 {
      try registrations.pair(client: numbered(number), relays: [relay("wss://r\(number).example")], for: signer, now: 1)
    }
    let more = [try relay("wss://a.example"), try relay("wss://b.example")]
    let refusal = refused { () throws(ProxyRefusal) in
      try registrations.pair(client: numbered(6), relays: more, for: signer, now: 1)
    }
    #expect(refusal?.status == 409 && refusal?.json["error"] == "pairing_limit")
    #expect(refusal?.json["limit"] == 5 && refusal?.json["used"] == 5)
    try registrations.pair(client: numbered(5), relays: more, for: signer, now: 1)
    let known = try registrations.relays()
    #expect(try known.count == 6 && known[relay("wss://r5.example")] == nil && known[more[0]] == [signer])
    #expect(registrations.counts == .init(targets: 1, keys: 1, clients: 5, pairs: 6))
    try registrations.unpair(numbered(5), for: signer, now: 1)
    try registrations.pair(client: numbered(6), relays: more, for: signer, now: 1)
    #expect(registrations.counts.clients == 5)
  }

  @Test("A key's clients cannot name more different relays than allowed") func novelRelays() throws {
    var limits = Registrations.Limits()
    limits.novelRelays = 3
    let registrations = try open(limits)
    try registrations.register(device(1), for: signer, now: 1)
    let relays = try (1...4).map { try relay("wss://r\($0).example") }
    try registrations.pair(client: numbered(1), relays: Array(relays[..<3]), for: signer, now: 1)
    try registrations.pair(client: numbered(2), relays: [relays[0], relays[2]], for: signer, now: 1)
    let refusal = refused { () throws(ProxyRefusal) in
      try registrations.pair(client: numbered(2), relays: [relays[3]], for: signer, now: 1)
    }
    #expect(refusal?.status == 409 && refusal?.json["error"] == "novel_relay_quota" && refusal?.json["limit"] == 3)
    #expect(registrations.counts.pairs == 5)
    try registrations.pair(client: numbered(1), relays: [relays[3], relays[0]], for: signer, now: 1)
  }

  @Test("The whole file has a limit, and pairs that wake nobody make room") func wholeFile() throws {
    var limits = Registrations.Limits()
    (limits.registrations, limits.pairs) = (2, 2)
    let registrations = try open(limits)
    for number in 1...2 {
      try registrations.register(device(number), for: numbered(number), now: 1)
      try registrations.pair(client: numbered(9), relays: [relay("wss://a.example")], for: numbered(number), now: 1)
    }
    let third = try device(3)
    let full = refused { () throws(ProxyRefusal) in try registrations.register(third, for: numbered(3), now: 1) }
    #expect(full?.name == .notStored && full?.status == 503)
    let relays = [try relay("wss://b.example")]
    let pair = { (number: Int) in
      refused { () throws(ProxyRefusal) in
        try registrations.pair(client: numbered(8), relays: relays, for: numbered(number), now: 1)
      }
    }
    #expect(pair(1)?.name == .notStored)
    try registrations.unregister(device(2), for: numbered(2), now: 1)
    #expect(pair(1) == nil)
    #expect(registrations.counts == .init(targets: 1, keys: 1, clients: 2, pairs: 2))
  }

  @Test("Who follows the keys and relays is told of each change of them, and of nothing else") func tellsOfChanges() throws {
    let registrations = try open()
    let told = Locked(0)
    registrations.whenChanged { told.withLock { $0 += 1 } }
    let steps: [(Int, () throws -> Void)] = try [
      (1, { [signer] in try registrations.register(device(1), for: signer, now: 1) }),
      (1, { [signer] in try registrations.register(device(2), for: signer, now: 1) }),
      (
        2,
        { [signer, a = relay("wss://a.example")] in try registrations.pair(client: numbered(7), relays: [a], for: signer, now: 1)
        }
      ),
      (
        2,
        { [signer, a = relay("wss://A.example/")] in try registrations.pair(client: numbered(7), relays: [a], for: signer, now: 1)
        }
      ),
      (3, { [signer] in try registrations.unpair(numbered(7), for: signer, now: 1) }),
      (3, { [signer] in try registrations.unpair(numbered(7), for: signer, now: 1) }),
      (3, { [signer] in try registrations.unregister(device(1), for: signer, now: 1) }),
      (4, { try registrations.forget(device(2)) }),
    ]
    for (count, step) in steps {
      try step()
      #expect(told.withLock { $0 } == count && registrations.revision == UInt64(count))
    }
  }

  @Test("Changes that come together are decided one after the other") func together() throws {
    let registrations = try open()
    let change = { (request: ProxyRequest) in Registrations.Change(request, of: self.signer, now: 1) }
    let relays = [try relay("wss://a.example")]
    var changes = try [change(.pair(numbered(1), relays: relays)), change(.register(device(1)))]
    changes += (1...6).map { change(.pair(numbered($0), relays: relays)) }
    #expect(
      registrations.apply(changes).map { $0.refusal?.name } == [.notRegistered, nil, nil, nil, nil, nil, nil, .pairingLimit])
    #expect(registrations.counts == .init(targets: 1, keys: 1, clients: 5, pairs: 5))
  }

  @Test("With twenty thousand registrations a lookup reads a few rows only") func many() throws {
    let registrations = try open()
    for start in stride(from: 0, to: 20_000, by: 2_000) {
      let changes = try (start..<start + 2_000).map { Registrations.Change(.register(try device($0)), of: numbered($0), now: 1) }
      #expect(registrations.apply(changes).allSatisfy { $0.refusal == nil })
    }
    #expect(registrations.counts == .init(targets: 20_000, keys: 20_000))
    #expect(try registrations.keys().count == 20_000)
    registrations.reader.withLock { ($0.database as? RegistrationsDatabase)?.limitSteps(100) }
    #expect(try registrations.targets(of: numbered(12_345)).map(\.target) == [device(12_345)])
    #expect(throws: RegistrationsError.self) { _ = try registrations.keys() }
  }
}

/// The bytes of a text in hex.
func bytesOf(_ hex: String) -> [UInt8] { Hex.decode(hex) ?? [] }
