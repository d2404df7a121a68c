import Sockets

/// The open live connections, and the hints that still have to be sent.
struct LiveSockets {
  /// Connections at once, of one session and of all.
  static let mostPerSession = 6
  static let most = 48
  /// Milliseconds between two ticks.
  static let tickMilliseconds = 15_000
  /// Milliseconds within which hints of one kind are sent only once.
  static let pauseMilliseconds = 150
  /// The close code when the session has ended. Pages then show the sign-in and do not reconnect.
  static let signedOutCode: UInt16 = 4401
  /// Bytes of a message from a page. Pages have nothing to send.
  static let messageBytes = 256
  /// Bytes that may wait for a page that does not read.
  static let sendQueueBytes = 64 * 1024

  private var open: [ObjectIdentifier: (session: String, socket: WebSocket)] = [:]
  private var quiet: Set<ConsoleHint> = []
  private var due: Set<ConsoleHint> = []
  var isTicking = false

  var isEmpty: Bool { open.isEmpty }
  var all: [WebSocket] { open.values.map(\.socket) }

  /// Whether this session may open one more connection.
  func admits(_ session: String) -> Bool {
    open.count < Self.most && open.values.count { $0.session == session } < Self.mostPerSession
  }

  mutating func add(_ socket: WebSocket, of session: String) { open[ObjectIdentifier(socket)] = (session, socket) }

  mutating func remove(_ socket: WebSocket) { open[ObjectIdentifier(socket)] = nil }

  /// - Returns: the connections of these sessions, which must be closed.
  mutating func remove(_ sessions: Set<String>) -> [WebSocket] {
    let gone = open.filter { sessions.contains($0.value.session) }
    for key in gone.keys { open[key] = nil }
    return gone.values.map(\.socket)
  }

  // MARK: hints

  /// - Returns: whether to send it now. Otherwise it is sent a little later, together with others of its kind.
  mutating func maySay(_ hint: ConsoleHint) -> Bool {
    if quiet.contains(hint) {
      due.insert(hint)
      return false
    }
    quiet.insert(hint)
    return true
  }

  /// Ends the pause after a hint.
  /// - Returns: whether the hint came again during the pause and must be sent now.
  mutating func endPause(_ hint: ConsoleHint) -> Bool {
    quiet.remove(hint)
    return due.remove(hint) != nil
  }
}
