import Platform
import Testing

@testable import Sockets

@Suite struct LineConnectionTests {
  /// Sends every line back, and counts the ends of connections.
  private final class Echo: LineHandler {
    let ends = Locked(0)
    func received(_ connection: LineConnection, line: [UInt8]) { connection.send(line) }
    func closed(_ connection: LineConnection) { ends.change { $0 += 1 } }
  }

  private final class Place {
    let loop: EventLoop
    let listener: Listener
    let path: String
    let echo = Echo()
    let process = Locked<Bool?>(nil)

    init(_ limits: LineLimits = LineLimits(), _ handler: (any LineHandler)? = nil) throws {
      loop = try EventLoop()
      loop.start()
      path = "/tmp/hf-lines-\(getpid())-\(Clock.monotonicMicroseconds).sock"
      let (echo, process) = (echo, process)
      listener = try loop.listen(
        .init(.unix(path: path)),
        service: Service(lines: limits) { connection in
          process.change { $0 = connection.process?.isAlive }
          return handler ?? echo
        })
    }

    func stop() { loop.stop() }

    func connected() -> Int32 {
      let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
      _ = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      var wait = timeval(tv_sec: 10, tv_usec: 0)
      setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
      return descriptor
    }
  }

  private static func write(_ text: String, to descriptor: Int32) {
    let bytes = Array(text.utf8)
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress! + done, $0.count - done, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return }
      done += count
    }
  }

  /// What comes until so many bytes, or the end.
  private static func read(_ count: Int, from descriptor: Int32) -> String {
    var (all, space) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
    while all.count < count {
      let got = Platform.read(descriptor, &space, space.count)
      guard got > 0 else { break }
      all += space[..<got]
    }
    return String(decoding: all, as: UTF8.self)
  }

  @Test("Lines arrive whole, in whatever pieces they were sent, and are answered in order") func linesArriveWhole() throws {
    let place = try Place()
    defer { place.stop() }
    let peer = place.connected()
    for piece in ["on", "e\ntwo\n\nth", "ree", "\n"] { Self.write(piece, to: peer) }
    #expect(Self.read(15, from: peer) == "one\ntwo\n\nthree\n")
    #expect(place.process.withLock { $0 } == true, "the process at the other end is known and alive")
    close(peer)
    #expect(place.echo.ends.wait(milliseconds: 5_000) { $0 == 1 ? true : nil } == true)
  }

  @Test("A line at the limit passes, a longer one ends the connection") func longLinesEndIt() throws {
    let place = try Place(LineLimits(lineBytes: 1_000))
    defer { place.stop() }
    let peer = place.connected()
    let line = String(repeating: "x", count: 1_000)
    Self.write(line + "\n", to: peer)
    #expect(Self.read(1_001, from: peer) == line + "\n")
    Self.write(line + "x", to: peer)
    #expect(Self.read(1, from: peer).isEmpty)
    close(peer)
  }

  @Test("A peer that does not read its answers is not read from either, and loses nothing") func slowReadersWait() throws {
    let place = try Place(LineLimits(lineBytes: 100_000))
    defer { place.stop() }
    let peer = place.connected()
    _ = fcntl(peer, F_SETFL, O_NONBLOCK)
    let line = Array(String(repeating: "y", count: 90_000).utf8) + [10]
    var (sent, last) = (0, Clock.monotonicMilliseconds)
    while Clock.monotonicMilliseconds - last < 500, sent < 100 * line.count {
      let count = line.withUnsafeBytes { bytes in
        send(peer, bytes.baseAddress! + sent % line.count, line.count - sent % line.count, Int32(MSG_NOSIGNAL))
      }
      if count > 0 { (sent, last) = (sent + count, Clock.monotonicMilliseconds) }
    }
    #expect(sent < 5 << 20, "the rest stays with the peer")
    _ = fcntl(peer, F_SETFL, 0)
    let whole = sent / line.count * line.count
    let answered = Self.read(whole, from: peer)
    #expect(answered.utf8.count == whole && answered.allSatisfy { $0 == "y" || $0 == "\n" })
    close(peer)
  }

  /// Answers each line with more than may wait.
  private struct Flood: LineHandler {
    func received(_ connection: LineConnection, line: [UInt8]) {
      for _ in 0..<100 where !connection.send([UInt8](repeating: 120, count: 90_000)) { return }
    }
    func closed(_ connection: LineConnection) {}
  }

  @Test("A peer for which more waits than the limit is closed") func fullQueuesAreClosed() throws {
    let place = try Place(LineLimits(sendQueueBytes: 500_000), Flood())
    defer { place.stop() }
    let peer = place.connected()
    Self.write("a\n", to: peer)
    #expect(Self.read(100 * 90_001, from: peer).utf8.count < 100 * 90_001)
    close(peer)
  }

  @Test("Many connections at once are served") func manyAtOnce() throws {
    let place = try Place()
    defer { place.stop() }
    let peers = (0..<200).map { _ in place.connected() }
    for (number, peer) in peers.enumerated() { Self.write("\(number)\n", to: peer) }
    for (number, peer) in peers.enumerated() { #expect(Self.read("\(number)\n".utf8.count, from: peer) == "\(number)\n") }
    for peer in peers { close(peer) }
  }

  @Test("The loop stops although a connection is open") func theLoopStops() throws {
    let place = try Place()
    defer { place.stop() }
    let peer = place.connected()
    Self.write("a\n", to: peer)
    #expect(Self.read(2, from: peer) == "a\n")
    place.loop.stop(within: 1_000)
    #expect(Self.read(1, from: peer).isEmpty && place.echo.ends.withLock { $0 } == 1)
    close(peer)
  }
}
