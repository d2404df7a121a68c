import Curve
import Encodings
import JSON
import Platform
import RemoteSigning
import Signer
import SigningLinks
package import Sockets

/// `GET /app/sign` and `GET /app/pubkey`: links that a browser opens. The answer is a redirect to the link's callback, once it is there.
/// Whether the visitor may ask was checked before.
package struct LinkEndpoint: Sendable {
  private let desk: AppDesk
  private let workers: Workers

  package init(_ apps: AppService) { (desk, workers) = (apps.desk, apps.workers) }

  /// Answers a request. That may take as long as the owner does, up to the limit of the connection. If the connection ends first, the
  /// request is dropped.
  /// - Parameter query: the parts of the query that belong to the link, decoded: `cb=https://…`.
  package func answer(_ visit: HTTPRequest, query: [String], _ respond: @escaping @Sendable (HTTPResponse) -> Void) {
    let link: SigningLink
    do throws(LinkFault) { link = try SigningLink(endpoint: visit.path, query: query) } catch {
      return respond(HTTPResponse(status: 400, text: error.message))
    }
    let finish = { @Sendable (answer: Result<LinkAnswer, LinkFault>) in respond(Self.redirect(link, answer)) }
    guard case .success(let request) = link.request else { return finish(link.request.map { _ in .text("") }) }
    let isQueued = workers.submit { ask(request, link, visit.waiter, finish) }
    if !isQueued { finish(.failure(LinkFault(.rateLimited, "The signer is too busy; ask again in a moment."))) }
  }

  private func ask(
    _ request: LinkRequest, _ link: SigningLink, _ waiter: Waiter?,
    _ finish: @escaping @Sendable (Result<LinkAnswer, LinkFault>) -> Void
  ) {
    do throws(AppFault) {
      guard let caller = CallingLink(user: geteuid(), callback: link.callback.place) else {
        throw AppFault(.invalid, "The callback has no origin.")
      }
      let (method, parameters) = request.call
      let call = try AppRequest(method, parameters)
      let id = Bytes32.fresh()
      _ = try desk.ask(call, id, by: .link(caller)) { outcome in finish(Self.result(outcome, request)) }
      waiter?.whenGone { [desk, workers] in workers.submitAlways { desk.withdraw([id]) } }
    } catch {
      finish(.failure(LinkFault(error.code, error.message)))
    }
  }

  private static func result(_ outcome: AppOutcome, _ request: LinkRequest) -> Result<LinkAnswer, LinkFault> {
    switch outcome {
    case .success(let result): request.answer(result).map { .success($0) } ?? .failure(unreadable)
    case .failure(let fault): .failure(LinkFault(fault.code, fault.message))
    }
  }

  private static let unreadable = LinkFault(.expired, "The signer gave no answer; ask again.")

  private static func redirect(_ link: SigningLink, _ answer: Result<LinkAnswer, LinkFault>) -> HTTPResponse {
    guard let address = link.answered(answer) else { return HTTPResponse(status: 400, text: "This link has no answer.") }
    return HTTPResponse(
      status: 303,
      headers: [
        HTTPHeader("location", address), HTTPHeader("cache-control", "no-store"), HTTPHeader("referrer-policy", "no-referrer"),
      ])
  }
}
