import CCurl
import Platform
import SecretMemory

/// One running request. libcurl calls back on the thread that drives it: from within `perform`, or from
/// `HTTPTransferGroup.advance`.
final class HTTPTransfer {
  let easy: UnsafeMutableRawPointer
  private let request: HTTPRequest
  private let library: CurlLibrary
  private var list: UnsafeMutablePointer<curl_slist>?
  /// The error that this side found. It is more precise than libcurl's own result.
  private var error: HTTPClientError?
  private var kept: [UInt8] = []
  private var headerCount = 0
  /// How many bytes of the answer's body came.
  private var received: Int64 = 0
  private var source: BodyReader?

  init(_ request: HTTPRequest, _ library: CurlLibrary) throws(HTTPClientError) {
    guard let easy = library.functions.easy_init() else { throw .notPrepared }
    (self.request, self.library, self.easy) = (request, library, easy)
    source = try BodyReader(request.body)
    // An empty header removes one that libcurl would add.
    for header in request.headers + ["Expect:", "Accept:"] {
      guard let longer = library.functions.slist_append(list, header) else { throw .notPrepared }
      list = longer
    }
    guard prepare() else { throw .notPrepared }
  }

  deinit {
    library.functions.easy_cleanup(easy)
    library.functions.slist_free_all(list)
  }

  /// Runs to the end, on this thread.
  func perform() throws(HTTPClientError) -> HTTPResponse { try end(library.functions.easy_perform(easy)) }

  /// The response of the finished transfer.
  /// - Parameter result: libcurl's result at the end.
  func end(_ result: CURLcode) throws(HTTPClientError) -> HTTPResponse {
    // A refused address is not an error when another address answered.
    guard result == CURLE_OK || isAnsweredEarly(result) else { throw error ?? HTTPClientError(result) }
    let seconds = withUnsafePointer(to: library.functions) { holdfast_curl_retry_after($0, easy) }
    let connects = withUnsafePointer(to: library.functions) { holdfast_curl_connects($0, easy) }
    return HTTPResponse(status: status, body: kept, retryAfter: max(0, Int64(seconds)), connects: connects)
  }

  /// Whether the whole answer came before all of the body was sent, and the server then closed the stream, as HTTP/2 allows it to do
  /// (RFC 9113, section 8.1). libcurl takes that for an error.
  private func isAnsweredEarly(_ result: CURLcode) -> Bool {
    guard result == CURLE_HTTP2_STREAM, error == nil, status >= 200 else { return false }
    return received == withUnsafePointer(to: library.functions) { holdfast_curl_length($0, easy) }
  }

  private var status: Int { withUnsafePointer(to: library.functions) { holdfast_curl_status($0, easy) } }

  // MARK: preparing

  private func prepare() -> Bool {
    var settings = holdfast_request()
    settings.body_length = source.map { Int64(clamping: $0.length) } ?? -1
    settings.headers = list
    settings.connect_milliseconds = request.limits.connectMilliseconds
    settings.stall_seconds = request.limits.stallSeconds
    settings.total_milliseconds = request.limits.totalMilliseconds
    settings.buffer_bytes = request.limits.bufferBytes
    settings.waits_for_connection = request.connection == .shared ? 1 : 0
    settings.new_connection = request.connection == .new ? 1 : 0
    settings.owner = Unmanaged.passUnretained(self).toOpaque()
    settings.on_body = { bytes, size, count, owner in transfer(owner).take(bytes, size * count) }
    settings.on_header = { _, size, count, owner in transfer(owner).skip(size * count) }
    settings.on_read = { buffer, size, count, owner in transfer(owner).fill(buffer, size * count) }
    settings.on_seek = { owner, offset, origin in transfer(owner).seek(offset, origin) }
    settings.on_progress = { owner, toGet, got, toSend, sent in transfer(owner).progress(toGet, got, toSend, sent) }
    settings.open_socket = { owner, _, address in transfer(owner).open(address) }
    return withStrings { url, protocols, method, certificates in
      (settings.url, settings.protocols, settings.method, settings.ca_file) = (url, protocols, method, certificates)
      return withLogin { user, password in
        (settings.user, settings.password) = (user, password)
        return withUnsafePointer(to: library.functions) { holdfast_curl_prepare($0, easy, &settings) == 1 }
      }
    }
  }

  private var isPlain: Bool { !request.url.hasPrefix("https://") }

  private func withStrings<Result>(
    _ body: (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafePointer<CChar>?) -> Result
  ) -> Result {
    request.url.withCString { url in
      (isPlain ? "http" : "https").withCString { protocols in
        request.method.withCString { method in
          guard let file = request.certificates else { return body(url, protocols, method, nil) }
          return file.withCString { body(url, protocols, method, $0) }
        }
      }
    }
  }

  /// Lends the password with a trailing zero byte. libcurl keeps its own copy until the end of the request.
  private func withLogin(_ body: (UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> Bool) -> Bool {
    guard let login = request.login else { return body(nil, nil) }
    guard
      let ended = try? SecretBytes(
        count: login.password.count + 1,
        filling: { (target) throws(Never) in
          login.password.withBytes { UnsafeMutableRawBufferPointer(rebasing: target[..<$0.count]).copyMemory(from: $0) }
        })
    else { return false }
    return login.user.withCString { user in
      ended.withBytes { password in body(user, password.baseAddress?.assumingMemoryBound(to: CChar.self)) }
    }
  }

  // MARK: called back

  /// Any number but `count` ends the transfer.
  private func take(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
    let piece = UnsafeRawBufferPointer(start: bytes, count: count)
    received += Int64(count)
    if let sink = request.sink, status == 200 {
      if !sink(piece) { error = error ?? .cancelled }
      return error == nil ? count : 0
    }
    guard kept.count + count <= request.limits.bodyBytes else {
      error = .responseTooLong
      return 0
    }
    kept += piece
    return count
  }

  private func skip(_ count: Int) -> Int {
    headerCount += count
    guard headerCount > request.limits.headerBytes else { return count }
    error = .responseTooLong
    return 0
  }

  private func fill(_ buffer: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
    guard let source else { return 0 }
    do throws(HTTPClientError) {
      return try source.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: count))
    } catch {
      self.error = error
      return Int(CURL_READFUNC_ABORT)
    }
  }

  /// Goes back to the start, when the server wants authentication first.
  private func seek(_ offset: curl_off_t, _ origin: Int32) -> Int32 {
    guard origin == SEEK_SET, let source, source.rewind(to: Int64(offset)) else { return Int32(CURL_SEEKFUNC_FAIL) }
    return Int32(CURL_SEEKFUNC_OK)
  }

  private func progress(_ toGet: curl_off_t, _ got: curl_off_t, _ toSend: curl_off_t, _ sent: curl_off_t) -> Int32 {
    if request.isCancelled() {
      error = .cancelled
      return 1
    }
    let isSending = source != nil
    request.progress(UInt64(clamping: isSending ? sent : got), UInt64(clamping: isSending ? toSend : toGet))
    return 0
  }

  /// Checks the very address that is connected to: `localhost` is whatever the resolver returns.
  private func open(_ address: UnsafeMutablePointer<curl_sockaddr>?) -> curl_socket_t {
    guard let address, mayOpen(address) else { return holdfast_curl_no_socket() }
    return socket(
      address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue), address.pointee.protocol)
  }

  private func mayOpen(_ address: UnsafeMutablePointer<curl_sockaddr>) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 16)
    let isKnown = holdfast_curl_address(address, &bytes) == 1
    if isPlain, !(isKnown && Self.isLoopback(bytes)) {
      error = .notLoopback
    } else if !(isKnown && request.mayConnect(bytes)) {
      error = .addressRefused
    } else {
      return true
    }
    return false
  }

  private static func isLoopback(_ address: [UInt8]) -> Bool {
    let zeros = [UInt8](repeating: 0, count: 10)
    return address == zeros + [0, 0, 0, 0, 0, 1] || address.starts(with: zeros + [0xff, 0xff, 127])
  }
}

/// The transfer that a callback belongs to.
private func transfer(_ owner: UnsafeMutableRawPointer?) -> HTTPTransfer {
  Unmanaged<HTTPTransfer>.fromOpaque(owner!).takeUnretainedValue()  // we set it, and it lives as long as its handle
}
