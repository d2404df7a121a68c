import Foundation
import JSON
import OwnerAPI
import Platform
import Sockets
import Testing

@testable import Console

/// A console behind a real listener on loopback, with a clock that tests turn.
final class ConsoleBench: Sendable {
  let loop: EventLoop
  let listener: Listener
  let console: Console
  let seconds = Locked(Int64(0))
  let events = Locked<[ConsoleEvent]>([])
  /// The names of sessions that are over.
  let over = Locked<[String]>([])
  let asked = Locked<[ControlRequest]>([])
  let slots = Locked<[PasskeySlot]>([])

  let kept: Locked<[[UInt8]: [UInt8]]>

  /// Whether the signer is locked.
  let isLocked = Locked(false)

  /// Whether the signer is locked down.
  let isLockedDown = Locked(false)

  /// Whether a passphrase opens the vault.
  let hasPassphrase = Locked(true)

  /// Whether every operation fails.
  let isRefusing = Locked(false)

  /// Whether every passphrase is wrong.
  let isWrong = Locked(false)

  /// Whether every passphrase comes too soon after a wrong one.
  let isTooSoon = Locked(false)

  /// What happens just before a passkey is stored.
  struct Meanwhile: Sendable { var body: (@Sendable () -> Void)? }
  let meanwhile = Locked(Meanwhile())

  init(
    kept: Locked<[[UInt8]: [UInt8]]> = Locked([:]), names: [String] = ["localhost", "127.0.0.1"], takesAnyAddress: Bool = false,
    proxies: [String] = [], connections: Int = SocketLimits.connections
  ) throws {
    self.kept = kept
    let loop = try EventLoop()
    self.loop = loop
    loop.start()
    let box = Locked<Console?>(nil)
    var options = Listener.Options(.tcp(host: "127.0.0.1", port: 0))
    options.extraHeaders = Console.extraHeaders
    options.proxies = proxies.compactMap { AddressRange(parsing: $0) }
    var limits = Admission.Limits()
    limits.connections = connections
    options.admission = Admission(limits)
    listener = try loop.listen(
      options,
      service: Service(
        http: { request, answer in
          guard let console = box.withLock({ $0 }) else { return }
          guard Console.isSigningLink(request) else { return console.answer(request, answer) }
          answer(console.refusal(ofLink: request) ?? HTTPResponse(status: 204))
        },
        upgrade: { request in box.withLock { $0 }?.upgrade(request) ?? .refuse(HTTPResponse(status: 503, text: "")) }))
    let port = listener.port
    let (seconds, events, asked, meanwhile, slots) = (seconds, events, asked, meanwhile, slots)
    let (isLocked, isRefusing, over) = (isLocked, isRefusing, over)
    let (isLockedDown, hasPassphrase, isWrong, isTooSoon) = (isLockedDown, hasPassphrase, isWrong, isTooSoon)
    console = try Console(
      .init(
        origins: names.compactMap { ConsoleOrigin(parsing: $0, isSecure: false, port: port) }, takesAnyAddress: takesAnyAddress,
        isSecure: false, port: port, version: "test", unusualHome: "/srv/vault"),
      ConsoleHooks(
        perform: { request, answer in
          asked.change { $0.append(request) }
          if isRefusing.withLock({ $0 }) { return answer(.failure(exit: 3, error: "Refused.", hint: nil)) }
          if isTooSoon.withLock({ $0 }) {
            return answer(.failure(exit: 3, error: "Wait.", hint: nil, tryAgainIn: 1, isTooSoon: true))
          }
          if isWrong.withLock({ $0 }) { return answer(.failure(exit: 4, error: "Wrong.", hint: nil, tryAgainIn: 1)) }
          answer(.success(["did": .string(request.operation)]))
        },
        work: { job in
          job()
          return true
        },
        passkeys: PasskeyStorage(
          load: { Array(kept.withLock { $0 }.values) },
          put: { id, record in
            meanwhile.withLock { $0.body }?()
            kept.withLock { $0[id] = record }
            return true
          },
          remove: { id in kept.withLock { $0.removeValue(forKey: id) != nil } }),
        passkeySlots: { slots.withLock { $0 } },
        record: { event in events.change { $0.append(event) } }, sessionEnded: { id in over.change { $0.append(id) } },
        isFirstRun: { true },
        hasPassphrase: { hasPassphrase.withLock { $0 } },
        isLocked: { isLocked.withLock { $0 } }, isLockedDown: { isLockedDown.withLock { $0 } },
        after: { milliseconds, job in _ = loop.after(milliseconds: milliseconds, job) },
        now: {
          let now = seconds.withLock { $0 }
          return ConsoleTime(wall: 1_700_000_000 + now, steady: 1_000_000 + now * 1000)
        }))
    box.withLock { $0 = console }
  }

  func stop() { loop.stop(within: 200) }

  var authority: String { "localhost:\(listener.port)" }
  var origin: String { "http://\(authority)" }

  /// A fresh sign-in token.
  func token() throws -> String { String(try #require(console.makeLink()?.url.split(separator: "=").last)) }

  /// A browser that has signed in by a link.
  func signedIn() throws -> Browser {
    var browser = Browser(self)
    let answer = try browser.call("session/open", ["token": .string(try token())])
    try #require(answer.status == 200)
    return browser
  }
}

/// What a test got.
struct Got {
  let status: Int
  let headers: [(name: String, value: String)]
  let body: [UInt8]

  func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
  var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }
  var result: JSONValue { json["result"] ?? .null }
}

/// Sends requests as a browser would, cookie and token included, unless a test says otherwise.
struct Browser {
  let bench: ConsoleBench
  var cookie: String?
  var csrf: String?

  init(_ bench: ConsoleBench) { self.bench = bench }

  /// - Parameter changes: headers to send instead; an empty value leaves the header out.
  mutating func call(
    _ operation: String, _ parameters: JSONValue = [:], method: String = "POST", changes: [String: String] = [:],
    body: [UInt8]? = nil, secrets: [(String, [UInt8])] = []
  ) throws -> Got {
    if !secrets.isEmpty {
      let lengths = secrets.map { name, bytes -> JSONValue in [.string(name), .integer(Int64(bytes.count))] }
      let line = JSONValue.object((parameters.members ?? []) + [.init("secrets", .array(lengths))]).serialized() + [0x0A]
      return try call(operation, method: method, changes: changes, body: line + secrets.flatMap(\.1))
    }
    var headers = [
      "Host": bench.authority, "Origin": bench.origin, "Content-Type": "application/json", "User-Agent": "Test/1",
      "Sec-Fetch-Site": "same-origin",
    ]
    if let cookie { headers["Cookie"] = cookie }
    if let csrf { headers["X-CSRF-Token"] = csrf }
    let got = try send(method, "/api/v1/\(operation)", headers.merging(changes) { $1 }, body ?? parameters.serialized())
    if let set = got.header("set-cookie") {
      let pair = String(set.split(separator: ";")[0])
      cookie = pair.hasSuffix("=") ? nil : pair
    }
    if let fresh = got.result["csrf"]?.string { csrf = fresh }
    return got
  }

  func get(_ path: String, changes: [String: String] = [:]) throws -> Got {
    try send("GET", path, ["Host": bench.authority].merging(changes) { $1 }, [])
  }

  func send(_ method: String, _ path: String, _ headers: [String: String], _ body: [UInt8]) throws -> Got {
    let peer = try Connection(port: bench.listener.port)
    var head = "\(method) \(path) HTTP/1.1\r\n"
    for (name, value) in headers where !value.isEmpty { head += "\(name): \(value)\r\n" }
    if method == "POST" { head += "Content-Length: \(body.count)\r\n" }
    peer.say(Array((head + "Connection: close\r\n\r\n").utf8) + body)
    return try peer.answer()
  }
}

/// A plain blocking connection.
final class Connection {
  let descriptor: Int32
  /// What came behind the answer.
  private var rest: [UInt8] = []

  init(port: UInt16) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var patience = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    let answer = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Platform.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(answer == 0, "connect: errno \(errno)")
  }

  deinit { close(descriptor) }

  func say(_ bytes: [UInt8]) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { Platform.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return }
      sent += count
    }
  }

  /// One HTTP answer.
  func answer() throws -> Got {
    var heard: [UInt8] = []
    let mark = Array("\r\n\r\n".utf8)
    while true {
      if let end = heard.firstRange(of: mark) {
        let lines = String(decoding: heard[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let number = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) }
        let status = try #require(number)
        let headers = lines.dropFirst().map { line -> (name: String, value: String) in
          let parts = line.split(separator: ":", maxSplits: 1)
          return (parts[0].lowercased(), parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : "")
        }
        let length = headers.first { $0.name == "content-length" }.flatMap { Int($0.value) } ?? 0
        let body = heard[end.upperBound...]
        if status == 101 { rest = Array(body) }
        if body.count >= length || status == 101 {
          return Got(status: status, headers: headers, body: Array(body.prefix(length)))
        }
      }
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      try #require(count > 0, "the connection ended: \(String(decoding: heard, as: UTF8.self))")
      heard += buffer.prefix(count)
    }
  }

  /// The next WebSocket frame of the server: opcode and payload. Nil at the end.
  func frame() -> (opcode: UInt8, payload: [UInt8])? {
    guard let head = read(2) else { return nil }
    var length = Int(head[1] & 0x7F)
    if length == 126 {
      guard let more = read(2) else { return nil }
      length = Int(more[0]) << 8 | Int(more[1])
    }
    return read(length).map { (head[0] & 0x0F, $0) }
  }

  /// Whether the server has ended the connection; waits for it.
  func isAtEnd() -> Bool { read(1) == nil }

  private func read(_ count: Int) -> [UInt8]? {
    var bytes = Array(rest.prefix(count))
    rest.removeFirst(bytes.count)
    while bytes.count < count {
      var buffer = [UInt8](repeating: 0, count: count - bytes.count)
      let got = recv(descriptor, &buffer, buffer.count, 0)
      guard got > 0 else { return nil }
      bytes += buffer.prefix(got)
    }
    return bytes
  }
}

extension Browser {
  /// The handshake of the live channel.
  /// - Parameter token: nil for the page's own.
  func live(changes: [String: String] = [:], token: String? = nil) throws -> (Connection, Got) {
    let connection = try Connection(port: bench.listener.port)
    let headers = [
      "Host": bench.authority, "Origin": bench.origin, "Cookie": cookie ?? "", "Upgrade": "websocket", "Connection": "Upgrade",
      "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version": "13",
    ].merging(changes) { $1 }
    var head = "GET /api/v1/live?token=\(token ?? csrf ?? "") HTTP/1.1\r\n"
    for (name, value) in headers where !value.isEmpty { head += "\(name): \(value)\r\n" }
    connection.say(Array((head + "\r\n").utf8))
    return (connection, try connection.answer())
  }
}
