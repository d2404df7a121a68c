import Platform
import Sockets
import Testing

@testable import PushProxy

@Suite("What the operator is told of relays and of the end") struct RelayRemarksTests {
  @Test("A relay that was told as lost is told as back at once, and its next loss a minute after the first") func back() throws {
    let said = Locked<[String]>([])
    let remarks = RelayRemarks { line in said.withLock { $0.append(line.text) } }
    let url = try relay("wss://relay.example")
    for (isConnected, time): (Bool, Int64) in [
      (true, 0), (false, 1_000), (false, 2_000), (true, 3_000), (false, 4_000), (true, 5_000), (false, 61_000), (true, 61_001),
    ] { remarks.changed(url, isConnected: isConnected, nil, now: time) }
    let lines = said.withLock { $0.map { String($0.prefix(24)) } }
    #expect(
      lines == ["There is no connection t", "Connected to wss://relay", "There is no connection t", "Connected to wss://relay"])
  }

  @Test("A proxy that ends says what it waits for") func ending() {
    var store = StoreHealth()
    #expect(
      ProxyService.ending(requests: 2, wakes: 7, of: store) == """
        The proxy ends. It takes no further requests, answers those that wait (2), and sends the wakes that wait (7), for 5 seconds at most.
        """)
    store.proxies = 3
    #expect(ProxyService.ending(requests: 0, wakes: 0, of: store).hasSuffix(" other proxies look after its keys."))
  }
}
