import Foundation
import Platform
import Testing

@testable import Sockets

@Suite(.serialized) struct WebSocketTests {
  @Test(
    "Messages of any size up to the limit arrive unchanged",
    arguments: [0, 1, 10, 125, 126, 2_047, 2_048, 2_049, 65_535, 65_536, 200_000, 262_144])
  func echoesTextOfAnySizeWithinTheLimit(count: Int) throws {
    let bench = try Bench(echoService())
    defer { bench.loop.stop(within: 200) }
    let text = (0..<count).map { UInt8(ascii: "a") + UInt8($0 % 26) }
    let client = Recorder(onOpen: { $0.send(text) })
    bench.loop.connect(to: try bench.url, handler: client)
    #expect(client.texts(1)?.first == text)
  }

  @Test("Messages arrive in the order they were sent") func keepsTheOrderOfMessages() throws {
    let bench = try Bench(echoService())
    defer { bench.loop.stop(within: 200) }
    let client = Recorder()
    let socket = bench.loop.connect(to: try bench.url, handler: client)
    for number in 0..<1_000 { #expect(socket.send(Array("\(number)".utf8))) }  // the first ones before it is open
    let texts = try #require(client.texts(1_000))
    #expect(texts.map { String(decoding: $0, as: UTF8.self) } == (0..<1_000).map { "\($0)" })
  }

  @Test("Fragments of a message are joined") func putsFragmentsTogether() throws {
    let server = Recorder()
    let bench = try Bench(echoService(.init(), server))
    defer { bench.loop.stop(within: 200) }
    let peer = try RawPeer(port: bench.listener.port)
    peer.shakeHands()
    peer.say(RawPeer.frame(0x01, Array("hel".utf8)))
    peer.say(RawPeer.frame(0x89, Array("ping".utf8)))
    peer.say(RawPeer.frame(0x00, Array("l".utf8)) + RawPeer.frame(0x80, Array("o".utf8)))
    #expect(server.texts(1)?.first == Array("hello".utf8))
  }

  private static let badFrames: [String: (bytes: [UInt8], reason: CloseReason?)] = [
    "oversize frame": (RawPeer.frame(0x81, [0x61], announcedLength: 1 << 40), .messageTooLarge),
    "oversize length with the top bit": (RawPeer.frame(0x81, [0x61], announcedLength: .max), nil),
    "frame just above the limit": (RawPeer.frame(0x81, [UInt8](repeating: 0x61, count: 1_001)), .messageTooLarge),
    "fragments above the limit": (
      RawPeer.frame(0x01, [UInt8](repeating: 0x61, count: 600)) + RawPeer.frame(0x80, [UInt8](repeating: 0x61, count: 600)),
      .messageTooLarge
    ),
    "not UTF-8": (RawPeer.frame(0x81, [0x61, 0xFF]), .notUTF8),
    "surrogate": (RawPeer.frame(0x81, [0xED, 0xA0, 0x80]), .notUTF8),
    "overlong": (RawPeer.frame(0x81, [0xC0, 0x80]), .notUTF8),
    "cut sequence": (RawPeer.frame(0x81, [0xE2, 0x82]), .notUTF8),
    "binary": (RawPeer.frame(0x82, [1, 2, 3]), .notText),
    "continuation without start": (RawPeer.frame(0x80, [0x61]), nil),
    "reserved opcode": (RawPeer.frame(0x83, [0x61]), nil),
    "reserved bit": (RawPeer.frame(0xC1, [0x61]), nil),
    "close with code": (RawPeer.frame(0x88, [0x0F, 0xA0]), .peerClosed(code: 4000)),
    "close without code": (RawPeer.frame(0x88, []), .peerClosed(code: 1005)),
  ]

  @Test("Invalid frames end the connection", arguments: badFrames.keys.sorted())
  func refusesBadFrames(name: String) throws {
    let (bytes, reason) = try #require(Self.badFrames[name])
    let server = Recorder()
    let bench = try Bench(echoService(.init(messageBytes: 1_000), server))
    defer { bench.loop.stop(within: 200) }
    let peer = try RawPeer(port: bench.listener.port)
    peer.shakeHands()
    peer.say(bytes)
    let end = server.end()
    #expect(end != nil)
    if let reason { #expect(end == reason) }
    #expect(server.log.withLock { $0.texts.isEmpty })
  }

  @Test("A message with too many fragments ends the connection") func refusesTooManyFragments() throws {
    let server = Recorder()
    let bench = try Bench(echoService(.init(), server))
    defer { bench.loop.stop(within: 200) }
    let peer = try RawPeer(port: bench.listener.port)
    peer.shakeHands()
    let start = RawPeer.frame(0x01, [0x61])
    let more = RawPeer.frame(0x00, [0x61])
    peer.say(start + (0..<2_000).flatMap { _ in more })
    #expect(server.end() == .tooManyFragments)
  }

  @Test(
    "A malformed handshake opens no connection",
    arguments: [
      "GARBAGE\r\n\r\n", "\u{0}\u{1}\u{2}\u{3}\r\n\r\n", "GET\r\n\r\n", "GET /relay HTTP/1.1\r\nUpgrade: websocket\r\n\r\n",
    ])
  func hangsUpOnAGarbageHandshake(text: String) throws {
    let server = Recorder()
    let bench = try Bench(echoService(.init(), server))
    defer { bench.loop.stop(within: 200) }
    let peer = try RawPeer(port: bench.listener.port)
    peer.say(text)
    let answer = String(decoding: peer.hear(), as: UTF8.self)
    #expect(!answer.contains("101 Switching"))
    #expect(server.log.withLock { $0.openings } == 0)
  }

  @Test("A service can refuse a connection with its own status") func refusesAnUpgradeWithTheServicesAnswer() throws {
    let bench = try Bench(Service(upgrade: { _ in .refuse(HTTPResponse(status: 403, text: "No.")) }))
    defer { bench.loop.stop(within: 200) }
    let client = Recorder()
    bench.loop.connect(to: try bench.url, handler: client)
    #expect(client.end() == .handshakeRefused(status: 403))
    #expect(client.log.withLock { $0.openings } == 0)
  }

  @Test("A relay cannot redirect the signer to another address", arguments: [301, 302, 303, 307, 308])
  func redirectsAreNotFollowed(status: Int) throws {
    let other = Recorder()
    let elsewhere = try Bench(echoService(.init(), other))
    defer { elsewhere.loop.stop(within: 200) }
    let location = "http://127.0.0.1:\(elsewhere.listener.port)/relay"
    let relay = try Bench(
      Service(upgrade: { _ in .refuse(HTTPResponse(status: status, headers: [HTTPHeader("location", location)])) }))
    defer { relay.loop.stop(within: 200) }
    let client = Recorder()
    relay.loop.connect(to: try relay.url, handler: client)
    #expect(client.end(milliseconds: 5_000) == .handshakeRefused(status: status))
    #expect(client.log.withLock { $0.openings } == 0 && other.log.withLock { $0.openings } == 0)
  }

  @Test("An upgrade to another protocol is refused") func refusesOtherUpgrades() throws {
    let bench = try Bench(echoService())
    defer { bench.loop.stop(within: 200) }
    let peer = try RawPeer(port: bench.listener.port)
    peer.say(
      "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n"
    )
    #expect(!String(decoding: peer.hear(), as: UTF8.self).contains("101"))
  }

  @Test("A connection to a closed port is reported as refused") func saysWhenNobodyListens() throws {
    let loop = try EventLoop()
    loop.start()
    defer { loop.stop() }
    let free = try loop.listen(.init(.tcp(host: "127.0.0.1", port: 0)), service: echoService())
    let port = free.port
    free.stopListening()
    let client = Recorder()
    // Wait until the listening socket is closed for good: then the port refuses.
    let isClosed = Locked(false)
    loop.after(milliseconds: 100) { isClosed.change { $0 = true } }
    _ = isClosed.wait(milliseconds: 5_000) { $0 ? true : nil }
    loop.connect(to: try WebSocketURL(parsing: "ws://127.0.0.1:\(port)"), handler: client)
    #expect(client.end() == .refused)
  }

  @Test("An unknown host name is reported") func saysWhenTheNameIsUnknown() throws {
    let loop = try EventLoop()
    loop.start()
    defer { loop.stop() }
    let client = Recorder()
    loop.connect(to: try WebSocketURL(parsing: "ws://no-such-host.invalid"), handler: client)
    #expect(client.end() == .nameNotFound)
  }

  @Test("A connection to localhost works") func resolvesLocalhost() throws {
    let bench = try Bench(echoService())
    defer { bench.loop.stop(within: 200) }
    let client = Recorder()
    bench.loop.connect(to: try WebSocketURL(parsing: "ws://localhost:\(bench.listener.port)"), handler: client)
    #expect(client.waitForOpening())
  }

  @Test("A connection to a server that never answers times out") func givesUpOnAServerThatNeverAnswers() throws {
    let silent = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(silent) }
    let descriptor = try ListeningSocket.tcp(host: "127.0.0.1", port: 0)
    defer { close(descriptor) }
    let loop = try EventLoop()
    loop.start()
    defer { loop.stop() }
    let client = Recorder()
    let port = ListeningSocket.port(of: descriptor)
    loop.connect(to: try WebSocketURL(parsing: "ws://127.0.0.1:\(port)"), options: .init(milliseconds: 200), handler: client)
    #expect(client.end() == .timedOut)
  }

  @Test("Both sides are told when a connection closes") func tellsBothSidesOfAClose() throws {
    let server = Recorder()
    let bench = try Bench(echoService(.init(), server))
    defer { bench.loop.stop(within: 200) }
    let client = Recorder()
    let socket = bench.loop.connect(to: try bench.url, handler: client)
    #expect(client.waitForOpening())
    socket.send(Array("last words".utf8))
    socket.close(code: 4001, reason: "done")
    #expect(!socket.send(Array("too late".utf8)))
    #expect(server.end() == .peerVanished)
    #expect(client.end() == .closedHere(code: 4001))
    #expect(server.log.withLock { $0.texts } == [Array("last words".utf8)])
  }

  @Test("A slow reader is disconnected before its queue grows too long") func closesASlowReaderWithBoundedMemory() throws {
    let limit = 256 * 1024
    let refused = Locked(false)
    let server = Recorder(onOpen: { socket in
      // 64 MiB for a peer that reads nothing.
      for _ in 0..<1_024 where !socket.send([UInt8](repeating: 0x61, count: 65_536)) {
        refused.change { $0 = true }
        return
      }
    })
    let bench = try Bench(echoService(.init(sendQueueBytes: limit), server))
    defer { bench.loop.stop(within: 200) }
    let before = residentKiB()
    let peer = try RawPeer(port: bench.listener.port)
    peer.shakeHands()
    #expect(server.end() == .slowReader)
    #expect(refused.withLock { $0 })
    #expect(residentKiB() - before < 16 * 1024)
  }

  @Test("A flood of messages stays with the sender while reading is paused") func aFloodIsHeldBackByPausing() throws {
    let serverSocket = Locked<WebSocket?>(nil)
    let server = Recorder(
      keeps: false, onOpen: { socket in serverSocket.change { $0 = socket } }, onText: { socket, _ in socket.pauseReading() })
    let bench = try Bench(echoService(.init(), server))
    defer { bench.loop.stop(within: 200) }
    let client = Recorder(keeps: false)
    let socket = bench.loop.connect(to: try bench.url, options: .init(webSocket: .init(sendQueueBytes: 1 << 30)), handler: client)
    let before = residentKiB()
    let count = 2_000
    let message = [UInt8](repeating: 0x61, count: 10_000)
    for _ in 0..<count { socket.send(message) }  // 20 MB, shared storage
    let held = try #require(serverSocket.wait(milliseconds: 20_000) { $0 })
    // Paused: nearly all of it stays with the sender.
    #expect(server.waitForCount(1))
    let settled = Locked(false)
    bench.loop.after(milliseconds: 300) { settled.change { $0 = true } }
    _ = settled.wait(milliseconds: 5_000) { $0 ? true : nil }
    #expect(server.log.withLock { $0.count } < 20)
    #expect(socket.queuedBytes > 10_000_000)
    #expect(residentKiB() - before < 32 * 1024)
    // Each resume lets at least one more through, until all have come.
    var seen = 0
    while seen < 50 {
      seen = server.log.withLock { $0.count }
      held.resumeReading()
      #expect(server.waitForCount(seen + 1))
    }
  }

  @Test("Two hundred clients are served at once") func twoHundredClientsAreServed() throws {
    let bench = try Bench(echoService())
    defer { bench.loop.stop(within: 200) }
    let client = Recorder(onOpen: { $0.send(Array("hello".utf8)) })
    let sockets = try (0..<200).map { _ in bench.loop.connect(to: try bench.url, handler: client) }
    #expect(client.texts(200)?.count == 200)
    #expect(bench.listener.connectionCount == 200)
    for socket in sockets { socket.close() }
    #expect(client.log.wait(milliseconds: 20_000) { $0.ends.count == 200 ? true : nil } == true)
  }

  @Test("Connections beyond the limit are refused") func connectionsBeyondTheLimitAreRefused() throws {
    var options = Listener.Options(.tcp(host: "127.0.0.1", port: 0))
    var limits = Admission.Limits()
    limits.connections = 2
    options.admission = Admission(limits)
    let bench = try Bench(options, echoService())
    defer { bench.loop.stop(within: 200) }
    let inside = Recorder()
    let first = bench.loop.connect(to: try bench.url, handler: inside)
    bench.loop.connect(to: try bench.url, handler: inside)
    _ = inside.log.wait(milliseconds: 20_000) { $0.openings == 2 ? true : nil }
    let outside = Recorder()
    bench.loop.connect(to: try bench.url, handler: outside)
    #expect(outside.end() != nil)
    #expect(outside.log.withLock { $0.openings } == 0)
    first.close()
    #expect(inside.end() == .closedHere(code: 1000))
    #expect(waitUntil(bench.loop) { bench.listener.connectionCount == 1 })
    let third = Recorder()
    bench.loop.connect(to: try bench.url, handler: third)
    #expect(third.waitForOpening())
  }

  @Test("Both sides send without delay") func bothSidesSendWithoutDelay() throws {
    let options = Locked<[Int32]>([])
    let note: @Sendable (WebSocket) -> Void = { socket in
      options.change { $0.append(socket.session?.hasNoDelay == true ? 1 : 0) }
    }
    let bench = try Bench(echoService(.init(), Recorder(onOpen: note)))
    defer { bench.loop.stop(within: 200) }
    bench.loop.connect(to: try bench.url, handler: Recorder(onOpen: note))
    #expect(options.wait(milliseconds: 20_000) { $0.count == 2 ? $0 : nil } == [1, 1])
  }

  @Test("Stopping sends queued messages") func stopSendsWhatIsQueued() throws {
    let server = Recorder()
    let bench = try Bench(echoService(.init(), server))
    defer { bench.loop.stop(within: 200) }
    let other = try EventLoop()
    other.start()
    let client = Recorder()
    let socket = other.connect(to: try bench.url, handler: client)
    #expect(client.waitForOpening())
    for _ in 0..<100 { socket.send([UInt8](repeating: 0x61, count: 5_000)) }
    other.stop(within: 10_000)
    #expect(server.waitForCount(100))
    #expect(client.end() != nil)
    #expect(server.end() == .peerVanished)
  }

  @Test("An event loop can be stopped twice and without a start") func stopWithoutStartAndTwiceIsHarmless() throws {
    try EventLoop().stop()
    let loop = try EventLoop()
    loop.start()
    loop.stop()
    loop.stop()
    let client = Recorder()
    loop.connect(to: try WebSocketURL(parsing: "ws://127.0.0.1:1"), handler: client)
    #expect(throws: SocketError.stopped) { try loop.listen(.init(.tcp(host: "127.0.0.1", port: 0)), service: Service()) }
  }

  @Test("Timers run in order and can be cancelled") func timersRunInOrderAndCanBeCancelled() throws {
    let loop = try EventLoop()
    loop.start()
    defer { loop.stop() }
    let fired = Locked<[Int]>([])
    let cancelled = loop.after(milliseconds: 50_000) { fired.change { $0.append(50_000) } }
    for wait in [60, 30, 10, 0, -5] { loop.after(milliseconds: wait) { fired.change { $0.append(wait) } } }
    cancelled.cancel()
    let order = try #require(fired.wait(milliseconds: 20_000) { $0.count >= 5 ? $0 : nil })
    #expect(order.suffix(3) == [10, 30, 60])
  }

  @Test("Every timer fires") func everyTimerFires() throws {
    let loop = try EventLoop()
    loop.start()
    defer { loop.stop() }
    let fired = Locked(0)
    for round in 0..<20 {
      for number in 0..<50 { loop.after(milliseconds: (number * 37 + round) % 100) { fired.change { $0 += 1 } } }
    }
    #expect(fired.wait(milliseconds: 20_000) { $0 == 1_000 ? true : nil } == true)
  }
}
