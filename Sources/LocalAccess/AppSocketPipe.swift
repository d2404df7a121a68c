import CLinux
import JSON
import Platform

/// Carries lines between two descriptors and the apps' socket, for the program that started this one.
public final class AppSocketPipe: Sendable {
  /// Why it ended.
  public enum Ending: Sendable {
    /// The other program ended its lines, and every one of them was answered; or it reads no more.
    case finished
    /// The signer ended the connection.
    case signerLeft
  }

  private struct Lines {
    var (asked, answered) = (0, 0)
    var isOpen = true
    /// Each line has one answer.
    var isDone: Bool { !isOpen && answered >= asked }
  }

  /// Bytes that are read at once.
  private static let chunk = 64 << 10
  /// The first line: what follows is of the program that started this one.
  private static let carrying = Array("{\"v\":1,\"carry\":\"starter\"}\n".utf8)
  private static let lineFeed = UInt8(ascii: "\n")

  private let socket: Int32
  private let lines = Locked(Lines())

  /// Why there is no connection.
  public enum Fault: Error, Equatable {
    /// No signer of this user listens there.
    case notRunning
    /// The signer takes no lines of the program that started this one. Its sentence.
    case refused(String)
  }

  /// Connects, and says for whom.
  /// - Parameter home: the vault's folder.
  public init(home: String) throws(Fault) {
    socket = Platform.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var peer = holdfast_peer_credentials()
    guard socket >= 0, UnixSocketAddress(path: home + "/app.sock")?.connectSocket(socket) == true,
      holdfast_peer_credentials_of(socket, &peer) == 0, peer.uid == geteuid(), writeWhole(Self.carrying, to: socket)
    else { throw .notRunning }
    let answer = firstLine()
    guard answer != Self.carrying else { return }
    throw .refused((try? JSONValue(parsing: answer))?["error"]?.string ?? "The signer is another version. Start it again.")
  }

  deinit { if socket >= 0 { close(socket) } }

  /// Carries lines until one side ends. When the input ends, the answers that are owed are waited for.
  public func run(from input: Int32, to output: Int32) -> Ending {
    let starter = holdfast_open_process(getppid())
    guard SystemThread.startDetached({ [self] in carryRequests(input) }),
      SystemThread.startDetached({ [self] in watch(starter, output) })
    else { return .signerLeft }
    while let bytes = read(socket) {
      guard writeWhole(bytes, to: output) else { return .finished }
      let isDone = lines.withLock { lines in
        lines.answered += Self.count(bytes)
        return lines.isDone
      }
      if isDone { return .finished }
    }
    return lines.withLock { $0.isDone } ? .finished : .signerLeft
  }

  /// Ends everything once nobody can read answers any more: then nothing is to wait before the owner.
  private func watch(_ starter: Int32, _ output: Int32) {
    // For the output, errors alone: its reader has closed it.
    var ends = [pollfd(fd: starter, events: Int16(POLLIN), revents: 0), pollfd(fd: output, events: 0, revents: 0)]
    while poll(&ends, 2, -1) < 0, errno == EINTR {}
    lines.withLock { ($0.isOpen, $0.asked) = (false, 0) }
    shutdown(socket, Int32(SHUT_RDWR))
  }

  /// Short, and the signer sends nothing after it before it is asked.
  private func firstLine() -> [UInt8] {
    var line: [UInt8] = []
    while line.last != Self.lineFeed, line.count < Self.chunk, let bytes = read(socket) { line += bytes }
    return line
  }

  private func carryRequests(_ input: Int32) {
    var last: UInt8?
    while let bytes = read(input) {
      lines.withLock { $0.asked += Self.count(bytes) }
      guard writeWhole(bytes, to: socket) else { return }
      last = bytes.last
    }
    let isCut = last.map { $0 != Self.lineFeed } ?? false
    if isCut { lines.withLock { $0.asked += 1 } }
    if isCut { _ = writeWhole([Self.lineFeed], to: socket) }
    let isDone = lines.withLock { lines in
      lines.isOpen = false
      return lines.isDone
    }
    if isDone { shutdown(socket, Int32(SHUT_RDWR)) }  // nothing more will come
  }

  private static func count(_ bytes: [UInt8]) -> Int { bytes.count { $0 == lineFeed } }

  /// - Returns: nil at the end, and after an error.
  private func read(_ descriptor: Int32) -> [UInt8]? {
    var space = [UInt8](repeating: 0, count: Self.chunk)
    while true {
      let count = Platform.read(descriptor, &space, space.count)
      if count < 0, errno == EINTR { continue }
      return count > 0 ? Array(space[..<count]) : nil
    }
  }
}
