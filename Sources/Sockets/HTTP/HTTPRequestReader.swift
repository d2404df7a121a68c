import CWebSockets

/// Reads a request's line and headers from libwebsockets, which keeps them only during the callback.
enum HTTPRequestReader {
  enum Fault: Error, Equatable {
    case malformed
    case lengthRequired
    case tooLarge
  }

  private static let methods = ["GET", "POST", "OPTIONS", "PUT", "PATCH", "DELETE", "CONNECT", "HEAD"]
  /// Headers that must not be repeated: a request would mean different things to readers of the first and of the last one.
  private static let single = [WSI_TOKEN_HOST, WSI_TOKEN_HTTP_CONTENT_LENGTH, WSI_TOKEN_ORIGIN, WSI_TOKEN_HTTP_AUTHORIZATION]

  static func request(_ wsi: OpaquePointer, peer: Peer, extraHeaders: [String]) -> HTTPRequest? {
    var start: UnsafeMutablePointer<CChar>?
    var length: Int32 = 0
    let method = Int(lws_http_get_uri_and_method(wsi, &start, &length))
    guard methods.indices.contains(method), let start, length > 0 else { return nil }
    guard single.allSatisfy({ lws_hdr_fragment_length(wsi, $0, 1) == 0 }) else { return nil }
    let path = UnsafeRawBufferPointer(start: start, count: Int(length))
    guard path.first == UInt8(ascii: "/"), isValidUTF8(path) else { return nil }
    return HTTPRequest(
      method: methods[method], path: String(decoding: path, as: UTF8.self), query: query(wsi),
      headers: headers(wsi) + custom(wsi, extraHeaders), body: [], peer: peer)
  }

  /// The number of body bytes that follow. Chunked bodies are refused, because libwebsockets does not decode them.
  static func bodyLength(_ wsi: OpaquePointer, of request: HTTPRequest, limit: Int) throws(Fault) -> Int {
    guard lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING) == 0 else { throw .lengthRequired }
    guard let text = request.header("content-length") else {
      if ["POST", "PUT", "PATCH"].contains(request.method) { throw .lengthRequired }
      return 0
    }
    guard (1...12).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = Int(text) else {
      throw .malformed
    }
    guard length <= limit else { throw .tooLarge }
    return length
  }

  private static func query(_ wsi: OpaquePointer) -> [String] {
    var parts: [String] = []
    var index: Int32 = 0
    while index < 64 {
      let length = lws_hdr_fragment_length(wsi, WSI_TOKEN_HTTP_URI_ARGS, index)
      guard length > 0 else { break }
      var buffer = [CChar](repeating: 0, count: Int(length) + 1)
      guard lws_hdr_copy_fragment(wsi, &buffer, length + 1, WSI_TOKEN_HTTP_URI_ARGS, index) >= 0 else { break }
      parts.append(text(of: buffer))
      index += 1
    }
    return parts
  }

  private static func headers(_ wsi: OpaquePointer) -> [HTTPHeader] {
    known.compactMap { token, name in
      let length = lws_hdr_total_length(wsi, token)
      guard length > 0 else { return nil }
      var buffer = [CChar](repeating: 0, count: Int(length) + 1)
      guard lws_hdr_copy(wsi, &buffer, length + 1, token) >= 0 else { return nil }
      return HTTPHeader(name, text(of: buffer))
    }
  }

  private static func custom(_ wsi: OpaquePointer, _ names: [String]) -> [HTTPHeader] {
    names.compactMap { name in
      let label = name + ":"
      let length = lws_hdr_custom_length(wsi, label, Int32(label.utf8.count))
      guard length >= 0, length <= SocketLimits.headerBytes else { return nil }
      var buffer = [CChar](repeating: 0, count: Int(length) + 1)
      guard lws_hdr_custom_copy(wsi, &buffer, length + 1, label, Int32(label.utf8.count)) >= 0 else { return nil }
      return HTTPHeader(name, text(of: buffer))
    }
  }

  /// The libwebsockets tokens that are request headers, with their names.
  private static let known: [(lws_token_indexes, String)] = (0..<WSI_TOKEN_COUNT.rawValue).compactMap { index in
    let token = lws_token_indexes(index)
    guard let label = lws_token_to_string(token) else { return nil }
    let name = String(cString: label)
    guard name.utf8.last == UInt8(ascii: ":"), name.utf8.first != UInt8(ascii: ":") else { return nil }
    return (token, String(name.dropLast()))
  }
}
