import CLinux
import Platform
import SecretMemory

private let noSignal = Int32(truncatingIfNeeded: MSG_NOSIGNAL)

/// One connection to a control socket, with a deadline for everything. Closed when it goes out of scope.
struct ControlConnection: ~Copyable {
  private static let pieceBytes = 64 << 10
  private let descriptor: Int32
  private let deadline: Int64
  private let timeout: Int
  private let onSilence: (@Sendable (_ process: Int32) -> Void)?
  /// Milliseconds without an answer after which `onSilence` is called.
  private static let silence: Int64 = 3000

  /// - Parameter onSilence: called when three seconds have passed without an answer, in each wait for bytes.
  /// - Throws: `.noDaemon` when there is no socket or nothing listens on it; `.notOurs` when another user listens on it.
  init(
    home: String, timeout: Int, onSilence: (@Sendable (_ process: Int32) -> Void)? = nil
  ) throws(ControlError) {
    (self.timeout, self.onSilence) = (timeout, onSilence)
    deadline = Self.now() + Int64(timeout)
    descriptor = try Self.open(home: home)
  }

  deinit { close(descriptor) }

  private static func open(home: String) throws(ControlError) -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw .system(code: errno) }
    let fault = ControlSocket.withShortPath(home: home) { connect(descriptor, to: $0) } ?? strangerBehind(descriptor)
    if let fault {
      close(descriptor)
      throw fault
    }
    return descriptor
  }

  /// Another user listens on a socket in our folder. Our daemon did not make it.
  private static func strangerBehind(_ descriptor: Int32) -> ControlError? {
    var peer = holdfast_peer_credentials()
    guard holdfast_peer_credentials_of(descriptor, &peer) == 0 else { return .system(code: errno) }
    guard peer.uid == geteuid() else { return .notOurs(uid: peer.uid) }
    return fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 ? nil : .system(code: errno)
  }

  private static func connect(_ descriptor: Int32, to path: String) -> ControlError? {
    guard let address = UnixSocketAddress(path: path) else { return .system(code: ENAMETOOLONG) }
    guard !address.connectSocket(descriptor) else { return nil }
    switch errno {
    case ENOENT, ECONNREFUSED, ENOTDIR: return .noDaemon
    default: return .system(code: errno)
    }
  }

  borrowing func write(_ bytes: [UInt8]) throws(ControlError) {
    var done = 0
    while done < bytes.count {
      // `send` is used so that a daemon that closes the connection causes an error and not a signal.
      let count = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress.map { $0 + done }, $0.count - done, noSignal) }
      if count > 0 { done += count } else { try waitOrThrow(for: POLLOUT) }
    }
  }

  /// Reads the available bytes, waiting for the first one.
  /// - Returns: false at the end of the answer.
  borrowing func read(into reader: inout AnswerReader) throws(ControlError) -> Bool {
    var space = [UInt8](repeating: 0, count: Self.pieceBytes)
    defer { wipe(&space) }  // the bytes may be a secret
    while true {
      let count = Platform.read(descriptor, &space, space.count)
      if count >= 0 {
        try reader.take(space[..<count])
        return count > 0
      }
      try waitOrThrow(for: POLLIN)
    }
  }

  /// Waits until the socket is ready if that is all that is missing; otherwise throws.
  private borrowing func waitOrThrow(for event: Int32) throws(ControlError) {
    switch errno {
    case EAGAIN, EINTR: break
    case EPIPE, ECONNRESET: throw .connectionLost
    default: throw .system(code: errno)
    }
    let rest = deadline - Self.now()
    if rest > Self.silence, let onSilence, !isReady(event, within: Self.silence) { onSilence(process) }
    guard isReady(event, within: deadline - Self.now()) else { throw .timedOut(milliseconds: timeout, process: process) }
  }

  private borrowing func isReady(_ event: Int32, within milliseconds: Int64) -> Bool {
    var wait = pollfd(fd: descriptor, events: Int16(event), revents: 0)
    return poll(&wait, 1, Int32(clamping: max(0, milliseconds))) != 0
  }

  /// The daemon's process; 0 when the system does not report it.
  var process: Int32 {
    var peer = holdfast_peer_credentials()
    return holdfast_peer_credentials_of(descriptor, &peer) == 0 ? peer.pid : 0
  }

  /// Milliseconds of a clock that does not jump.
  private static func now() -> Int64 { Clock.monotonicMilliseconds }
}
