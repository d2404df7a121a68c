import Foundation
import Platform
import Testing

@testable import Sockets

/// A listener with too many connections, or too much that is unfinished.
@Suite struct AdmissionTests {
  /// Of use once it has said something.
  private final class Guest: WebSocketHandler {
    let texts = Locked<[ObjectIdentifier: Int]>([:])
    func opened(_ webSocket: WebSocket) {}
    func received(_ webSocket: WebSocket, text: [UInt8]) {
      texts.change { $0[ObjectIdentifier(webSocket), default: 0] += 1 }
      webSocket.send(text)
    }
    func closed(_ webSocket: WebSocket, reason: CloseReason) {}
    func isOfUse(_ webSocket: WebSocket) -> Bool { texts.withLock { $0[ObjectIdentifier(webSocket)] != nil } }
  }

  private func bench(_ change: (inout Admission.Limits) -> Void) throws -> Bench {
    var limits = Admission.Limits()
    change(&limits)
    var options = Listener.Options(.tcp(host: "127.0.0.1", port: 0))
    options.admission = Admission(limits)
    let guest = Guest()
    return try Bench(options, Service(upgrade: { _ in .accept(guest, WebSocketOptions()) }))
  }

  private func stranger(_ bench: Bench) throws -> RawPeer {
    let peer = try RawPeer(port: bench.listener.port)
    peer.shakeHands()
    return peer
  }

  private func guest(_ bench: Bench) throws -> RawPeer {
    let peer = try stranger(bench)
    peer.say(RawPeer.frame(0x81, Array("here".utf8)))
    _ = peer.hearText(until: "here")
    return peer
  }

  @Test("When the limit is reached, the oldest unknown connection is closed and told why") func aStrangerMakesRoom() throws {
    let bench = try bench { $0.connections = 3 }
    defer { bench.loop.stop(within: 200) }
    let inside = try guest(bench)
    let (first, second) = (try stranger(bench), try stranger(bench))
    let late = try guest(bench)
    let said = first.hear()
    #expect(said.starts(with: [0x88]) && said.dropFirst(2).starts(with: [0x03, 0xF0]))  // a close frame, 1008
    #expect(String(decoding: said, as: UTF8.self).contains("others needed the room"))
    for peer in [inside, late] {
      peer.say(RawPeer.frame(0x81, Array("still".utf8)))
      #expect(peer.hearText(until: "still").contains("still"))
    }
    #expect(bench.listener.options.admission.counts.pushedOut == 1)
    withExtendedLifetime(second) {}
  }

  @Test("Silent connections are closed to make room, too") func silenceMakesRoom() throws {
    let bench = try bench { $0.connections = 3 }
    defer { bench.loop.stop(within: 200) }
    let silent = try (0..<40).map { _ in try RawPeer(port: bench.listener.port) }
    let guest = try guest(bench)
    guest.say(RawPeer.frame(0x81, Array("still".utf8)))
    #expect(guest.hearText(until: "still").contains("still"))
    #expect(silent[0].isAtEnd())
    #expect(waitUntil(bench.loop) { bench.listener.connectionCount == 3 })
  }

  @Test("All useful connections stay open, whoever holds them") func usefulOnesStay() throws {
    let bench = try bench {
      $0.connections = 8
      $0.strangersPerHolder = 2
    }
    defer { bench.loop.stop(within: 200) }
    let guests = try (0..<6).map { _ in try guest(bench) }
    let strangers = try (0..<10).map { _ in try stranger(bench) }
    for guest in guests {
      guest.say(RawPeer.frame(0x81, Array("still".utf8)))
      #expect(guest.hearText(until: "still").contains("still"))
    }
    #expect(strangers[0].hear().starts(with: [0x88]))
  }

  @Test("When all connections are useful, the next is refused and counted") func fullIsFull() throws {
    let bench = try bench { $0.connections = 2 }
    defer { bench.loop.stop(within: 200) }
    let guests = try (0..<2).map { _ in try guest(bench) }
    #expect(try RawPeer(port: bench.listener.port).isAtEnd())
    let counts = bench.listener.options.admission.counts
    #expect(counts.refused == 1 && counts.pushedOut == 0 && counts.lastShortage != nil)
    withExtendedLifetime(guests) {}
  }

  @Test("Two listeners share one connection limit") func listenersShareALimit() throws {
    let bench = try bench { $0.connections = 2 }
    defer { bench.loop.stop(within: 200) }
    var options = Listener.Options(.tcp(host: "127.0.0.1", port: 0))
    options.admission = bench.listener.options.admission
    let beside = try bench.loop.listen(options, service: echoService())
    let (first, second) = (try stranger(bench), try stranger(bench))
    let third = try RawPeer(port: beside.port)
    third.shakeHands()
    #expect(first.hear().starts(with: [0x88]))
    withExtendedLifetime(second) {}
  }

  // MARK: unfinished messages

  private func half(_ bytes: Int) -> [UInt8] {
    RawPeer.frame(0x81, [UInt8](repeating: 0x78, count: bytes), announcedLength: UInt64(2 * bytes))
  }

  @Test("Unfinished messages on all connections together use bounded memory") func unfinishedMessagesAreBounded() throws {
    let bench = try bench {
      $0.unfinishedBytes = 2 << 20
      $0.unfinishedBytesPerHolder = 2 << 20
    }
    defer { bench.loop.stop(within: 200) }
    let app = try guest(bench)
    // The app's own message is half way when the others come.
    let text = [UInt8](repeating: 0x79, count: 60_000)
    let frame = RawPeer.frame(0x81, text)
    app.say(Array(frame.prefix(50_000)))
    var peers: [RawPeer] = []
    for _ in 0..<200 {
      peers.append(try stranger(bench))
      peers.last?.say(half(100_000))
    }
    let admission = bench.listener.options.admission
    #expect(waitUntil(bench.loop) { admission.counts.unfinished > 150 })
    #expect(waitUntil(bench.loop) { bench.loop.sessions.values.reduce(0) { $0 + $1.unfinishedBytes } <= 2 << 20 })
    app.say(Array(frame.dropFirst(50_000)))
    #expect(app.hear { $0.count >= text.count }.suffix(text.count) == text[...])
  }

  @Test("A connection closed for too many unfinished messages is told why") func theReasonIsSaid() throws {
    let bench = try bench { $0.unfinishedBytesPerHolder = 50_000 }
    defer { bench.loop.stop(within: 200) }
    let peer = try stranger(bench)
    peer.say(half(100_000))
    let said = peer.hear { String(decoding: $0, as: UTF8.self).contains("messages") }
    #expect(said.starts(with: [0x88]) && said.dropFirst(2).starts(with: [0x03, 0xF0]))
    #expect(String(decoding: said, as: UTF8.self).contains("too much waits for the rest of messages"))
  }

  @Test("Unfinished messages of servers are bounded, too") func serversAreBounded() throws {
    let server = try Bench(echoService())
    defer { server.loop.stop(within: 200) }
    let client = Recorder()
    server.loop.connect(to: try server.url, handler: client)
    #expect(client.waitForOpening())
    let (loop, most) = (server.loop, SocketLimits.unfinishedBytesPerHolder)
    let answers = Locked<[Bool]>([])
    loop.post {
      guard let session = loop.sessions.values.first(where: { $0.listener == nil }) else { return }
      answers.change { $0 = [session.mayHold(unfinished: most), session.mayHold(unfinished: most + 1)] }
    }
    #expect(answers.wait(milliseconds: 20_000) { $0.isEmpty ? nil : $0 } == [true, false])
  }

  @Test("A message within its fair share is always accepted") func smallMessagesAlwaysPass() throws {
    let bench = try bench {
      $0.unfinishedBytes = 1
      $0.unfinishedBytesPerHolder = 1
    }
    defer { bench.loop.stop(within: 200) }
    let peer = try guest(bench)
    let text = [UInt8](repeating: 0x79, count: 3_500)
    let frame = RawPeer.frame(0x81, text)
    peer.say(Array(frame.prefix(3_000)))
    let loop = bench.loop
    let isHeld = Locked(false)
    @Sendable func look() {
      guard loop.sessions.values.allSatisfy({ $0.unfinishedBytes == 0 }) else { return isHeld.change { $0 = true } }
      loop.after(milliseconds: 5, look)
    }
    loop.post(look)
    #expect(isHeld.wait(milliseconds: 60_000) { $0 ? true : nil } == true, "the first part is read by itself")
    peer.say(Array(frame.dropFirst(3_000)))
    #expect(peer.hear { $0.count >= text.count }.suffix(text.count) == text[...])
  }

  @Test("A request body counts towards the limit from its headers until it is complete") func bodiesAreCounted() throws {
    let bench = try bench {
      $0.unfinishedBytes = 100_000
      $0.unfinishedBytesPerHolder = 100_000
    }
    defer { bench.loop.stop(within: 200) }
    let peers = try (0..<20).map { _ in try RawPeer(port: bench.listener.port) }
    for peer in peers { peer.say("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 40000\r\n\r\nhalf") }
    let admission = bench.listener.options.admission
    #expect(waitUntil(bench.loop) { admission.counts.unfinished >= 18 })
    #expect(waitUntil(bench.loop) { bench.loop.sessions.values.reduce(0) { $0 + $1.unfinishedBytes } <= 100_000 })
    let last = try RawPeer(port: bench.listener.port)
    last.say("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4000\r\n\r\n" + String(repeating: "x", count: 4_000))
    #expect(last.hearText(until: "\r\n\r\n").contains("404"))
    #expect(waitUntil(bench.loop) { bench.loop.sessions.values.reduce(0) { $0 + $1.unfinishedBytes } <= 96_000 })
  }
}
