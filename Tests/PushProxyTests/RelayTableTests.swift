import JSON
import Platform
import Sockets
import Testing

@testable import PushProxy

@Suite("Room for relays that apps name") struct RelayTableTests {
  private static let client = "4f355bdcb7cc0af728ef3cceb9615d90684bb5b2ca5f859ab0f0b704075871aa"
  private static let register = #"{"token":"\#(String(repeating: "ab", count: 32))"}"#
  private static func pair(_ relays: [String]) -> String {
    #"{"client_pubkey":"\#(client)","relay_urls":[\#(relays.map { "\"\($0)\"" }.joined(separator: ","))]}"#
  }

  @Test("A host has three addresses with a path, however it is spelled, and the one without always has a place")
  func hosts() throws {
    var places = RelayPlaces()
    let urls = [
      "wss://relay.example/a", "wss://RELAY.example./b", "ws://relay.example:443/c", "wss://relay.example/d",
      "wss://relay.example",
      "wss://relay.example:444/a", "wss://[::1]/1", "wss://[0::1]/2", "wss://[0:0::1]/3", "wss://[::0:1]/4",
    ]
    for url in urls { try places.take(relay(url)) }
    let without = try urls.filter { try !places.relays.contains(relay($0)) }
    #expect(without == ["wss://relay.example/d", "wss://[::0:1]/4"])
    #expect(try places.refusal(of: relay("wss://relay.example/d")) == .hostFull)
  }

  @Test("Addresses of one host that many keys named leave the places to other relays") func plan() throws {
    var plan = WatchPlan(own: [])
    let many = try (0..<10).map { try relay("wss://flood.example/\($0)") }
    let shares = try plan.shares(
      keys: [numbered(1), numbered(2), numbered(3)],
      relays: [numbered(1): many, numbered(2): many, numbered(3): [relay("wss://honest.example")]])
    let watched = shares[0].reduce(into: Set<WebSocketURL>()) { $0.formUnion($1.named.keys) }
    #expect(try watched.count == 4 && watched.contains(relay("wss://honest.example")))
    let leftOut = plan.takeLeftOut()
    #expect(leftOut.count == 7)
  }

  @Test("With a full table a pair without a watched relay is refused by name, and one with others keeps these") func full() throws
  {
    let bench = try ProxyBench(mostRelays: 2)
    defer { bench.stop() }
    #expect(try bench.post("/register", Self.register).status == 200)
    try bench.table.planned(.init(watched: [relay("wss://a.example"), relay("wss://b.example")]))
    let got = try bench.post("/pair-client", Self.pair(["wss://new.example"]))
    #expect(got.status == 503 && got.error == "relay_table_full" && got.head.contains("retry-after"))
    #expect(try bench.registrations.relays().isEmpty)
    let some = try bench.post("/pair-client", Self.pair(["wss://new.example", "wss://a.example"]))
    #expect(some.status == 200 && some.json == ["ok": true, "left_out": 1])
    #expect(try Set(bench.registrations.relays().keys) == [relay("wss://a.example")])
    #expect(bench.table.declined == 2)
    let said = bench.said.withLock { $0 }
    #expect(said.count == 1 && said.first?.contains("relay_table_full") == true)
  }

  @Test("The networks of one IPv6 site together do not fill the table") func site() throws {
    func taken(_ address: (Int) -> String) throws -> Int {
      let table = RelayTable(own: []) { _ in }
      table.planned(.init(), now: 0)
      var count = 0
      for network in 0..<32 {
        let holder = Holder.network(try #require(NetworkAddress(parsing: address(network)[...])).network)
        for number in 0..<30 {
          count += try table.decide([relay("wss://r\(network)-\(number).example")], for: holder, now: 0).watched.count
        }
      }
      return count
    }
    #expect(try taken { "2001:db8:1:\(String($0, radix: 16))::1" } == 120)
    #expect(try taken { "2001:db8:\(String($0, radix: 16))::1" } == 960, "each of another site")
    #expect(try taken { "192.0.2.\($0)" } == 960)
  }

  @Test("A fourth path of a host is refused by name") func fourthPath() throws {
    let bench = try ProxyBench()
    defer { bench.stop() }
    #expect(try bench.post("/register", Self.register).status == 200)
    bench.table.planned(.init())
    let paths = (1...4).map { "wss://relay.example/\($0)" }
    #expect(try bench.post("/pair-client", Self.pair(paths)).json == ["ok": true, "left_out": 1])
    let got = try bench.post("/pair-client", Self.pair(["wss://relay.example/5"]))
    #expect(got.status == 409 && got.error == "relay_limit_per_host" && got.json?["limit"] == 3)
    #expect(try bench.post("/pair-client", Self.pair(["wss://relay.example"])).json == ["ok": true])
  }

  @Test("One address names so many new relays in an hour, another one is not held up, and known relays are free")
  func share() throws {
    let bench = try ProxyBench()
    defer { bench.stop() }
    try bench.table.planned(.init(watched: [relay("wss://known.example")]))
    for key in ["22", "33", "44", "55"] {
      #expect(try bench.post("/register", Self.register, key: key).status == 200)
      let relays = (0..<10).map { "wss://r\(key)-\($0).example" }
      let got = try bench.post("/pair-client", Self.pair(relays), key: key)
      guard key == "55" else {
        #expect(got.status == 200)
        continue
      }
      #expect(got.status == 429 && got.error == "novel_relay_rate")
    }
    #expect(try bench.post("/pair-client", Self.pair(["wss://known.example"]), key: "55").status == 200)
    bench.now.change { $0 += 1 }
    let other = try bench.post("/pair-client", Self.pair(["wss://r55-1.example"]), key: "55", from: "203.0.113.8")
    #expect(other.status == 200)
    bench.now.change { $0 += 120 }
    #expect(try bench.post("/pair-client", Self.pair(["wss://r55-2.example"]), key: "55").status == 200)
  }

  @Test("What was decided counts until the plan has it, and not for ever") func decided() throws {
    let table = RelayTable(own: [try relay("wss://own.example")], most: 1) { _ in }
    let holder = Holder.processes(uid: 1, group: 1)
    let (one, two) = (try relay("wss://one.example"), try relay("wss://two.example"))
    #expect(table.decide([one, two], for: holder, now: 0).watched == [one, two], "before the first plan")
    table.planned(.init())
    #expect(table.decide([one], for: holder, now: 0).refusal == nil)
    #expect(table.decide([two], for: holder, now: 1).refusal == .full)
    #expect(try table.decide([relay("wss://own.example")], for: holder, now: 1).refusal == nil)
    #expect(table.decide([two], for: holder, now: RelayTable.deciding).refusal == nil)
  }

  @Test("The operator is told once an hour of relays that are left out, with their hosts") func said() throws {
    let said = Locked<[String]>([])
    let table = RelayTable(own: [], remark: { line in said.withLock { $0.append(line.text) } })
    let leftOut = Set(try (1...7).map { try relay("wss://left\($0).example/a") })
    for time: Int64 in [0, 1, 3_599_999, 3_600_000] { table.planned(.init(leftOut: leftOut), now: time) }
    let lines = said.withLock { $0 }
    #expect(lines.count == 2 && lines[0].contains("7 are left out") && table.leftOut == 7)
    #expect(lines[0].contains("left1.example:443") && lines[0].contains("and others") && lines[0].utf8.count < 600)
  }

  @Test("A refusal names the relay's host to the operator, and nothing that a terminal would obey") func namesHost() throws {
    let said = Locked<[String]>([])
    let table = RelayTable(own: [], most: 1, remark: { line in said.withLock { $0.append(line.text) } })
    let long = try relay("wss://" + String(repeating: "a.", count: 110) + "example/a")
    table.planned(.init(watched: [try relay("wss://one.example")]), now: 0)
    for (number, named) in [try relay("wss://two.example:444/x"), long].enumerated() {
      #expect(table.decide([named], for: .processes(uid: 1, group: 1), now: Int64(number) * 3_600_000).refusal == .full)
    }
    let lines = said.withLock { $0 }
    #expect(lines.count == 2 && lines[0].contains("It is at two.example:444.") && !lines[0].contains("/x"))
    #expect(lines[1].utf8.count < 500 && lines[1].utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F })
  }

  @Test("A relay without any connection for three days gives its place to another one, and to nobody before") func absent() throws
  {
    let (dead, alive, new) = (try relay("wss://dead.example"), try relay("wss://alive.example"), try relay("wss://new.example"))
    var absence = RelayAbsence()
    absence.placed([dead, alive], named: [dead, alive], now: 0)
    let early = absence.look(connected: [alive.text], now: RelayAbsence.longest - 1)
    #expect(!early && absence.absent.isEmpty)
    let late = absence.look(connected: [], now: RelayAbsence.longest)
    #expect(late && absence.absent == [dead])
    let again = absence.look(connected: [], now: RelayAbsence.longest)
    #expect(!again, "nothing is new")
    // It stays absent after it lost its place, while pairs name it.
    absence.placed([alive, new], named: [dead, alive, new], now: RelayAbsence.longest + 1)
    #expect(absence.absent == [dead])
    let back = absence.look(connected: [dead.text], now: RelayAbsence.longest + 2)
    #expect(back && absence.absent.isEmpty)
    _ = absence.look(now: 3 * RelayAbsence.longest)
    absence.placed([alive], named: [alive], now: 3 * RelayAbsence.longest)
    #expect(absence.absent == [alive], "those that nobody names are forgotten")
  }

  @Test("With a full table a new relay takes the place of an absent one, and the operator hears which") func takesPlace() throws {
    let said = Locked<[String]>([])
    let table = RelayTable(own: [], most: 2, remark: { line in said.withLock { $0.append(line.text) } })
    let (dead, alive, new) = (try relay("wss://dead.example"), try relay("wss://alive.example"), try relay("wss://new.example"))
    let holder = Holder.processes(uid: 1, group: 1)
    table.planned(.init(watched: [dead, alive]), now: 0)
    #expect(table.decide([new], for: holder, now: 0).refusal == .full)
    table.planned(.init(watched: [dead, alive], absent: [dead]), now: 1)
    #expect(table.decide([dead], for: holder, now: 1).refusal == nil, "who names it keeps it")
    #expect(table.decide([new], for: holder, now: 1).refusal == nil)
    #expect(table.decide([try relay("wss://more.example")], for: holder, now: 1).refusal == .full, "there is one place")
    table.planned(.init(watched: [new, alive], leftOut: [dead], lost: [dead]), now: 2)
    #expect(
      said.withLock { $0 }.contains {
        $0.contains("had no connection for 3 days, and lost its place") && $0.contains("dead.example:443")
      })
  }

  @Test("The plan gives absent relays only the places that are left") func absentInPlan() throws {
    var plan = WatchPlan(own: [])
    let paths = try (1...4).map { try relay("wss://host.example/\($0)") }
    let named = [numbered(1): Array(paths[0..<3]), numbered(2): [paths[0]], numbered(3): [paths[3]]]
    _ = plan.shares(keys: [numbered(1), numbered(2), numbered(3)], relays: named)
    let first = plan.takeLeftOut()
    #expect(first == [paths[3]])
    _ = plan.shares(keys: [numbered(1), numbered(2), numbered(3)], relays: named, absent: [paths[0]])
    let second = plan.takeLeftOut()
    #expect(second == [paths[0]], "although the most keys named it")
    _ = plan.shares(keys: [numbered(1), numbered(2)], relays: named, absent: [paths[0]])
    let third = plan.takeLeftOut()
    #expect(third.isEmpty, "without another one it stays")
  }
}
