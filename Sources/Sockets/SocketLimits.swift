/// The default limits of this module. Options can narrow some of them for a connection or a listener.
public enum SocketLimits {
  /// Descriptors the loop can hold: sockets, listeners and its own pipe. libwebsockets sizes its tables by this number
  /// (16 bytes each), so the process limit (RLIMIT_NOFILE) caps it.
  public static let descriptors = 4_096
  /// Bytes of one WebSocket message, all fragments together.
  public static let messageBytes = 256 * 1024
  /// Fragments of one message.
  public static let fragments = 1_024
  /// Bytes queued for a peer that does not read, before the connection is closed.
  public static let sendQueueBytes = 1024 * 1024
  /// Connections of the listeners that share an `Admission`.
  public static let connections = 2_048
  /// Connections of one holder that are not useful. As many as the apps behind one proxy may open at once before they identify
  /// themselves.
  public static let strangersPerHolder = 1_024
  /// Connections reserved for the owner's own socket and on a port that apps share, so that the owner can always connect.
  public static let ownersConnections = 128
  /// Descriptors that listeners leave free for files, outside relays and the owner's own socket.
  public static let reservedDescriptors = 512
  /// Bytes of incomplete messages and bodies, of all connections of an `Admission`.
  public static let unfinishedBytes = 64 << 20
  /// Bytes of incomplete messages and bodies, of one holder.
  public static let unfinishedBytesPerHolder = 32 << 20
  /// Incomplete bytes that a connection may always have, however much others have.
  public static let fairUnfinishedBytes = 8 << 10
  /// Bytes of all request headers together, request line included. A signing link in it may hold an event of 16 KiB in base64url, and a
  /// callback.
  public static let headerBytes = 32 * 1024
  /// Bytes of an HTTP request body.
  public static let bodyBytes = 64 * 1024
  /// Milliseconds from the start of a connect, including the name look-up, to the open WebSocket.
  public static let connectMilliseconds = 10_000
  /// Seconds without any data before a ping is sent.
  public static let pingAfterSeconds = 30
  /// Seconds to wait for a pong before the connection is dropped.
  public static let pongWithinSeconds = 10
  /// Seconds a closing handshake, or the last bytes of a closing connection, may take.
  public static let closeSeconds = 5
  /// Seconds a peer may take for its request headers and for each part of a body.
  public static let requestSeconds = 20
  /// Seconds an idle HTTP connection is kept open for another request.
  public static let keepAliveSeconds = 30
  /// Seconds an HTTP handler may take for its answer.
  public static let answerSeconds = 600
  /// Milliseconds between two checks whether the peer of a request that takes long is still there.
  public static let peerCheckMilliseconds = 1_000
  /// Bytes of a WebSocket URL.
  public static let urlBytes = 1_024
  /// Name look-ups that run at once. Further ones wait.
  public static let lookUpsAtOnce = 4
  /// Addresses of one name that are tried.
  public static let addressesTried = 4
  /// Bytes of a close reason that is sent or kept (RFC 6455, 5.5: 125 less the code).
  public static let closeReasonBytes = 123
}
