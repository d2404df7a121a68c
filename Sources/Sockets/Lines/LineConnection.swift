import CWebSockets
import Platform

/// Takes the lines of one connection. Called on the loop thread, which it must not block.
public protocol LineHandler: Sendable {
  /// One line, without its line feed. It may be empty.
  func received(_ connection: LineConnection, line: [UInt8])
  /// The connection has ended. Nothing follows.
  func closed(_ connection: LineConnection)
}

/// An accepted connection on which both sides send lines of text, each ended by a line feed.
public final class LineConnection: @unchecked Sendable {  // Sendable: `outgoing` has a lock; the rest belongs to the loop
  private struct Outgoing {
    var queue = SendQueue()
    var isOver = false
    /// Close when all is sent.
    var isClosing = false
    var isOfUse = false
  }

  /// The other end.
  public let peer: Peer
  /// Its process. Nil when it has ended already, and for a peer elsewhere.
  public let process: PeerProcess?
  private unowned let loop: EventLoop
  private let limits: LineLimits
  private let outgoing = Locked(Outgoing())

  // From here on: used on the loop thread only.
  private var handler: (any LineHandler)?
  private var unfinished: [UInt8] = []
  private weak var session: Session?

  init(_ session: Session, _ limits: LineLimits, socket: Int32) {
    (loop, peer, self.limits, self.session) = (session.loop, session.peer, limits, session)
    process = PeerProcess(of: socket, session.peer)
  }

  func begin(_ handler: any LineHandler) { self.handler = handler }

  /// Queues a line, to which a line feed is added. Callable from any thread.
  /// - Returns: false if the connection has ended or is closing. It is closed when more waits to be sent than the limit allows, because
  ///   its peer does not read.
  @discardableResult
  public func send(_ line: [UInt8]) -> Bool {
    let (isQueued, isFull) = outgoing.withLock { state in
      guard !state.isOver, !state.isClosing else { return (false, false) }
      guard state.queue.bytes + line.count < limits.sendQueueBytes else {
        state.isOver = true
        return (false, true)
      }
      state.queue.append(line + [Self.lineFeed])
      return (true, false)
    }
    if isQueued { loop.post { [weak self] in self?.flush() } }
    if isFull { loop.post { [weak self] in self?.session?.kill() } }
    return isQueued
  }

  /// Says that the connection is useful: it is not closed to make room for others. Callable from any thread.
  public func noteUse() { outgoing.withLock { $0.isOfUse = true } }

  /// For the loop thread.
  var isOfUse: Bool { outgoing.withLock { $0.isOfUse } }

  /// Closes once everything queued is sent. Callable from any thread.
  public func close() {
    outgoing.withLock { $0.isClosing = true }
    loop.post { [weak self] in self?.flush() }
  }

  private static let lineFeed = UInt8(ascii: "\n")
}

// MARK: - The loop thread

extension LineConnection {
  func handle(_ wsi: OpaquePointer, _ reason: lws_callback_reasons, _ input: UnsafeMutableRawBufferPointer) -> Int32 {
    switch reason {
    case LWS_CALLBACK_RAW_RX: return receive(UnsafeRawBufferPointer(input)) ? 0 : -1
    case LWS_CALLBACK_RAW_WRITEABLE: return write(wsi) ? 0 : -1
    default: return 0
    }
  }

  /// - Returns: false when the connection must end: a line is too long, or too much is unfinished.
  private func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var rest = bytes[...]
    while let end = rest.firstIndex(of: Self.lineFeed) {
      guard unfinished.count + (end - rest.startIndex) <= limits.lineBytes else { return false }
      let line = unfinished + rest[..<end]
      unfinished.removeAll()
      rest = rest[(end + 1)...]
      handler?.received(self, line: line)
    }
    guard unfinished.count + rest.count <= limits.lineBytes else { return false }
    unfinished += rest
    return session?.mayHold(unfinished: unfinished.count) ?? false
  }

  private func flush() {
    guard let wsi = session?.wsi else { return }
    if !write(wsi) { session?.kill() }
  }

  /// Writes until the kernel takes no more. When it does again, libwebsockets calls this.
  /// - Returns: false when the connection must end.
  private func write(_ wsi: OpaquePointer) -> Bool {
    while lws_partial_buffered(wsi) == 0 {
      let (line, isClosing) = outgoing.withLock { ($0.queue.next(), $0.isClosing) }
      guard let line else { return !isClosing }
      // LWS_WRITE_RAW is a macro for this.
      if loop.scratch.with(line[...], { lws_write(wsi, $0, $1, LWS_WRITE_HTTP) }) < 0 { return false }
    }
    lws_callback_on_writable(wsi)
    return true
  }

  func ended() {
    outgoing.withLock { state in
      state.isOver = true
      state.queue.removeAll()
    }
    unfinished = []
    guard let handler else { return }
    self.handler = nil
    handler.closed(self)
  }
}
