/// Receives the events of a WebSocket. Called on the loop thread, in order. It must not block.
public protocol WebSocketHandler: AnyObject, Sendable {
  /// The handshake is done. Called once, before anything else, and never if the connection does not open.
  func opened(_ webSocket: WebSocket)
  /// One complete text message: valid UTF-8, within the size limit.
  func received(_ webSocket: WebSocket, text: [UInt8])
  /// The connection has ended. Called exactly once, even if it never opened, and always last.
  func closed(_ webSocket: WebSocket, reason: CloseReason)
  /// Whether the connection is useful to somebody. When connections run short, others are closed first. Asked on the loop thread,
  /// only when needed.
  func isOfUse(_ webSocket: WebSocket) -> Bool
}

extension WebSocketHandler {
  /// By default a connection is useful.
  public func isOfUse(_ webSocket: WebSocket) -> Bool { true }
}

/// Limits of one WebSocket.
public struct WebSocketOptions: Sendable {
  /// The most bytes of an incoming message.
  public var messageBytes: Int
  /// The most bytes that may wait to be sent.
  public var sendQueueBytes: Int

  /// The default limits, or narrower ones.
  public init(messageBytes: Int = SocketLimits.messageBytes, sendQueueBytes: Int = SocketLimits.sendQueueBytes) {
    self.messageBytes = max(1, messageBytes)
    self.sendQueueBytes = max(1, sendQueueBytes)
  }
}
