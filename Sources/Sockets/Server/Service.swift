/// How a listener answers its clients.
public struct Service: Sendable {
  /// Answers a request. `answer` must be called once, from any thread, within `SocketLimits.answerSeconds`.
  ///
  /// Runs on the loop thread. If the peer has gone by then, nothing happens.
  public typealias HTTPHandler = @Sendable (_ request: HTTPRequest, _ answer: @escaping @Sendable (HTTPResponse) -> Void) -> Void

  /// The answer to a WebSocket handshake.
  public enum Upgrade: Sendable {
    /// Accepts it. This handler receives what follows.
    case accept(any WebSocketHandler, WebSocketOptions)
    /// Refuses it with this response, whose body is at most 4096 bytes.
    case refuse(HTTPResponse)
  }

  /// Takes an accepted connection that sends lines, and returns what receives them. Runs on the loop thread.
  public typealias LineAcceptor = @Sendable (_ connection: LineConnection) -> any LineHandler

  let http: HTTPHandler
  let upgrade: @Sendable (HTTPRequest) -> Upgrade
  let lines: (limits: LineLimits, accept: LineAcceptor)?

  /// - Parameters:
  ///   - http: answers plain requests.
  ///   - upgrade: decides on each WebSocket handshake, on the loop thread. Check the path, `host` and `origin` here.
  public init(
    http: @escaping HTTPHandler = { _, answer in answer(HTTPResponse(status: 404, text: "There is nothing here.")) },
    upgrade: @escaping @Sendable (HTTPRequest) -> Upgrade = { _ in
      .refuse(HTTPResponse(status: 404, text: "There is nothing here."))
    }
  ) {
    (self.http, self.upgrade, lines) = (http, upgrade, nil)
  }

  /// A service whose connections send lines of text in place of HTTP.
  public init(lines limits: LineLimits, accept: @escaping LineAcceptor) {
    (http, upgrade) = (
      { _, answer in answer(HTTPResponse(status: 404, text: "")) }, { _ in .refuse(HTTPResponse(status: 404, text: "")) }
    )
    lines = (limits, accept)
  }
}

/// A server's certificate chain and private key, both in PEM files.
public struct TLSFiles: Hashable, Sendable {
  /// The server's certificate first, then the intermediate ones.
  public let certificatePath: String
  /// The private key, not encrypted.
  public let privateKeyPath: String

  /// The two files. They are read when listening begins.
  public init(certificatePath: String, privateKeyPath: String) {
    self.certificatePath = certificatePath
    self.privateKeyPath = privateKeyPath
  }
}
