import Foundation
import Testing

@testable import Sockets

/// Who is counted together.
@Suite struct HolderTests {
  @Test(
    "Loopback addresses are recognised",
    arguments: [
      ("127.0.0.1", true), ("127.9.9.9", true), ("::1", true), ("::ffff:127.0.0.1", true), ("128.0.0.1", false), ("::2", false),
      ("1::1", false), ("::127.0.0.1", false),
    ])
  func knowsThisMachine(text: String, isLoopback: Bool) throws {
    #expect(try #require(NetworkAddress(parsing: text)).isLoopback == isLoopback)
  }

  @Test(
    "Invalid IP addresses are refused",
    arguments: ["", "localhost", "1.2.3", "1.2.3.4.5", "::1::", "1.2.3.4 ", "0x7f.1", "999.1.1.1", "[::1]"])
  func takesAddressesOnly(text: String) { #expect(NetworkAddress(parsing: text) == nil) }

  @Test("All addresses of one IPv6 /64 network count as one holder") func countsNetworks() throws {
    func network(_ text: String) throws -> NetworkAddress { try #require(NetworkAddress(parsing: text)).network }
    #expect(try network("2001:db8:1:2:3:4:5:6") == network("2001:db8:1:2::9"))
    #expect(try network("2001:db8:1:2::") != network("2001:db8:1:3::"))
    #expect(try network("198.51.100.1") != network("198.51.100.2"))
    #expect(try network("::ffff:198.51.100.1") == network("198.51.100.1"))
    #expect(try network("fe80::1%eth0") == network("fe80::2"))
  }

  @Test(
    "An address range contains the right addresses",
    arguments: [
      ("10.0.0.0/8", "10.200.3.4", true), ("10.0.0.0/8", "11.0.0.1", false), ("10.1.2.3", "10.1.2.3", true),
      ("10.1.2.3", "10.1.2.4", false), ("10.1.2.3/32", "10.1.2.3", true), ("0.0.0.0/0", "9.9.9.9", true),
      ("0.0.0.0/0", "2001:db8::1", false), ("fd00::/8", "fd12::1", true), ("fd00::/8", "fe00::1", false),
      ("::/0", "2001:db8::1", true), ("2001:db8::/65", "2001:db8::8000:0:0:1", false), ("127.0.0.1", "::ffff:127.0.0.1", true),
    ])
  func rangesHold(range: String, address: String, isInside: Bool) throws {
    #expect(try #require(AddressRange(parsing: range)).contains(try #require(NetworkAddress(parsing: address))) == isInside)
  }

  @Test(
    "Malformed address ranges are refused",
    arguments: [
      "", "/8", "10.0.0.0/", "10.0.0.0/33", "::/129", "10.0.0.0/8/8", "10.0.0.0/-1", "10.0.0.0/+8", "proxy", "fe80::1%a",
    ])
  func otherRangesAreRefused(text: String) { #expect(AddressRange(parsing: text) == nil) }

  static let lists: [(list: String?, client: String?)] = [
    (nil, nil), ("", nil), ("203.0.113.7", "203.0.113.7"), ("198.51.100.1, 203.0.113.7", "203.0.113.7"),
    ("203.0.113.7, 10.0.0.2", "203.0.113.7"), ("198.51.100.1,203.0.113.7,10.0.0.2,10.0.0.3", "203.0.113.7"),
    ("10.0.0.9", "10.0.0.9"), ("203.0.113.7:4711", "203.0.113.7"), ("[2001:db8::1]:4711", "2001:db8::1"),
    ("2001:db8::1", "2001:db8::1"), ("203.0.113.7, unknown", nil), ("198.51.100.1, rubbish, 10.0.0.2", "10.0.0.2"),
    ("203.0.113.7,", nil), ("\t203.0.113.7 ", "203.0.113.7"), ("1.2.3.4.5", nil), ("203.0.113.7 x", "203.0.113.7"),
  ]

  @Test("The last address in X-Forwarded-For that is not a trusted proxy is the client's", arguments: lists)
  func readsTheProxysWord(list: String?, client: String?) throws {
    let proxies = try ["10.0.0.0/8"].map { try #require(AddressRange(parsing: $0)) }
    func said(to peer: String) -> NetworkAddress? {
      let headers = list.map { [HTTPHeader("x-forwarded-for", $0)] } ?? []
      let request = HTTPRequest(
        method: "GET", path: "/", query: [], headers: headers, body: [], peer: .tcp(address: peer, port: 1))
      return ForwardedFor.client(of: request, behind: proxies)
    }
    #expect(said(to: "10.0.0.1") == client.flatMap { NetworkAddress(parsing: $0) })
    #expect(said(to: "192.0.2.1") == nil, "nobody else's word is believed")
  }

  /// The kernel names the process behind a connection of this machine, by its user and control group.
  @Test("A connection from this machine is counted for its user and control group", arguments: ["127.0.0.1", "::1"])
  func aProcessOfThisMachineIsKnown(host: String) throws {
    let listening = try ListeningSocket.tcp(host: host, port: 0)
    defer { close(listening) }
    let url = try WebSocketURL(parsing: "ws://\(host == "::1" ? "[::1]" : host):\(ListeningSocket.port(of: listening))/")
    let loop = try EventLoop()
    loop.start()
    defer { loop.stop(within: 100) }
    loop.connect(to: url, handler: Recorder())
    var coming = pollfd(fd: listening, events: Int16(POLLIN), revents: 0)
    #expect(poll(&coming, 1, 60_000) == 1)
    guard case .accepted(let accepted) = ListeningSocket.accept(listening, isUnix: false) else {
      Issue.record("nothing came in")
      return
    }
    defer { close(accepted) }
    let holder = HolderLookup().holder(of: accepted, Peer.of(descriptor: accepted, isUnix: false))
    let address = try #require(NetworkAddress(parsing: host))
    // Where the kernel does not say, all of this machine are one.
    if case .processes(let uid, _) = holder { #expect(uid == getuid()) } else { #expect(holder == .network(address.network)) }
  }

  /// The kernel calls such a socket root's.
  @Test("A connection that its process has closed already belongs to nobody") func aClosedConnectionIsNobodys() throws {
    let listening = try ListeningSocket.tcp(host: "127.0.0.1", port: 0)
    defer { close(listening) }
    let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    (address.sin_family, address.sin_port) = (sa_family_t(AF_INET), UInt16(ListeningSocket.port(of: listening)).bigEndian)
    address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
    let length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isOpen = withUnsafePointer(to: &address) { place in
      place.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(client, $0, length) }
    }
    #expect(isOpen == 0)
    guard case .accepted(let accepted) = ListeningSocket.accept(listening, isUnix: false) else {
      Issue.record("nothing came in")
      return
    }
    defer { close(accepted) }
    close(client)
    let loopback = try #require(NetworkAddress(parsing: "127.0.0.1"))
    let holder = HolderLookup().holder(of: accepted, Peer.of(descriptor: accepted, isUnix: false))
    #expect(holder == .network(loopback.network))
  }
}
