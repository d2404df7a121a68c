internal import Sockets

/// The live connections that are open, and what is still to be said on them.
struct LiveSockets {
  /// Connections at once, of one session and of all.
  static let mostPerSession = 6
  static let most = 48
  /// Milliseconds between two signs of life.
  static let tickMilliseconds = 15_000
  /// Milliseconds within which hints of one kind are said once.
  static let pauseMilliseconds = 150
  /// The closing code for a session that ended: pages go to the sign-in then, and do not try again.
  static let signedOutCode: UInt16 = 4401
  /// Bytes of a message from a page: there is nothing to say in this direction.
  static let messageBytes = 256
  /// Bytes that may wait for a page that does not read.
  static let sendQueueBytes = 64 * 1024

  private var open: [ObjectIdentifier: (session: String, socket: WebSocket)] = [:]
  private var quiet: Set<ConsoleHint> = []
  private var due: Set<ConsoleHint> = []
  var isTicking = false

  var isEmpty: Bool { open.isEmpty }
  var all: [WebSocket] { open.values.map(\.socket) }

  /// Whether this session may have one more.
  func admits(_ session: String) -> Bool {
    open.count < Self.most && open.values.count { $0.session == session } < Self.mostPerSession
  }

  mutating func add(_ socket: WebSocket, of session: String) { open[ObjectIdentifier(socket)] = (session, socket) }

  mutating func remove(_ socket: WebSocket) { open[ObjectIdentifier(socket)] = nil }

  /// - Returns: the connections of these sessions, to be closed.
  mutating func remove(_ sessions: Set<String>) -> [WebSocket] {
    let gone = open.filter { sessions.contains($0.value.session) }
    for key in gone.keys { open[key] = nil }
    return gone.values.map(\.socket)
  }

  // MARK: hints

  /// - Returns: whether to say it now; else it is said with others of its kind a little later.
  mutating func maySay(_ hint: ConsoleHint) -> Bool {
    if quiet.contains(hint) {
      due.insert(hint)
      return false
    }
    quiet.insert(hint)
    return true
  }

  /// The pause after a hint is over.
  /// - Returns: whether it was told again meanwhile, and is to be said now.
  mutating func endPause(_ hint: ConsoleHint) -> Bool {
    quiet.remove(hint)
    return due.remove(hint) != nil
  }
}
