import Foundation
import Platform
import SecretMemory
import Testing

@testable import Sockets

@Suite(.serialized) struct HTTPTests {
  private func get(_ path: String, _ headers: String = "") -> String {
    "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(headers)\r\n"
  }
  private func post(_ path: String, _ body: String) -> String {
    "POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }

  @Test("Several requests are answered on one connection") func answersGETAndKeepsTheConnection() throws {
    let bench = try Bench(echoService())
    defer { bench.loop.stop(within: 200) }
    let peer = try RawPeer(port: bench.listener.port)
    for number in 0..<20 {
      peer.say(get("/n\(number)"))
      let answer = peer.hearText(until: "GET /n\(number) 0\n")
      #expect(answer.hasPrefix("HTTP/1.1 200"))
      #expect(answer.lowercased().contains("content-length: \(("GET /n\(number) 0\n").utf8.count)"))
    }
    #expect(bench.listener.connectionCount == 1)
  }

  @Test("A request body up to the limit is read", arguments: [0, 1, 5_000, 65_536])
  func readsBodiesUpToTheLimit(count: Int) throws {
    let bench = try Bench(echoService())
    defer { bench.loop.stop(within: 200) }
    let peer = try RawPeer(port: bench.listener.port)
    for _ in 0..<3 {
      peer.say(post("/p", String(repeating: "b", count: count)))
      #expect(peer.hearText(until: "POST /p \(count)\n").contains("POST /p \(count)\n"))
    }
  }

  @Test("A request is handed over with its headers, query and peer") func handsOverHeadersQueryAndPeer() throws {
    let seen = Locked<HTTPRequest?>(nil)
    var options = Listener.Options(.tcp(host: "127.0.0.1", port: 0))
    options.extraHeaders = ["x-csrf-token", "x-absent"]
    let bench = try Bench(
      options,
      Service(http: { request, answer in
        seen.change { $0 = request }
        answer(HTTPResponse(status: 204))
      }))
    defer { bench.loop.stop(within: 200) }
    let peer = try RawPeer(port: bench.listener.port)
    peer.say(
      get(
        "/a%20b/../c?x=1&y=%26z&w",
        "Origin: https://app.example\r\nAuthorization: Nostr abc\r\nAccept: application/nostr+json\r\nCookie: s=1\r\nX-CSRF-Token: t0\r\n"
      ))
    #expect(peer.hearText(until: "\r\n\r\n").hasPrefix("HTTP/1.1 204"))
    let request = try #require(seen.withLock { $0 })
    #expect(request.method == "GET")
    #expect(request.path == "/c")
    #expect(request.query("x") == "1")
    #expect(request.query("y") == "&z")
    #expect(request.query("w") == "")
    #expect(request.query("v") == nil)
    #expect(request.header("host") == "localhost")
    #expect(request.header("origin") == "https://app.example")
    #expect(request.header("authorization") == "Nostr abc")
    #expect(request.header("accept") == "application/nostr+json")
    #expect(request.header("cookie") == "s=1")
    #expect(request.header("x-csrf-token") == "t0")
    #expect(request.header("x-absent") == nil)
    guard case .tcp("127.0.0.1", _) = request.peer else { return #expect(Bool(false), "peer \(request.peer)") }
  }

  @Test(
    "A malformed or oversized request is refused with the right status",
    arguments: [
      ("POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 65537\r\n\r\n", 413),
      ("POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n", 400),
      ("POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400),
      ("POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 1x\r\n\r\n", 400),
      ("POST /p HTTP/1.1\r\nHost: a\r\n\r\n", 411),
      ("POST /p HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n", 411),
      ("POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n", 411),
      ("GET /p HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n", 411),
      ("POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", 400),
      ("GET /p HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
    ])
  func refusesWhatItCannotRead(text: String, status: Int) throws {
    let called = Locked(false)
    let bench = try Bench(
      Service(http: { _, answer in
        called.withLock { $0 = true }
        answer(HTTPResponse(status: 200))
      }))
    defer { bench.loop.stop(within: 200) }
    let peer = try RawPeer(port: bench.listener.port)
    peer.say(text)
    let answer = String(decoding: peer.hear(), as: UTF8.self)  // to the end: the connection is closed
    #expect(answer.hasPrefix("HTTP/1.1 \(status)"), "\(answer)")
    #expect(!called.withLock { $0 })
  }

  @Test("A request with headers above the limit gets no answer") func closesOnHeadersAboveTheLimit() throws {
    let bench = try Bench(echoService())
    defer { bench.loop.stop(within: 200) }
    let peer = try RawPeer(port: bench.listener.port)
    peer.say(get("/", "Cookie: " + String(repeating: "c", count: SocketLimits.headerBytes + 100) + "\r\n"))
    #expect(!String(decoding: peer.hear(), as: UTF8.self).contains(" 200 "))
  }

  @Test("An answer of any size is sent whole") func sendsBodiesOfAnySizeUnderFlowControl() throws {
    let body = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let bench = try Bench(Service(http: { _, answer in answer(HTTPResponse(status: 200, body: body)) }))
    defer { bench.loop.stop(within: 200) }
    let peer = try RawPeer(port: bench.listener.port)
    for _ in 0..<2 {
      peer.say(get("/"))
      let heard = peer.hear { $0.count >= body.count + 19 && $0.suffix(8) == body.suffix(8) }
      #expect(Array(heard.suffix(body.count)) == body)
    }
  }

  @Test("The answer to a HEAD request has no body") func HEADHasNoBody() throws {
    let bench = try Bench(Service(http: { _, answer in answer(HTTPResponse(status: 200, text: "four")) }))
    defer { bench.loop.stop(within: 200) }
    let peer = try RawPeer(port: bench.listener.port)
    peer.say("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
    let head = peer.hearText(until: "\r\n\r\n")
    #expect(head.lowercased().contains("content-length: 5"))
    peer.say(get("/"))
    #expect(peer.hearText(until: "four\n").hasPrefix("HTTP/1.1 200"))
  }

  @Test("A request can be answered later from another thread") func answersLaterFromAnotherThread() throws {
    let bench = try Bench(
      Service(http: { request, answer in
        Thread.detachNewThread {
          answer(HTTPResponse(status: 200, text: "late \(request.path)"))
          answer(HTTPResponse(status: 500, text: "a second answer counts for nothing"))
        }
      }))
    defer { bench.loop.stop(within: 200) }
    let peer = try RawPeer(port: bench.listener.port)
    for number in 0..<10 {
      peer.say(get("/\(number)"))
      #expect(peer.hearText(until: "late /\(number)\n").contains("late /\(number)\n"))
    }
  }

  @Test("A second answer to one request is not sent to the next request") func aSecondAnswerIsDropped() throws {
    let answers = Locked<[@Sendable (HTTPResponse) -> Void]>([])
    let bench = try Bench(Service(http: { _, answer in answers.change { $0.append(answer) } }))
    defer { bench.loop.stop(within: 200) }
    let peer = try RawPeer(port: bench.listener.port)
    peer.say(get("/1"))
    let first = try #require(answers.wait(milliseconds: 20_000) { $0.first })
    first(HTTPResponse(status: 200, text: "the first"))
    #expect(peer.hearText(until: "the first\n").contains("the first"))
    peer.say(get("/2"))
    let second = try #require(answers.wait(milliseconds: 20_000) { $0.count == 2 ? $0[1] : nil })
    first(HTTPResponse(status: 200, text: "for somebody else"))
    second(HTTPResponse(status: 200, text: "the second"))
    #expect(!peer.hearText(until: "the second\n").contains("for somebody else"))
  }

  @Test("An answer to a peer that is gone is dropped") func anAnswerToAPeerThatIsGoneIsDropped() throws {
    let waiting = Locked<(@Sendable (HTTPResponse) -> Void)?>(nil)
    let bench = try Bench(Service(http: { _, answer in waiting.change { $0 = answer } }))
    var peer: RawPeer? = try RawPeer(port: bench.listener.port)
    peer?.say(get("/"))
    let answer = try #require(waiting.wait(milliseconds: 20_000) { $0 })
    peer = nil
    #expect(peer == nil)
    answer(HTTPResponse(status: 200, body: [UInt8](repeating: 0, count: 1_000_000)))
    bench.loop.stop()
    answer(HTTPResponse(status: 200))  // the loop is over
  }

  @Test("A request sent right behind another does not block the event loop", arguments: [0, 3])
  func aRequestPipelinedBehindABodyDoesNotStopTheLoop(count: Int) throws {
    let bench = try Bench(Service(http: { _, _ in }))  // never answers
    defer { bench.loop.stop(within: 200) }
    let peer = try RawPeer(port: bench.listener.port)
    peer.say(post("/1", String(repeating: "b", count: count)) + get("/2"))
    let isAlive = Locked(false)
    bench.loop.after(milliseconds: 50) { isAlive.change { $0 = true } }
    #expect(isAlive.wait(milliseconds: 10_000) { $0 ? true : nil } == true)
  }

  @Test("A flood behind an open request uses limited memory") func aFloodBehindAnOpenRequestCostsBoundedMemory() throws {
    let bench = try Bench(Service(http: { _, _ in }))  // never answers
    defer { bench.loop.stop(within: 200) }
    let peer = try RawPeer(port: bench.listener.port)
    peer.say(get("/"))
    let before = residentKiB()
    let chunk = [UInt8](repeating: UInt8(ascii: "G"), count: 1 << 20)
    var sent = 0
    var patience = timeval(tv_sec: 0, tv_usec: 300_000)
    setsockopt(peer.descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    while sent < 64, peer.say(chunk) { sent += 1 }
    #expect(residentKiB() - before < 32 * 1024, "after \(sent) MiB")  // other tests of the process have some of it
  }

  @Test("Invalid headers of an answer are left out") func badHeadersOfAnAnswerAreLeftOut() throws {
    let bench = try Bench(
      Service(http: { _, answer in
        answer(
          HTTPResponse(
            status: 200,
            headers: [
              HTTPHeader("x-good", "yes"), HTTPHeader("x-bad", "a\r\nset-cookie: evil=1"), HTTPHeader("x bad", "b"),
              HTTPHeader("content-length", "1"),
            ], body: Array("body".utf8)))
      }))
    defer { bench.loop.stop(within: 200) }
    let peer = try RawPeer(port: bench.listener.port)
    peer.say(get("/"))
    let answer = peer.hearText(until: "body")
    #expect(answer.contains("x-good: yes"))
    #expect(!answer.contains("evil"))
    #expect(!answer.contains("x bad"))
    #expect(answer.lowercased().contains("content-length: 4"))
  }

  @Test("A Unix socket is private and names the user of its peer") func aUnixSocketIsPrivateAndKnowsItsPeer() throws {
    let folder = NSTemporaryDirectory() + "holdfast-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/control.sock"
    let seen = Locked<Peer?>(nil)
    let bench = try Bench(
      .init(.unix(path: path)),
      Service(http: { request, answer in
        seen.change { $0 = request.peer }
        answer(HTTPResponse(status: 200, text: "hello"))
      }))
    var status = stat()
    #expect(stat(path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    let peer = try RawPeer(path: path)
    peer.say(get("/"))
    #expect(peer.hearText(until: "hello\n").hasPrefix("HTTP/1.1 200"))
    #expect(seen.withLock { $0 } == .unix(pid: getpid(), uid: getuid(), gid: getgid()))
    bench.loop.stop(within: 200)
    #expect(access(path, F_OK) != 0)
  }

  @Test("A listener that cannot start reports the reason") func saysWhenItCannotListen() throws {
    let bench = try Bench(echoService())
    defer { bench.loop.stop(within: 200) }
    #expect(bench.listener.port != 0)
    #expect(throws: SocketError.addressInUse) {
      try bench.loop.listen(.init(.tcp(host: "127.0.0.1", port: bench.listener.port)), service: Service())
    }
    #expect(throws: SocketError.hostNotAddress) {
      try bench.loop.listen(.init(.tcp(host: "example.org", port: 0)), service: Service())
    }
    #expect(throws: SocketError.pathTooLong) {
      try bench.loop.listen(.init(.unix(path: "/tmp/" + String(repeating: "a", count: 200))), service: Service())
    }
    #expect(throws: SocketError.cannotListen(errno: ENOENT)) {
      try bench.loop.listen(.init(.unix(path: "/no/such/folder/s")), service: Service())
    }
    #expect(throws: SocketError.certificateNotUsable) {
      try bench.loop.listen(
        .init(.tcp(host: "127.0.0.1", port: 0), tls: .init(certificatePath: "/no/such", privateKeyPath: "/no/such")),
        service: Service())
    }
    // And it still listens elsewhere.
    let other = try bench.loop.listen(.init(.tcp(host: "127.0.0.1", port: 0)), service: echoService())
    let peer = try RawPeer(port: other.port)
    peer.say(get("/"))
    #expect(peer.hearText(until: "GET / 0\n").hasPrefix("HTTP/1.1 200"))
  }

  @Test("Closed connections leave nothing behind") func connectionsLeaveNothingBehind() throws {
    let bench = try Bench(echoService())
    defer { bench.loop.stop(within: 200) }
    for _ in 0..<50 {
      let peer = try RawPeer(port: bench.listener.port)
      peer.say(get("/"))
      _ = peer.hearText(until: "GET / 0\n")
    }
    #expect(waitUntil(bench.loop) { bench.loop.sessions.count == 1 })  // the listening socket
    #expect(bench.listener.connectionCount == 0)
  }
}

@Suite(.serialized) struct SecretBodyTests {
  /// More than one piece, so that it passes through the scratch memory several times.
  @Test("A secret answer arrives whole and is then released") func aSecretBodyArrivesWholeAndIsLetGo() throws {
    let text = String(repeating: "canary of a body ", count: 3_000)
    let given = Locked<WeakBox>(WeakBox())
    let bench = try Bench(
      Listener.Options(.tcp(host: "127.0.0.1", port: 0)),
      Service(http: { _, answer in
        guard let body = try? Array(text.utf8).withUnsafeBytes({ SecretBox(try SecretBytes(copying: $0)) }) else { return }
        given.change { $0.box = body }
        answer(HTTPResponse(secretJSON: body))
      }))
    defer { bench.loop.stop(within: 200) }
    let peer = try RawPeer(port: bench.listener.port)
    for _ in 0..<2 {
      peer.say("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
      let answer = peer.hearText(until: text)
      #expect(answer.lowercased().contains("content-length: \(text.utf8.count)"))
      #expect(answer.hasSuffix(text))
    }
    peer.say("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    _ = peer.hearText(until: text)
    bench.loop.stop(within: 2000)
    #expect(given.withLock { $0.box == nil }, "nobody holds what was sent")
  }

  private struct WeakBox: @unchecked Sendable {  // Sendable: behind a lock
    weak var box: SecretBox?
  }

  @Test("Memory used for sending is wiped after a secret") func theScratchMemoryKeepsNothingOfASecret() {
    var scratch = Scratch()
    let secret = Array("canary of the scratch".utf8)
    var address: UnsafeMutablePointer<UInt8>?
    let seen = secret.withUnsafeBytes { bytes in
      scratch.with(secret: bytes) { start, count in
        address = start
        return [UInt8](UnsafeBufferPointer(start: start, count: count))
      }
    }
    #expect(seen == secret)
    let left = address.map { [UInt8](UnsafeBufferPointer(start: $0, count: secret.count)) }
    #expect(left == [UInt8](repeating: 0, count: secret.count))
  }
}
