import CWebSockets

/// Bytes behind a request that libwebsockets has read and not yet parsed.
enum LeftoverBytes {
  /// Whether there may be some, for a connection that is not read just now. Outside of callbacks only.
  ///
  /// libwebsockets has no call that tells it for one connection. It does tell whether any connection that may be read has such bytes, so
  /// this asks before and after letting this one be read. If another connection has some, the answer is yes: that costs a keep-alive.
  static func mayExist(_ wsi: OpaquePointer, _ loop: EventLoop) -> Bool {
    guard !anyReadable(loop) else { return true }
    lws_rx_flow_control(wsi, 1)
    defer { lws_rx_flow_control(wsi, 0) }
    return anyReadable(loop)
  }

  private static func anyReadable(_ loop: EventLoop) -> Bool { lws_service_adjust_timeout(loop.context, 1, 0) == 0 }
}
