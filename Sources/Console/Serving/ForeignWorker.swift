import Platform
public import Sockets

/// Service workers that are not the console's.
///
/// While the signer is stopped, another program can have its port and leave a worker in the owner's browser. The worker stays, and answers in
/// the signer's place once that is back. The browser asks for its script again, under the path that the program chose, when it looks for a newer
/// one. It looks in its own store first, which signing in empties (`CallReply.clearing`).
extension Console {
  static let workerHeader = "service-worker"
  private static let ownWorker = "/sw.js"
  /// The script that takes the place of another worker, and ends it.
  private static let removal = "/no-worker.js"

  /// Whether a browser asks for the script of a worker that is not the console's. A page cannot set this header.
  public static func isForeignWorker(_ request: HTTPRequest) -> Bool {
    request.header(workerHeader) == "script" && request.path != ownWorker
  }

  /// Removes the worker and reports it. The session of the browser ends, since the worker could use it. Other sessions go on: any program that
  /// reaches the console can send this header, but only this browser the cookie.
  func removeWorker(_ request: HTTPRequest, at origin: ConsoleOrigin) -> HTTPResponse {
    let now = hooks.now()
    if let token = SessionCookie(origin: origin).token(in: request),
      let session = state.withLock({ $0.sessions.use(token, now: now) })
    {
      end(session.id, .foreignWorker)
    }
    hooks.record(.foreignWorker)
    return page(Self.removal, request)
  }
}

extension CallReply {
  /// Has the browser forget the files that it stored for this address: another program may have put them there.
  static let clearing = HTTPHeader("clear-site-data", "\"cache\"")
}
