public import SecretMemory

/// One header line.
public struct HTTPHeader: Equatable, Sendable {
  /// Lower case, without the colon.
  public let name: String
  /// The value, without line ends.
  public let value: String

  /// A header; see `HTTPResponse` for what may be sent.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// One HTTP request as the server read it. All of it is untrusted input.
public struct HTTPRequest: Sendable {
  /// Upper case: GET, POST, OPTIONS, PUT, PATCH, DELETE, HEAD.
  public let method: String
  /// Begins with `/`; percent-decoded, `.` and `..` resolved by libwebsockets.
  public let path: String
  /// The `name=value` parts after the `?`, each percent-decoded.
  public let query: [String]
  /// The headers that libwebsockets knows and those that the listener asked for. libwebsockets joins repeated ones.
  public let headers: [HTTPHeader]
  /// At most as long as the listener's limit. Empty if there was none.
  public let body: [UInt8]
  /// The peer of the connection.
  public let peer: Peer
  /// The party that the request counts for. Behind one of the owner's proxies this is the client, not the proxy.
  public internal(set) var holder = Holder.unknown
  /// Who waits for the answer. Nil for a request that no server has handed over.
  public internal(set) var waiter: Waiter?

  /// The value of a header; the name in lower case.
  public func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

  /// The value of a query part, or nil. If the name is repeated, the first one counts.
  public func query(_ name: String) -> String? {
    for part in query {
      let pieces = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if let key = pieces.first, key == name { return pieces.count > 1 ? String(pieces[1]) : "" }
    }
    return nil
  }

  func with(body: [UInt8]) -> HTTPRequest {
    HTTPRequest(method: method, path: path, query: query, headers: headers, body: body, peer: peer, holder: holder)
  }
}

/// An HTTP response. `content-length` and `connection` are added. A header that contains a line end or NUL is left out.
public struct HTTPResponse: Sendable {
  /// 200 to 599.
  public var status: Int
  /// The names are lower case.
  public var headers: [HTTPHeader]
  /// Any size. It is sent as fast as the peer reads.
  public var body: HTTPBody
  /// Whether the response goes to the signed-in owner. Such a connection is kept when connections run short.
  public var isForOwner = false

  /// A response with any body.
  public init(status: Int, headers: [HTTPHeader] = [], body: [UInt8] = []) {
    self.init(status: status, headers: headers, body: .open(body))
  }

  /// A response with any body.
  public init(status: Int, headers: [HTTPHeader] = [], body: HTTPBody) {
    (self.status, self.headers, self.body) = (status, headers, body)
  }

  /// A response with one line of plain text.
  public init(status: Int, text: String) {
    self.init(status: status, headers: [HTTPHeader("content-type", "text/plain; charset=utf-8")], body: Array((text + "\n").utf8))
  }

  /// A response with JSON that is already encoded.
  public init(status: Int = 200, json: [UInt8]) {
    self.init(status: status, headers: [HTTPHeader("content-type", "application/json")], body: json)
  }

  /// A response with encoded JSON that contains secrets.
  public init(status: Int = 200, secretJSON json: SecretBox) {
    self.init(status: status, headers: [HTTPHeader("content-type", "application/json")], body: .secret(json))
  }
}
