/// Who is told what befalls a WebSocket. Called on the loop thread, in order; must not block it.
public protocol WebSocketHandler: AnyObject, Sendable {
  /// The handshake is done. Called once, before anything else, and not at all if the connection never opens.
  func opened(_ webSocket: WebSocket)
  /// One whole text message, valid UTF-8, within the size limit.
  func received(_ webSocket: WebSocket, text: [UInt8])
  /// The end. Called exactly once, also when the connection never opened; nothing follows it.
  func closed(_ webSocket: WebSocket, reason: CloseReason)
  /// Whether closing the connection would take something from somebody. When room gets short, others are closed first. Asked on the
  /// loop thread, when it matters.
  func isOfUse(_ webSocket: WebSocket) -> Bool
}

extension WebSocketHandler {
  /// Who does not say anything else is of use.
  public func isOfUse(_ webSocket: WebSocket) -> Bool { true }
}

/// Limits of one WebSocket.
public struct WebSocketOptions: Sendable {
  /// Bytes of an incoming message.
  public var messageBytes: Int
  /// Bytes that may wait to be sent.
  public var sendQueueBytes: Int

  /// The limits of this module, or narrower ones.
  public init(messageBytes: Int = SocketLimits.messageBytes, sendQueueBytes: Int = SocketLimits.sendQueueBytes) {
    self.messageBytes = max(1, messageBytes)
    self.sendQueueBytes = max(1, sendQueueBytes)
  }
}
