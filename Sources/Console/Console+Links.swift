import JSON
import Platform
public import Sockets

/// Links that ask for a signature: `/app/sign` and `/app/pubkey`.
extension Console {
  /// Whether the answer is for the console to say who may ask.
  public static func isSigningLink(_ request: HTTPRequest) -> Bool {
    request.path.hasPrefix("/app/") && !isForeignWorker(request)
  }

  /// Says whether this visitor may ask. Whoever gets the answer is in the link, but whoever opens it could read the answer, too: so it must
  /// be the owner. That is a browser or program of the signer's own user on this machine, as the kernel says, or one that is signed in.
  /// - Returns: nil if it may; else what to answer.
  public func refusal(ofLink request: HTTPRequest) -> HTTPResponse? {
    do throws(OriginCheck.Refusal) {
      let origin = try originCheck.origin(of: request)
      guard request.method == "GET" else { return HTTPResponse(status: 405, text: "Only GET is allowed here.") }
      guard Self.isOpened(request) else {
        return HTTPResponse(status: 403, text: "Only a page that a person opens may ask here: no image, frame or script.")
      }
      return request.isOfOwnersProcess(at: origin) || hasTicket(Call(request, origin)) ? nil : ticketPage(origin)
    } catch {
      return CallReply(error).response(isSecure: false)
    }
  }

  /// The parameter with the ticket that a page of ours got.
  public static var ticket: String { "holdfast-ticket" }

  /// A ticket for a page of ours, which has shown its CSRF token.
  func linkTicket(for session: ConsoleSession) -> CallReply {
    let now = hooks.now()
    return .done(["ticket": .string(state.withLock { $0.linkTickets.make(for: session.id, now: now) })])
  }

  /// Browsers say how a request came about; other programs say nothing. A page that is only fetched in advance was not opened.
  private static func isOpened(_ request: HTTPRequest) -> Bool {
    request.header("sec-fetch-mode") ?? "navigate" == "navigate" && request.header("sec-fetch-dest") ?? "document" == "document"
      && request.header("sec-purpose") == nil
  }

  private func hasTicket(_ call: Call) -> Bool {
    let now = hooks.now()
    guard let token = call.token, let ticket = call.linkTicket else { return false }
    return state.withLock { state in
      state.sessions.use(token, now: now).map { state.linkTickets.spend(ticket, by: $0.id, now: now) } ?? false
    }
  }

  /// The page that gets a ticket and comes again. Unlike the other pages it stays connected to the window that opened it
  /// (`window.opener`), because the site's callback page passes the answer to that window.
  private func ticketPage(_ origin: ConsoleOrigin) -> HTTPResponse {
    guard let file = ConsoleFiles.file(at: "/link.html") else { return HTTPResponse(status: 403, text: "Sign in first.") }
    let headers = SecurityHeaders.all(isSecure: origin.isSecure).filter { $0.name != "cross-origin-opener-policy" }
    return HTTPResponse(
      status: 403,
      headers: [HTTPHeader("content-type", file.contentType), HTTPHeader("cache-control", "no-store")] + headers, body: file.bytes
    )
  }
}
