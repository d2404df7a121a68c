package import SecretMemory

/// One request to a server: what is asked, where it may go, and what may come back.
///
/// Redirects are never followed, proxies and `.netrc` of the environment never used, certificates always checked. Plain `http`
/// reaches this machine only.
package struct HTTPRequest {
  /// Bytes that are sent.
  package enum Body {
    case none
    case bytes([UInt8])
    /// A file, read while it is sent. `length` is in bytes.
    case file(path: String, length: UInt64)
  }

  /// Name and password, sent as Basic or Digest, whichever the server wants.
  package struct Login: Sendable {
    let user: String
    let password: SecretBox

    /// - Parameter password: stays in guarded memory; libcurl copies it for the length of the request.
    package init(user: String, password: SecretBox) { (self.user, self.password) = (user, password) }
  }

  /// `GET`, `PUT` or any other.
  package var method: String
  /// Scheme, host, port, path and query, percent-encoded. User names in it are refused.
  package var url: String
  /// Lines such as `Depth: 1`. `Accept` and `Expect` are sent only when they stand here, `User-Agent` too.
  package var headers: [String]
  package var body = Body.none
  package var login: Login?
  /// A file of certificates (PEM) to trust instead of the system's.
  package var certificates: String?
  package var limits = HTTPLimits()
  /// Takes the body of a response with status 200 instead of keeping it. False ends the request.
  package var sink: ((UnsafeRawBufferPointer) -> Bool)?
  /// Asked several times a second whether to end the request, on the thread that transfers.
  package var isCancelled: @Sendable () -> Bool = { false }
  /// Hears how many bytes of how many went: of the body if there is one, else of the response.
  package var progress: @Sendable (_ done: UInt64, _ of: UInt64) -> Void = { _, _ in }
  /// Whether an address (16 bytes, IPv4 as `::ffff:a.b.c.d`) may be connected to. Asked about the very address that is used: a name
  /// may have had another one a moment ago (DNS rebinding).
  package var mayConnect: @Sendable (_ address: [UInt8]) -> Bool = { _ in true }

  /// A request without a body.
  package init(_ method: String, _ url: String, headers: [String] = []) {
    (self.method, self.url, self.headers) = (method, url, headers)
  }

  /// Sends the request and waits for the end of the response.
  /// - Throws: when there was no whole response. Any status is one.
  package func perform() throws(HTTPClientError) -> HTTPResponse {
    guard let library = CurlLibrary.shared else { throw .noLibrary }
    return try HTTPTransfer(self, library).perform()
  }
}

/// What a server answered.
package struct HTTPResponse: Sendable {
  package let status: Int
  /// Empty where a sink took it.
  package let body: [UInt8]
  /// The header `Retry-After` in seconds, whichever of its two forms it has; 0 without one.
  package let retryAfter: Int64
}

/// How much time and memory one request may take.
package struct HTTPLimits: Sendable {
  /// How long connecting may take, in milliseconds.
  package var connectMilliseconds = 15_000
  /// How long nothing may move, in seconds; 0 for no such limit.
  package var stallSeconds = 60
  /// How long the whole may take, in milliseconds: a response that drips is cut off then.
  package var totalMilliseconds = 6 * 3_600_000
  /// The most bytes of headers.
  package var headerBytes = 64 << 10
  /// The longest body that is kept, in bytes: listings of some thousand files.
  package var bodyBytes = 1 << 20
  /// How many bytes are read from the network at once.
  package var bufferBytes = 64 << 10

  /// Those for files of any length.
  package init() {}
}
