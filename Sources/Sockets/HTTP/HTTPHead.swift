import CWebSockets

/// Writes the status line and the headers of a response.
enum HTTPHead {
  /// Space for the status line, the length and the line ends.
  private static let fixedBytes = 512
  /// The position of the minor version in the status line `HTTP/1.0 503 …`.
  private static let versionDigit = "HTTP/1.".utf8.count

  /// - Parameter isUpgrade: whether this responds to an upgrade request. libwebsockets does not know the version of such a
  ///   request and would answer HTTP/1.0, which WebSocket clients refuse.
  static func write(
    _ wsi: OpaquePointer, _ response: HTTPResponse, closes: Bool, isUpgrade: Bool = false, scratch: inout Scratch
  ) -> Bool {
    let headers = (closes ? [HTTPHeader("connection", "close")] : []) + response.headers.filter(isSafe)
    let room = headers.reduce(fixedBytes) { $0 + $1.name.utf8.count + $1.value.utf8.count + 8 }
    return scratch.withRoom(for: room) { start in
      let end = start + room
      var place: UnsafeMutablePointer<UInt8>? = start
      guard lws_add_http_header_status(wsi, UInt32(response.status), &place, end) == 0 else { return false }
      if isUpgrade { start[Self.versionDigit] = UInt8(ascii: "1") }
      for header in headers {
        let value = Array(header.value.utf8)
        guard lws_add_http_header_by_name(wsi, header.name + ":", value, Int32(value.count), &place, end) == 0 else {
          return false
        }
      }
      guard lws_add_http_header_content_length(wsi, UInt64(response.body.count), &place, end) == 0 else { return false }
      return lws_finalize_write_http_header(wsi, start, &place, end) == 0
    }
  }

  private static func isSafe(_ header: HTTPHeader) -> Bool {
    !header.name.isEmpty && header.name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
      && header.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
      && !["content-length", "connection", "transfer-encoding"].contains(header.name)
  }
}
