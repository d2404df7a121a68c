/// The limits of connections that send lines.
public struct LineLimits: Sendable, Equatable {
  /// Bytes of one line. A longer one ends the connection.
  public var lineBytes: Int
  /// Bytes that may wait for a peer that does not read.
  public var sendQueueBytes: Int

  /// The usual limits of this module unless told otherwise.
  public init(lineBytes: Int = SocketLimits.messageBytes, sendQueueBytes: Int = SocketLimits.sendQueueBytes) {
    (self.lineBytes, self.sendQueueBytes) = (lineBytes, sendQueueBytes)
  }
}
