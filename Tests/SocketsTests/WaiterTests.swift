import Foundation
import Platform
import Testing

@testable import Sockets

@Suite(.serialized) struct WaiterTests {
  /// A server that answers only when the test says so, and notes who went away.
  private struct Held {
    let bench: Bench
    let gone = Locked(0)
    let asked = Locked<[@Sendable (HTTPResponse) -> Void]>([])

    init() throws {
      let (gone, asked) = (gone, asked)
      bench = try Bench(
        Service(http: { request, answer in
          request.waiter?.whenGone { gone.change { $0 += 1 } }
          asked.change { $0.append(answer) }
        }))
    }

    func answer() throws -> @Sendable (HTTPResponse) -> Void {
      try #require(asked.wait(milliseconds: 20_000) { $0.last.map(Box.init) }).answer
    }

    func isTold() -> Bool { gone.wait(milliseconds: 20_000) { $0 > 0 ? true : nil } ?? false }
  }

  private struct Box: Sendable { let answer: @Sendable (HTTPResponse) -> Void }
  private static let request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"

  @Test("A handler is told that the connection has ended before its answer") func theEndIsTold() throws {
    let held = try Held()
    defer { held.bench.loop.stop(within: 200) }
    var peer: RawPeer? = try RawPeer(port: held.bench.listener.port)
    peer?.say(Self.request)
    let answer = try held.answer()
    peer = nil
    #expect(held.isTold() && held.gone.withLock { $0 } == 1)
    answer(HTTPResponse(status: 204))  // nobody gets it
  }

  @Test("Bytes behind the request do not hide the end") func unreadBytesHideNothing() throws {
    let held = try Held()
    defer { held.bench.loop.stop(within: 200) }
    let peer = try RawPeer(port: held.bench.listener.port)
    peer.say(Self.request)
    _ = try held.answer()
    peer.say(Self.request + Self.request)
    shutdown(peer.descriptor, Int32(SHUT_WR))
    #expect(held.isTold())
  }

  @Test("A peer that waits gets its answer, and its handler is told nothing") func whoWaitsIsAnswered() throws {
    let held = try Held()
    defer { held.bench.loop.stop(within: 200) }
    var peer: RawPeer? = try RawPeer(port: held.bench.listener.port)
    peer?.say(Self.request)
    let answer = try held.answer()
    // Longer than two checks of the peer.
    let checks = Locked(false)
    held.bench.loop.after(milliseconds: 2 * SocketLimits.peerCheckMilliseconds + 100) { checks.change { $0 = true } }
    #expect(checks.wait(milliseconds: 20_000) { $0 ? true : nil } == true)
    answer(HTTPResponse(status: 204))
    #expect(peer?.hearText(until: "\r\n\r\n").hasPrefix("HTTP/1.1 204") == true)
    peer = nil
    var next: RawPeer? = try RawPeer(port: held.bench.listener.port)
    next?.say(Self.request)
    #expect(held.asked.wait(milliseconds: 20_000) { $0.count == 2 ? true : nil } == true)
    next = nil
    #expect(held.isTold() && held.gone.withLock { $0 } == 1, "only the second one is gone")
  }

  @Test("What is asked for after the end is called at once") func lateCallersAreTold() {
    let waiter = Waiter {}
    waiter.gone()
    let isTold = Locked(false)
    waiter.whenGone { isTold.change { $0 = true } }
    #expect(isTold.withLock { $0 })
    let answered = Waiter {}
    answered.answered()
    answered.whenGone { isTold.change { $0 = false } }
    answered.gone()
    #expect(isTold.withLock { $0 })
  }
}
