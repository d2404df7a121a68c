import CLinux
import JSON
import Platform

/// A connection to the apps' socket for one document of a browser. When the document is closed, so is the connection, and the signer drops
/// what nobody waits for. Its own limits keep one page from the places of others.
final class PageConnection {
  /// How many requests of the page may be unanswered at the same time. The signer has the same limit.
  static let requestsAtOnce = 64
  /// The longest line of an answer that is read, in bytes.
  static let longestLine = 4 << 20
  /// How long the signer may take no byte of a request, in seconds.
  private static let sendingSeconds = 10

  let descriptor: Int32
  let origin: String
  private var unread: [UInt8] = []
  /// The ids of requests without an answer.
  private(set) var waiting: Set<String> = []

  /// - Throws: `.unavailable` when no signer of this user listens.
  init(home: String, origin: String) throws(BrowserAnswer.Fault) {
    self.origin = origin
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0, UnixSocketAddress(path: home + "/app.sock")?.connectSocket(descriptor) == true, isOurs else {
      throw .unavailable
    }
    var limit = timeval(tv_sec: Self.sendingSeconds, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  private var isOurs: Bool {
    var peer = holdfast_peer_credentials()
    return holdfast_peer_credentials_of(descriptor, &peer) == 0 && peer.uid == geteuid()
  }

  /// Passes a request on.
  func send(_ request: PageRequest, extensionID: String) throws(BrowserAnswer.Fault) {
    guard waiting.count < Self.requestsAtOnce else { throw .tooMany }
    guard !waiting.contains(request.id) else { throw .unreadable }
    try write(request.line(for: extensionID))
    waiting.insert(request.id)
  }

  private func write(_ bytes: [UInt8]) throws(BrowserAnswer.Fault) {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        Platform.send(descriptor, $0.baseAddress! + done, $0.count - done, Int32(truncatingIfNeeded: MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .unavailable }
      done += count
    }
  }

  /// Reads what has arrived. Call it when the descriptor is ready.
  /// - Returns: the messages for the browser. Nil at the end of the connection.
  func receive() -> [[UInt8]]? {
    var space = [UInt8](repeating: 0, count: 64 << 10)
    let count = Platform.read(descriptor, &space, space.count)
    if count < 0, errno == EINTR { return [] }
    guard count > 0 else { return nil }
    unread += space[..<count]
    var messages: [[UInt8]] = []
    while let line = nextLine() {
      guard let id = answered(line) else { return nil }
      messages.append(BrowserAnswer.forwarded(line, to: id))
    }
    return unread.count <= Self.longestLine ? messages : nil
  }

  private func nextLine() -> [UInt8]? {
    guard let end = unread.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    defer { unread.removeSubrange(...end) }
    return Array(unread[..<end])
  }

  /// The id of the request that a line answers, which then waits no more.
  private func answered(_ line: [UInt8]) -> String? {
    (try? JSONValue(parsing: line))?["id"]?.string.flatMap { waiting.remove($0) }
  }
}
