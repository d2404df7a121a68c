public import SecretMemory

/// One header line. Names are lower case.
public struct HTTPHeader: Equatable, Sendable {
  /// Lower case, without the colon.
  public let name: String
  /// Without line ends.
  public let value: String

  /// A header; see `HTTPResponse` for what may be sent.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// One request as the server read it; all of it is a stranger's word.
public struct HTTPRequest: Sendable {
  /// Upper case: GET, POST, OPTIONS, PUT, PATCH, DELETE, HEAD.
  public let method: String
  /// Begins with `/`; percent-decoded, `.` and `..` resolved by libwebsockets.
  public let path: String
  /// `name=value` parts after the `?`, each percent-decoded.
  public let query: [String]
  /// The headers libwebsockets knows and those the listener was told to look for; repeated ones are joined by it.
  public let headers: [HTTPHeader]
  /// Within the listener's limit; empty if there was none.
  public let body: [UInt8]
  /// Who asks.
  public let peer: Peer
  /// With whom the asker is counted: behind proxies of the owner's not the proxy.
  public internal(set) var holder = Holder.unknown

  /// The value of a header; the name in lower case.
  public func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

  /// The value of a query part, or nil; the first one counts.
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

/// An answer. `content-length` and `connection` are added; a header with a line end or NUL in it is left out.
public struct HTTPResponse: Sendable {
  /// 200 to 599.
  public var status: Int
  /// Names in lower case.
  public var headers: [HTTPHeader]
  /// Of any size; sent as fast as the peer reads.
  public var body: HTTPBody
  /// Whether the signed-in owner is answered: the connection stays when room gets short.
  public var isForOwner = false

  /// An answer with any body.
  public init(status: Int, headers: [HTTPHeader] = [], body: [UInt8] = []) {
    self.init(status: status, headers: headers, body: .open(body))
  }

  /// An answer with any body.
  public init(status: Int, headers: [HTTPHeader] = [], body: HTTPBody) {
    (self.status, self.headers, self.body) = (status, headers, body)
  }

  /// An answer of one line of plain text.
  public init(status: Int, text: String) {
    self.init(status: status, headers: [HTTPHeader("content-type", "text/plain; charset=utf-8")], body: Array((text + "\n").utf8))
  }

  /// An answer in JSON, already written.
  public init(status: Int = 200, json: [UInt8]) {
    self.init(status: status, headers: [HTTPHeader("content-type", "application/json")], body: json)
  }

  /// An answer in JSON, already written, that holds secrets.
  public init(status: Int = 200, secretJSON json: SecretBox) {
    self.init(status: status, headers: [HTTPHeader("content-type", "application/json")], body: .secret(json))
  }
}
