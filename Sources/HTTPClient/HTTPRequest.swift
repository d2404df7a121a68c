package import SecretMemory

/// One request to a server: what to send, which addresses are allowed, and how much is accepted in return.
///
/// Redirects are never followed, the environment's proxies and `.netrc` are never used, and certificates are always checked.
/// Plain `http` is allowed to this machine only.
package struct HTTPRequest {
  /// The bytes to send.
  package enum Body {
    case none
    case bytes([UInt8])
    /// A file, read while it is sent. `length` is in bytes.
    case file(path: String, length: UInt64)
  }

  /// Name and password, sent as Basic or Digest, as the server requires.
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
  /// Lines such as `Depth: 1`. `Accept`, `Expect` and `User-Agent` are sent only when they are listed here.
  package var headers: [String]
  package var body = Body.none
  package var login: Login?
  /// A PEM file of certificates to trust instead of the system's.
  package var certificates: String?
  package var limits = HTTPLimits()
  /// Which connection of an `HTTPTransferGroup` is used.
  package var connection = HTTPConnectionChoice.any
  /// Receives the body of a response with status 200, which is then not stored. False ends the request.
  package var sink: ((UnsafeRawBufferPointer) -> Bool)?
  /// Asked several times a second, on the transfer's thread, whether to end the request.
  package var isCancelled: @Sendable () -> Bool = { false }
  /// Called with the bytes transferred so far and in all: of the request's body if there is one, else of the response.
  package var progress: @Sendable (_ done: UInt64, _ of: UInt64) -> Void = { _, _ in }
  /// Whether an address (16 bytes, IPv4 as `::ffff:a.b.c.d`) may be connected to. Asked about the very address that is used,
  /// because a name may have had another one a moment ago (DNS rebinding).
  package var mayConnect: @Sendable (_ address: [UInt8]) -> Bool = { _ in true }

  /// A request without a body.
  package init(_ method: String, _ url: String, headers: [String] = []) {
    (self.method, self.url, self.headers) = (method, url, headers)
  }

  /// Sends the request and waits for the end of the response.
  /// - Throws: when there was no complete response. The status does not matter.
  package func perform() throws(HTTPClientError) -> HTTPResponse {
    guard let library = CurlLibrary.shared else { throw .noLibrary }
    return try HTTPTransfer(self, library).perform()
  }
}

/// A server's response.
package struct HTTPResponse: Sendable {
  package let status: Int
  /// Empty if a sink received it.
  package let body: [UInt8]
  /// The `Retry-After` header in seconds, whichever of its two forms it has. 0 without one.
  package let retryAfter: Int64
  /// How many connections were opened for it. 0 when it used one that stood.
  package let connects: Int

  /// A response of its parts.
  init(status: Int, body: [UInt8], retryAfter: Int64, connects: Int = 0) {
    (self.status, self.body, self.retryAfter, self.connects) = (status, body, retryAfter, connects)
  }
}

/// Which connection a request uses, of those that its `HTTPTransferGroup` has open.
package enum HTTPConnectionChoice: Sendable {
  /// One that is free, else a new one.
  case any
  /// One that others use, too (HTTP/2), even if it is still being made.
  case shared
  /// A new one: those that stand may be dead.
  case new
}

/// How much time and memory one request may take.
package struct HTTPLimits: Sendable {
  /// How long connecting may take, in milliseconds.
  package var connectMilliseconds = 15_000
  /// How long no byte may move, in seconds; 0 for no limit.
  package var stallSeconds = 60
  /// How long the whole request may take, in milliseconds. It also ends a response that arrives drop by drop.
  package var totalMilliseconds = 6 * 3_600_000
  /// The most bytes of headers.
  package var headerBytes = 64 << 10
  /// The longest body that is stored, in bytes: enough for listings of some thousand files.
  package var bodyBytes = 1 << 20
  /// How many bytes are read from the network at once.
  package var bufferBytes = 64 << 10

  /// The limits for files of any length.
  package init() {}
}
