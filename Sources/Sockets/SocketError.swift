/// Errors in setting up sockets. For an open connection see `CloseReason`.
public enum SocketError: Error, Equatable, Sendable {
  /// libwebsockets could not make its context, for lack of memory or descriptors.
  case outOfResources
  /// The address is taken by another process.
  case addressInUse
  /// Binding or listening failed with this `errno`.
  case cannotListen(errno: Int32)
  /// The host to listen on is not a literal IPv4 or IPv6 address, nor "localhost".
  case hostNotAddress
  /// The Unix socket's path is empty or longer than 107 bytes.
  case pathTooLong
  /// The certificate or its key cannot be read, or they do not belong together.
  case certificateNotUsable
  /// The loop has been stopped.
  case stopped
}
