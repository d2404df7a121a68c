import CWebSockets

/// Bytes after a request that libwebsockets has read and not parsed yet.
enum LeftoverBytes {
  /// Whether there may be such bytes, for a connection that is not read at the moment. Call it outside of callbacks only.
  ///
  /// libwebsockets has no call that reports this for one connection. It does report whether any readable connection has such
  /// bytes, so this asks before and after making this connection readable. If another connection has some, the answer is yes,
  /// which costs one keep-alive.
  static func mayExist(_ wsi: OpaquePointer, _ loop: EventLoop) -> Bool {
    guard !anyReadable(loop) else { return true }
    lws_rx_flow_control(wsi, 1)
    defer { lws_rx_flow_control(wsi, 0) }
    return anyReadable(loop)
  }

  private static func anyReadable(_ loop: EventLoop) -> Bool { lws_service_adjust_timeout(loop.context, 1, 0) == 0 }
}
