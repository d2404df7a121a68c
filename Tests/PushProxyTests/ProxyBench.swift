import Curve
import Foundation
import JSON
import Nostr
import Platform
import SecretMemory
import Sockets
import TestSupport
import Testing

@testable import PushProxy

/// A proxy behind a real listener on loopback, with clocks that tests turn.
final class ProxyBench: Sendable {
  static let base = "https://push.example"
  let folder = DataFolder()
  let registrations: Registrations
  let loop: EventLoop
  let server: ProxyServer
  let listener: Listener
  let now = Locked(Int64(1_800_000_000))
  let table: RelayTable
  /// What the operator was told of relays.
  let said = Locked<[String]>([])

  init(
    rates: ProxyServer.Rates = .init(), mostWaiting: Int = ProxyServer.mostWaiting, allowsInside: Bool = false,
    servesMetrics: Bool = true, wakesApple: Bool = true, mostRelays: Int = RelayPlaces.most, figures: ProxyFigures = .init()
  ) throws {
    registrations = try Registrations(folder: folder.path)
    let said = said
    table = RelayTable(own: [], most: mostRelays) { line in said.withLock { $0.append(line.text) } }
    var settings = ProxyServer.Settings(base: Self.base)
    settings.publicRelay = "wss://relay.example"
    (settings.rates, settings.allowsInside, settings.servesMetrics) = (rates, allowsInside, servesMetrics)
    settings.wakesApple = wakesApple
    let clock = now
    let clocks = ProxyServer.Clocks(
      seconds: { clock.withLock { $0 } }, milliseconds: { clock.withLock { $0 * 1_000 } })
    server = ProxyServer(settings, registrations, table, clocks, mostWaiting: mostWaiting) { figures }
    loop = try EventLoop()
    loop.start()
    var options = Listener.Options(.tcp(host: "127.0.0.1", port: 0))
    options.proxies = [AddressRange(parsing: "127.0.0.1")].compactMap { $0 }
    do { listener = try server.listen(on: loop, options) } catch {
      loop.stop()
      throw error
    }
  }

  func stop() {
    server.stop()
    loop.stop(within: 200)
  }

  static func key(_ byte: String = "22") throws -> KeyPair {
    try KeyPair(SecretKey(secret(hex: String(repeating: byte, count: 32))))
  }

  /// The header's value, for a request as the app signs it.
  func authorization(
    _ path: String, _ body: String, key: String = "22", base: String = base, method: String = "POST"
  ) throws -> String {
    try NIP98.header(
      url: base + path, method: method, body: Array(body.utf8), key: Self.key(key), now: now.withLock { $0 })
  }

  /// Posts a signed request.
  func post(
    _ path: String, _ body: String, key: String = "22", header: String = "X-Clave-Auth", from address: String = "203.0.113.7"
  ) throws -> Got {
    try send("POST", path, [header: authorization(path, body, key: key), "X-Forwarded-For": address], body)
  }

  func send(_ method: String, _ path: String, _ headers: [String: String] = [:], _ body: String = "") throws -> Got {
    let peer = try HTTPPeer(port: listener.port)
    peer.say(method, path, headers, body)
    return try peer.answer()
  }
}

/// An answer.
struct Got {
  let status: Int
  let head: String
  let body: [UInt8]
  var json: JSONValue? { try? JSONValue(parsing: body) }
  var error: String? { json?["error"]?.string }
}

/// One connection for one request.
final class HTTPPeer {
  private let descriptor: Int32

  init(port: UInt16) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let connected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(connected == 0)
  }

  deinit { close(descriptor) }

  func say(_ method: String, _ path: String, _ headers: [String: String], _ body: String) {
    var head = "\(method) \(path) HTTP/1.1\r\nHost: push.example\r\nConnection: close\r\n"
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    if method == "POST" { head += "Content-Length: \(body.utf8.count)\r\n" }
    _ = writeWhole(Array((head + "\r\n" + body).utf8), to: descriptor)
  }

  func answer() throws -> Got {
    var all: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while case let count = read(descriptor, &piece, piece.count), count > 0 { all += piece[..<count] }
    let text = String(decoding: all, as: UTF8.self)
    let end = try #require(text.range(of: "\r\n\r\n"))
    let head = String(text[..<end.lowerBound])
    let status = try #require(Int(head.split(separator: " ").dropFirst().first ?? ""))
    return Got(status: status, head: head.lowercased(), body: Array(text[end.upperBound...].utf8))
  }
}
