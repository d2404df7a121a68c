import Testing

@testable import PushProxy

@Suite("Which hosts an address of a database names") struct PostgresHostsTests {
  private typealias Word = PostgresHosts.Word

  private func hosts(_ options: [String: String], _ environment: [String: String] = [:]) throws -> [PostgresHosts.Host] {
    try PostgresHosts(options, environment: { environment[$0] }).all
  }

  @Test("Each host is tried by itself, with its own port") func each() throws {
    #expect(
      try hosts(["host": "127.0.0.1,localhost", "port": "1,2"]).map(\.after) == [
        [Word(name: "host", value: "127.0.0.1"), Word(name: "port", value: "1")],
        [Word(name: "host", value: "localhost"), Word(name: "port", value: "2")],
      ])
    #expect(
      try hosts(["host": "::1,/run/x", "hostaddr": "127.0.0.1,127.0.0.2"]).map(\.after) == [
        [Word(name: "host", value: "::1"), Word(name: "hostaddr", value: "127.0.0.1")],
        [Word(name: "host", value: "/run/x"), Word(name: "hostaddr", value: "127.0.0.2")],
      ])
    for one in [[:], ["host": "localhost"], ["host": "/run/postgresql", "port": "1"], ["host": "localhost,"]] {
      #expect(try hosts(one) == [PostgresHosts.Host()])
    }
  }

  @Test("A host that is not this machine must show its certificate, unless the operator says otherwise") func strict() throws {
    let strict = [Word(name: "sslmode", value: "verify-full")]
    for host in ["db.example", "10.0.0.1", "0.0.0.0", "127.example", "127.1.example.org", "::2", "localhost.example"] {
      #expect(try hosts(["host": host]).map(\.before) == [strict], "\(host)")
    }
    #expect(try hosts([:], ["PGHOST": "db.example"]).map(\.before) == [strict])
    #expect(try hosts(["host": "localhost", "hostaddr": "10.0.0.1"]).map(\.before) == [strict])
    #expect(try hosts(["host": "localhost,db.example"]).map(\.before) == [[], strict])
    #expect(try hosts(["host": ",db.example"]).map(\.before) == [strict])
    for near in ["localhost", "127.0.0.1", "127.8.9.1", "::1", "/run/postgresql", "@name"] {
      #expect(try hosts(["host": near]).map(\.before) == [[]], "\(near)")
    }
    for named in [["service": "push"], ["service": "push", "host": "localhost"]] {
      #expect(try hosts(named).map(\.before) == [strict])
      #expect(try hosts(named.merging(["sslmode": "prefer"]) { $1 }).map(\.before) == [[]])
    }
    #expect(try hosts([:], ["PGSERVICE": "push"]).map(\.before) == [strict])
    #expect(try hosts(["host": "db.example", "sslmode": "prefer"]).map(\.before) == [[]])
    #expect(try hosts(["host": "db.example"], ["PGSSLMODE": "require"]).map(\.before) == [[]])
    #expect(try hosts(["host": "db.example", "hostaddr": "127.0.0.1"]).map(\.before) == [[]])
  }

  @Test(
    "What libpq would not take is said at once",
    arguments: [
      ["host": "a,b", "port": "1,2,3"], ["host": "a,b", "hostaddr": "127.0.0.1"],
    ])
  func malformed(options: [String: String]) {
    #expect(throws: PostgresFault.malformedAddress) { try PostgresHosts(options, environment: { _ in nil }) }
  }

  @Test("A mode of TLS that libpq does not know is named as what is wrong", arguments: ["", "canary", "Require"])
  func malformedMode(mode: String) {
    #expect(throws: PostgresFault.malformedMode) { try PostgresHosts(["sslmode": mode], environment: { _ in nil }) }
    #expect(PostgresFault.malformedMode.message.contains("sslmode") && !PostgresFault.malformedMode.message.contains("canary"))
  }
}
