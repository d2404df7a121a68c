import Testing

@testable import Sockets

/// Where the owner did not say so, nothing on this machine or inside his network is connected to, however its address is written.
@Suite struct InsideAddressTests {
  @Test(
    "Addresses inside the network are not connected to",
    arguments: [
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

  private static let home = [
    // As a VPS, a home with IPv6, a machine that is told its own address only, a tunnel, and a provider's mask that is far too wide.
    interface("93.184.216.34", 24), interface("2a01:4f8:1:2::5", 64), interface("2a02:8108:7::1", 128),
    interface("2a03:b0c0::9", 128, isShared: false), interface("81.2.69.142", 0), interface("2a0c:1::1", 3),
  ]

  private static func interface(_ address: String, _ bits: Int, isShared: Bool = true) -> OwnNetworks.Interface {
    let address = NetworkAddress(parsing: address)!  // written here
    return .init(address: address, bits: address.isV4 ? bits + 96 : bits, isShared: isShared)
  }

  @Test(
    "The machine's public addresses and their on-link neighbours count as internal",
    arguments: [
      ("93.184.216.34", true), ("93.184.216.1", true), ("::ffff:93.184.216.34", true), ("64:ff9b::5db8:d822", true),
      ("2002:5db8:d822::1", true), ("93.184.217.1", false), ("2a01:4f8:1:2::5", true), ("2a01:4f8:1:2:ffff::1", true),
      ("2a01:4f8:1:3::1", false), ("2a02:8108:7::99", true), ("2a02:8108:7:1::1", false), ("2a03:b0c0::9", true),
      ("2a03:b0c0::8", false), ("81.2.69.142", true), ("81.2.1.1", true), ("81.3.69.142", false), ("8.8.8.8", false),
      ("2a0c:1:0:9::1", true), ("2a0c:1:1::1", false), ("2620:fe::fe", false),
    ])
  func ownNetworks(address: String, isInside: Bool) {
    #expect(InsideAddress.contains(address, own: OwnNetworks(Self.home)) == isInside)
  }

  @Test("The machine's own public addresses are never connected to") func ownAddressesAreNotConnectedTo() throws {
    let loop = try EventLoop()
    loop.start()
    defer { loop.stop() }
    var options = ConnectOptions()
    options.reachesInside = false
    options.ownNetworks = { OwnNetworks(Self.home) }
    let client = Recorder()
    loop.connect(to: try WebSocketURL(parsing: "ws://93.184.216.34:1"), options: options, handler: client)
    #expect(client.end() == .insideNetwork(address: "93.184.216.34"))
  }

  @Test("The addresses of the system's network interfaces are read") func thisMachinesInterfaces() throws {
    let loopback = try #require(OwnNetworks.Interface.all().first { $0.address == NetworkAddress(parsing: "127.0.0.1") })
    #expect(loopback.bits == 96 + 8 && !loopback.isShared)
    #expect(OwnNetworks.now().contains([UInt8](repeating: 0, count: 10) + [0xff, 0xff, 127, 0, 0, 1]))
  }

  @Test("An address inside the network is connected to when the owner allows it") func whereTheOwnerSaidSoItIs() throws {
    let bench = try Bench(echoService())
    defer { bench.loop.stop() }
    let client = Recorder()
    bench.loop.connect(to: try bench.url, handler: client)
    #expect(client.waitForOpening())
  }

  @Test(
    "An address that is visibly internal is recognised without a lookup",
    arguments: [
      ("ws://127.0.0.1:7777", true), ("wss://localhost", true), ("ws://a.localhost", true), ("ws://[::1]", true),
      ("ws://192.168.1.5/x", true), ("wss://relay.example", false), ("wss://8.8.8.8", false), ("wss://localhost.example", false),
    ])
  func whatEverybodySees(text: String, isInside: Bool) throws {
    #expect(try WebSocketURL(parsing: text).isInsideAsWritten == isInside)
  }

  @Test(
    "An address that only this machine reaches is told from one in the network",
    arguments: [
      ("ws://127.0.0.1:7777", true), ("wss://localhost", true), ("ws://a.localhost", true), ("ws://[::1]", true),
      ("ws://127.8.8.8", true), ("ws://192.168.1.5/x", false), ("wss://relay.example", false), ("ws://127.0.0.1.example", false),
    ])
  func onlyThisMachine(text: String, isHere: Bool) throws {
    #expect(try WebSocketURL(parsing: text).isThisMachineAsWritten == isHere)
  }
}
