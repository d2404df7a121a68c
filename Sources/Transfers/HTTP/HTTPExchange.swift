internal import CCurl
import Platform
internal import SecretMemory

extension HTTPCall {
  /// Makes the call and waits for the end of the answer.
  ///
  /// Redirects are not followed, proxies and `.netrc` of the environment not used, certificates always checked.
  /// - Throws: when there was no whole answer. Any status is an answer.
  func perform() throws(TransferFault) -> HTTPAnswer {
    guard let library = CurlLibrary.shared else { throw .noLibrary }
    return try HTTPExchange(self, library).perform()
  }
}

/// One call under way. libcurl calls back on the same thread, from within `perform`.
private final class HTTPExchange {
  /// How long connecting may take, in milliseconds.
  static let connectMilliseconds = 15_000
  /// How long nothing may move, in seconds.
  static let stallSeconds = 60
  /// How long the whole may take, in milliseconds.
  static let totalMilliseconds = 6 * 3_600_000
  /// The most bytes of headers.
  static let maximumHeaders = 64 << 10

  private let call: HTTPCall
  private let library: CurlLibrary
  private let easy: UnsafeMutableRawPointer
  private var list: UnsafeMutablePointer<curl_slist>?
  private var fault: TransferFault?
  private var answer: [UInt8] = []
  private var headerCount = 0
  private var source: RequestBody?

  init(_ call: HTTPCall, _ library: CurlLibrary) throws(TransferFault) {
    guard let easy = library.functions.easy_init() else { throw .internalFault }
    (self.call, self.library, self.easy) = (call, library, easy)
    source = try RequestBody(call.body)
    // An empty header takes out one that libcurl would add.
    for header in call.headers + ["Expect:", "Accept:", "User-Agent: holdfast"] {
      guard let longer = library.functions.slist_append(list, header) else { throw .internalFault }
      list = longer
    }
  }

  deinit {
    library.functions.easy_cleanup(easy)
    library.functions.slist_free_all(list)
  }

  func perform() throws(TransferFault) -> HTTPAnswer {
    guard prepare() else { throw .internalFault }
    let result = library.functions.easy_perform(easy)
    guard result == CURLE_OK else { throw fault ?? Self.fault(result) }
    return HTTPAnswer(status: status, body: answer)
  }

  private var status: Int { withUnsafePointer(to: library.functions) { holdfast_curl_status($0, easy) } }

  private func prepare() -> Bool {
    var settings = holdfast_call()
    settings.body_length = source.map { Int64(clamping: $0.length) } ?? -1
    settings.headers = list
    settings.connect_milliseconds = Self.connectMilliseconds
    settings.stall_seconds = Self.stallSeconds
    settings.total_milliseconds = Self.totalMilliseconds
    settings.owner = Unmanaged.passUnretained(self).toOpaque()
    settings.on_body = { bytes, size, count, owner in exchange(owner).take(bytes, size * count) }
    settings.on_header = { _, size, count, owner in exchange(owner).skip(size * count) }
    settings.on_read = { buffer, size, count, owner in exchange(owner).fill(buffer, size * count) }
    settings.on_seek = { owner, offset, origin in exchange(owner).seek(offset, origin) }
    settings.on_progress = { owner, toGet, got, toSend, sent in exchange(owner).progress(toGet, got, toSend, sent) }
    settings.open_socket = { owner, _, address in exchange(owner).open(address) }
    return withStrings { url, protocols, method, certificates in
      (settings.url, settings.protocols, settings.method, settings.ca_file) = (url, protocols, method, certificates)
      return withLogin { user, password in
        (settings.user, settings.password) = (user, password)
        return withUnsafePointer(to: library.functions) { holdfast_curl_prepare_call($0, easy, &settings) == 1 }
      }
    }
  }

  private var isPlain: Bool { !call.url.hasPrefix("https://") }

  private func withStrings<Result>(
    _ body: (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafePointer<CChar>?) -> Result
  ) -> Result {
    call.url.withCString { url in
      (isPlain ? "http" : "https").withCString { protocols in
        call.method.withCString { method in
          guard let file = call.certificates else { return body(url, protocols, method, nil) }
          return file.withCString { body(url, protocols, method, $0) }
        }
      }
    }
  }

  /// Lends the password with a zero byte behind it. libcurl keeps a copy of its own until the end of the call.
  private func withLogin(_ body: (UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> Bool) -> Bool {
    guard let login = call.login else { return body(nil, nil) }
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

  private func take(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
    let piece = UnsafeRawBufferPointer(start: bytes, count: count)
    if let sink = call.sink, status == 200 {
      if !sink(piece) { fault = fault ?? .cancelled }
      return fault == nil ? count : 0
    }
    guard answer.count + count <= call.maximumAnswer else {
      fault = .answerTooLong
      return 0
    }
    answer += piece
    return count
  }

  private func skip(_ count: Int) -> Int {
    headerCount += count
    guard headerCount > Self.maximumHeaders else { return count }
    fault = .answerTooLong
    return 0
  }

  private func fill(_ buffer: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
    guard let source else { return 0 }
    do { return try source.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: count)) } catch {
      fault = error
      return Int(CURL_READFUNC_ABORT)
    }
  }

  /// Back to the start, when the server wanted to be told who asks first.
  private func seek(_ offset: curl_off_t, _ origin: Int32) -> Int32 {
    guard origin == SEEK_SET, let source, source.rewind(to: Int64(offset)) else { return Int32(CURL_SEEKFUNC_FAIL) }
    return Int32(CURL_SEEKFUNC_OK)
  }

  private func progress(_ toGet: curl_off_t, _ got: curl_off_t, _ toSend: curl_off_t, _ sent: curl_off_t) -> Int32 {
    if call.control.isCancelled() {
      fault = .cancelled
      return 1
    }
    let isSending = source != nil
    call.control.progress(UInt64(clamping: isSending ? sent : got), UInt64(clamping: isSending ? toSend : toGet))
    return 0
  }

  /// Looks at the very address that is connected to: `localhost` is whatever the resolver says.
  private func open(_ address: UnsafeMutablePointer<curl_sockaddr>?) -> curl_socket_t {
    guard let address, !isPlain || Self.isLoopback(address) else {
      fault = .notLoopback
      return holdfast_curl_no_socket()
    }
    return socket(
      address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue), address.pointee.protocol)
  }

  private static func isLoopback(_ address: UnsafeMutablePointer<curl_sockaddr>) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 16)
    guard holdfast_curl_address(address, &bytes) == 1 else { return false }
    let zeros = [UInt8](repeating: 0, count: 10)
    return bytes == zeros + [0, 0, 0, 0, 0, 1] || bytes.starts(with: zeros + [0xff, 0xff, 127])
  }

  private static func fault(_ result: CURLcode) -> TransferFault {
    switch result {
    case CURLE_COULDNT_RESOLVE_HOST: .unresolved
    case CURLE_COULDNT_CONNECT: .unreachable
    case CURLE_OPERATION_TIMEDOUT: .timedOut
    case CURLE_SSL_CONNECT_ERROR: .noTLS
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR: .notTrusted
    case CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT, CURLE_URL_MALFORMAT: .internalFault
    default: .broken
    }
  }
}

/// The exchange that a callback belongs to.
private func exchange(_ owner: UnsafeMutableRawPointer?) -> HTTPExchange {
  Unmanaged<HTTPExchange>.fromOpaque(owner!).takeUnretainedValue()  // we gave it, and it lives as long as its handle
}
