import Sockets
import Testing

/// Where the owner did not say so, nothing on this machine or inside his network is connected to, however its address is written.
@Suite struct InsideAddressTests {
  @Test(arguments: [
    "127.0.0.1", "127.1", "2130706433", "0x7f000001", "localhost", "0.0.0.0", "10.0.0.1", "172.16.0.1", "192.168.1.1",
    "169.254.169.254", "100.64.0.1", "224.0.0.1", "255.255.255.255", "[::1]", "[::]", "[::ffff:127.0.0.1]",
    "[::ffff:192.168.1.1]", "[fd00::1]", "[fe80::1]", "[ff02::1]", "[64:ff9b::7f00:1]", "[64:ff9b:1::1]", "[2002:7f00:1::]",
  ])
  func insideIsNotConnectedTo(host: String) throws {
    let loop = try EventLoop()
    loop.start()
    defer { loop.stop() }
    var options = ConnectOptions()
    options.reachesInside = false
    let client = Recorder()
    loop.connect(to: try WebSocketURL(parsing: "ws://\(host):1"), options: options, handler: client)
    guard case .insideNetwork = client.end() else {
      Issue.record("\(host): \(String(describing: client.end()))")
      return
    }
  }

  @Test func whereTheOwnerSaidSoItIs() throws {
    let bench = try Bench(echoService())
    defer { bench.loop.stop() }
    let client = Recorder()
    bench.loop.connect(to: try bench.url, handler: client)
    #expect(client.waitForOpening())
  }

  @Test(arguments: [
    ("ws://127.0.0.1:7777", true), ("wss://localhost", true), ("ws://a.localhost", true), ("ws://[::1]", true),
    ("ws://192.168.1.5/x", true), ("wss://relay.example", false), ("wss://8.8.8.8", false), ("wss://localhost.example", false),
  ])
  func whatEverybodySees(text: String, isInside: Bool) throws {
    #expect(try WebSocketURL(parsing: text).isInsideAsWritten == isInside)
  }
}
