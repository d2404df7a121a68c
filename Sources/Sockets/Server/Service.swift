/// What a listener does with those who come.
public struct Service: Sendable {
  /// Answers a request: `answer` is to be called once, from any thread, soon or within `SocketLimits.answerSeconds`.
  ///
  /// Runs on the loop thread. If the peer is gone by the time of the answer, nothing happens.
  public typealias HTTPHandler = @Sendable (_ request: HTTPRequest, _ answer: @escaping @Sendable (HTTPResponse) -> Void) -> Void

  /// Whether a WebSocket handshake is welcome.
  public enum Upgrade: Sendable {
    /// Yes: this handler hears the rest.
    case accept(any WebSocketHandler, WebSocketOptions)
    /// No: the answer instead (its body up to 4096 bytes).
    case refuse(HTTPResponse)
  }

  let http: HTTPHandler
  let upgrade: @Sendable (HTTPRequest) -> Upgrade

  /// - Parameters:
  ///   - http: answers plain requests.
  ///   - upgrade: decides on each WebSocket handshake, on the loop thread; check path, `host` and `origin` here.
  public init(
    http: @escaping HTTPHandler = { _, answer in answer(HTTPResponse(status: 404, text: "Nothing is here.")) },
    upgrade: @escaping @Sendable (HTTPRequest) -> Upgrade = { _ in .refuse(HTTPResponse(status: 404, text: "Nothing is here.")) }
  ) {
    self.http = http
    self.upgrade = upgrade
  }
}

/// A server's certificate chain and private key, both in PEM files.
public struct TLSFiles: Hashable, Sendable {
  /// The server's certificate first, then those that lead to its authority.
  public let certificatePath: String
  /// Not encrypted.
  public let privateKeyPath: String

  /// The two files; read when listening begins.
  public init(certificatePath: String, privateKeyPath: String) {
    self.certificatePath = certificatePath
    self.privateKeyPath = privateKeyPath
  }
}
