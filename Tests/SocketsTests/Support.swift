import Foundation
import Platform
import Testing

@testable import Sockets

/// A loop with a server for one test. Ends with `stop`.
struct Bench {
  let loop: EventLoop
  let listener: Listener

  init(_ service: Service) throws { try self.init(.init(.tcp(host: "127.0.0.1", port: 0)), service) }

  init(_ options: Listener.Options, _ service: Service) throws {
    loop = try EventLoop()
    loop.start()
    do { listener = try loop.listen(options, service: service) } catch {
      loop.stop()
      throw error
    }
  }

  var url: WebSocketURL { get throws { try WebSocketURL(parsing: "ws://127.0.0.1:\(listener.port)/relay") } }
}

/// Notes what a WebSocket was told, and can answer.
final class Recorder: WebSocketHandler {
  struct Log {
    var openings = 0
    var texts: [[UInt8]] = []
    var count = 0
    var ends: [CloseReason] = []
  }
  let log = Locked(Log())
  let keeps: Bool
  let onOpen: @Sendable (WebSocket) -> Void
  let onText: @Sendable (WebSocket, [UInt8]) -> Void

  init(
    keeps: Bool = true, onOpen: @escaping @Sendable (WebSocket) -> Void = { _ in },
    onText: @escaping @Sendable (WebSocket, [UInt8]) -> Void = { _, _ in }
  ) {
    self.keeps = keeps
    self.onOpen = onOpen
    self.onText = onText
  }

  func opened(_ webSocket: WebSocket) {
    log.change { $0.openings += 1 }
    onOpen(webSocket)
  }
  func received(_ webSocket: WebSocket, text: [UInt8]) {
    onText(webSocket, text)
    log.change {
      $0.count += 1
      if keeps { $0.texts.append(text) }
    }
  }
  func closed(_ webSocket: WebSocket, reason: CloseReason) { log.change { $0.ends.append(reason) } }

  func texts(_ count: Int) -> [[UInt8]]? { log.wait(milliseconds: 20_000) { $0.texts.count >= count ? $0.texts : nil } }
  func waitForCount(_ count: Int) -> Bool { log.wait(milliseconds: 20_000) { $0.count >= count ? true : nil } ?? false }
  func waitForOpening() -> Bool { log.wait(milliseconds: 20_000) { $0.openings > 0 ? true : nil } ?? false }
  func end(milliseconds: Int = 20_000) -> CloseReason? { log.wait(milliseconds: milliseconds) { $0.ends.first } }
}

/// Answers each message with itself.
func echoService(_ options: WebSocketOptions = WebSocketOptions(), _ handler: Recorder? = nil) -> Service {
  let echo = handler ?? Recorder(keeps: false, onText: { $0.send($1) })
  return Service(
    http: { request, answer in answer(HTTPResponse(status: 200, text: "\(request.method) \(request.path) \(request.body.count)"))
    },
    upgrade: { _ in .accept(echo, options) })
}

/// A plain blocking TCP or Unix connection, to say what no proper client says.
final class RawPeer {
  let descriptor: Int32

  init(port: UInt16) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    try connect(&address)
  }

  init(path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    try connect(&address)
  }

  deinit { close(descriptor) }

  private func connect<Address>(_ address: inout Address) throws {
    var patience = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    let answer = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Platform.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
      }
    }
    try #require(answer == 0, "connect: errno \(errno)")
  }

  @discardableResult
  func say(_ text: String) -> Bool { say(Array(text.utf8)) }

  @discardableResult
  func say(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  /// What has come when `isEnough` says so, or at the end of the stream or of the patience.
  func hear(until isEnough: ([UInt8]) -> Bool = { _ in false }) -> [UInt8] {
    var heard: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while !isEnough(heard) {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      heard += buffer.prefix(count)
    }
    return heard
  }

  /// Whether the peer has ended the stream, after what it said was heard; false if it keeps the connection for the whole patience.
  func isAtEnd() -> Bool {
    var byte: UInt8 = 0
    return recv(descriptor, &byte, 1, 0) == 0 || errno == ECONNRESET
  }

  func hearText(until mark: String) -> String {
    String(decoding: hear { String(decoding: $0, as: UTF8.self).contains(mark) }, as: UTF8.self)
  }

  func shakeHands(path: String = "/relay") {
    say(
      "GET \(path) HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n")
    _ = hearText(until: "\r\n\r\n")
  }

  /// One masked frame, with a mask of zeros.
  static func frame(_ first: UInt8, _ payload: [UInt8], announcedLength: UInt64? = nil) -> [UInt8] {
    let length = announcedLength ?? UInt64(payload.count)
    var frame = [first]
    if length < 126 {
      frame.append(0x80 | UInt8(length))
    } else if length < 65_536 {
      frame += [0x80 | 126, UInt8(length >> 8), UInt8(length & 0xFF)]
    } else {
      frame.append(0x80 | 127)
      frame += (0..<8).reversed().map { UInt8((length >> (8 * UInt64($0))) & 0xFF) }
    }
    return frame + [0, 0, 0, 0] + payload
  }
}

/// Resident kibibytes of this process.
func residentKiB() -> Int {
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS") } ?? ""
  return Int(line.filter(\.isNumber)) ?? 0
}

/// Asks on the loop thread, again and again, until `condition` holds; false after 20 seconds.
func waitUntil(_ loop: EventLoop, _ condition: @escaping @Sendable () -> Bool) -> Bool {
  let holds = Locked(false)
  @Sendable func ask() {
    if condition() { return holds.change { $0 = true } }
    loop.after(milliseconds: 5, ask)
  }
  loop.post(ask)
  return holds.wait(milliseconds: 20_000) { $0 ? true : nil } ?? false
}
