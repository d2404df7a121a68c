import Foundation
import Platform
import Testing

@testable import Sockets

/// What comes behind a request before its answer. libwebsockets 4.1 corrupts its memory over much of it when it is let.
@Suite(.serialized) struct PipelineTests {
  private static let get = "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n"
  private static let post = "POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}"
  private static let head = "HEAD /1 HTTP/1.1\r\nHost: a\r\n\r\n"
  private static let emptyPost = "POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n"
  private static let expecting =
    "POST /1 HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}"
  private static let chunked =
    "POST /2 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
  private static let bodyOfGet = "GET /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}"
  private static let put = "PUT /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}"
  private static let tooLong = "POST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 9999999\r\n\r\n{}"
  private static let negative = "POST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n{}"
  private static let shortBody = "POST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 200\r\n\r\n{}"
  private static let webSocket =
    "GET /2 HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    + "Sec-WebSocket-Version: 13\r\n\r\n\u{1}\u{2}"
  private static let otherUpgrade = "GET /2 HTTP/1.1\r\nHost: a\r\nUpgrade: h3\r\nConnection: Upgrade\r\n\r\n"
  private static let connect = "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n"
  private static let noise = "\u{0}\u{1}\r\n\r\n"

  static let firsts = [get, post, head, emptyPost, expecting]
  static let seconds = [
    get, post, emptyPost, expecting, chunked, bodyOfGet, put, tooLong, negative, shortBody, webSocket, otherUpgrade, connect,
    noise,
    "\r\n", "G", "POST /2 HTTP/1.1\r\nHost: a\r\nContent-Le", post + post + post, get + post + webSocket,
  ]

  /// Says `METHOD PATH BODY`, and notes it.
  private static func service(_ seen: Locked<[String]>) -> Service {
    Service(
      http: { request, answer in
        let line = "\(request.method) \(request.path) \(String(decoding: request.body, as: UTF8.self))"
        seen.change { $0.append(line) }
        answer(HTTPResponse(status: 200, text: line))
      },
      upgrade: { _ in .accept(Recorder(keeps: false, onText: { $0.send($1) }), WebSocketOptions()) })
  }

  private static func isAnswered(_ bench: Bench) throws -> Bool {
    let honest = try RawPeer(port: bench.listener.port)
    honest.say(post)
    return honest.hearText(until: "POST /1 {}\n").contains("POST /1 {}\n")
  }

  @Test(
    "When more bytes follow a request in the same packet, the request is answered and the connection closes", arguments: firsts
  )
  func whatFollowsARequestIsDropped(first: String) throws {
    let seen = Locked<[String]>([])
    let bench = try Bench(Self.service(seen))
    defer { bench.loop.stop(within: 200) }
    let whole = String(first.prefix { $0 != " " }) + " /1 " + (first.hasSuffix("{}") ? "{}" : "")
    for second in Self.seconds {
      seen.change { $0 = [] }
      let peer = try RawPeer(port: bench.listener.port)
      peer.say(first + second)
      let heard = String(decoding: peer.hear(), as: UTF8.self)  // to the end: the connection is closed
      #expect(heard.hasPrefix("HTTP/1.1 200"), "\(second)")
      #expect(heard.lowercased().contains("connection: close"), "\(second)")
      #expect(heard.components(separatedBy: "HTTP/1.1 ").count == 2, "one answer to \(second): \(heard)")
      #expect(seen.withLock { $0 } == [whole], "\(second)")
    }
    #expect(try Self.isAnswered(bench))
    #expect(waitUntil(bench.loop) { bench.listener.connectionCount == 0 })
  }

  @Test("A request split at any byte is received whole and never read as two requests", arguments: firsts)
  func cutRequestsArriveWhole(first: String) throws {
    let seen = Locked<[String]>([])
    let bench = try Bench(Self.service(seen))
    defer { bench.loop.stop(within: 200) }
    let text = Array((first + Self.post).utf8)
    let fine = Set(["GET /1 ", "POST /1 {}", "POST /1 ", "HEAD /1 "])
    for cut in 1..<text.count {
      let peer = try RawPeer(port: bench.listener.port)
      var on: Int32 = 1
      setsockopt(peer.descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
      peer.say(Array(text[..<cut]))
      // The server has read the first part, if it has answered an honest peer since.
      #expect(try Self.isAnswered(bench))
      peer.say(Array(text[cut...]))
      shutdown(peer.descriptor, Int32(SHUT_WR))
      #expect(String(decoding: peer.hear(), as: UTF8.self).hasPrefix("HTTP/1.1 200"), "cut at \(cut)")
    }
    #expect(seen.withLock { Set($0) }.isSubset(of: fine))
  }

  @Test("A request on a reused connection is received whole, with its body")
  func keptConnectionsTakeBodies() throws {
    let seen = Locked<[String]>([])
    let bench = try Bench(Self.service(seen))
    defer { bench.loop.stop(within: 200) }
    let peer = try RawPeer(port: bench.listener.port)
    for _ in 0..<10 {
      peer.say(Self.get)
      #expect(peer.hearText(until: "GET /1 \n").hasSuffix("GET /1 \n"))
      peer.say(Self.post)
      let heard = peer.hearText(until: "POST /1 {}\n")
      #expect(heard.hasSuffix("POST /1 {}\n"))
      #expect(!heard.lowercased().contains("connection: close"))
    }
    #expect(bench.listener.connectionCount == 1)
  }

  @Test("Bytes sent before the answer are dropped, and the connection closes", arguments: seconds)
  func whatComesBeforeTheAnswerIsDropped(second: String) throws {
    let waiting = Locked<[@Sendable (HTTPResponse) -> Void]>([])
    let bench = try Bench(Service(http: { _, answer in waiting.change { $0.append(answer) } }))
    defer { bench.loop.stop(within: 200) }
    let peer = try RawPeer(port: bench.listener.port)
    peer.say(Self.post + "GET")
    let answer = try #require(waiting.wait(milliseconds: 20_000) { $0.first })
    peer.say(second)
    answer(HTTPResponse(status: 200, text: "late"))
    let heard = String(decoding: peer.hear(), as: UTF8.self)
    #expect(heard.hasSuffix("late\n"))
    #expect(heard.lowercased().contains("connection: close"))
    #expect(waiting.withLock { $0.count } == 1)
  }

  @Test("A peer that half-closes or resets after pipelining does no harm", arguments: firsts)
  func peersThatGoAreLetGo(first: String) throws {
    let bench = try Bench(Self.service(Locked([])))
    defer { bench.loop.stop(within: 200) }
    for second in Self.seconds {
      let half = try RawPeer(port: bench.listener.port)
      half.say(first + second)
      shutdown(half.descriptor, Int32(SHUT_WR))
      _ = half.hear()
      let gone = try RawPeer(port: bench.listener.port)
      var atOnce = linger(l_onoff: 1, l_linger: 0)
      setsockopt(gone.descriptor, SOL_SOCKET, SO_LINGER, &atOnce, socklen_t(MemoryLayout<linger>.size))
      gone.say(first + second)
    }
    #expect(try Self.isAnswered(bench))
    #expect(waitUntil(bench.loop) { bench.listener.connectionCount == 0 })
  }

  @Test(
    "An unknown upgrade or a CONNECT closes the connection, even a reused one", arguments: [otherUpgrade, connect])
  func otherProtocolsAreRefused(request: String) throws {
    let bench = try Bench(Self.service(Locked([])))
    defer { bench.loop.stop(within: 200) }
    for isUsed in [false, true] {
      let peer = try RawPeer(port: bench.listener.port)
      if isUsed {
        peer.say(Self.get)
        _ = peer.hearText(until: "GET /1 \n")
      }
      peer.say(request)
      #expect(!String(decoding: peer.hear(), as: UTF8.self).contains(" 200 "))
      #expect(peer.isAtEnd())
    }
    #expect(waitUntil(bench.loop) { bench.listener.connectionCount == 0 })
  }

  @Test("Only a GET request can become a WebSocket")
  func postsDoNotUpgrade() throws {
    let bench = try Bench(Self.service(Locked([])))
    defer { bench.loop.stop(within: 200) }
    let peer = try RawPeer(port: bench.listener.port)
    peer.say(Self.webSocket.replacingOccurrences(of: "GET", with: "POST"))
    #expect(!String(decoding: peer.hear(), as: UTF8.self).contains(" 101 "))
  }

  @Test("A client whose body is refused gets the answer even while it is still sending")
  func refusalsReachSlowWriters() throws {
    let bench = try Bench(Self.service(Locked([])))
    defer { bench.loop.stop(within: 200) }
    let peer = try RawPeer(port: bench.listener.port)
    let length = 3_000_000
    peer.say("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n")
    #expect(peer.say([UInt8](repeating: 0x61, count: length)))
    let heard = String(decoding: peer.hear(), as: UTF8.self)
    #expect(heard.hasPrefix("HTTP/1.1 413"))
    #expect(heard.lowercased().contains("connection: close"))
  }
}
