import Nostr
import OwnerAPI
import Signer
import Sockets

/// `request/hand-over`
extension Operations {
  static let handOverHandlers: [OperationHandler] = [
    .init(RequestHandOver.self) { operations, request, _ in try operations.handOver(request) }
  ]

  /// The event is a stranger's: it takes the path of all requests, which checks it. So is the relay, and a relay that nobody paired with is
  /// neither asked nor answered.
  private func handOver(_ request: RequestHandOver.Request) throws -> RequestHandOver.Response {
    guard let running else { throw OperationError.needsDaemon }
    guard let relay = try? WebSocketURL(parsing: request.relay), home.engine.knows(relay) else { return .init(isTaken: false) }
    guard let text = request.event else {
      running.listenAnew()
      return .init(isTaken: true)
    }
    guard let event = try? Event(parsing: Array(text.utf8)) else { throw OperationError.malformedEvent }
    running.take(event, from: relay)
    return .init(isTaken: true)
  }
}

extension OperationError {
  static let malformedEvent = usage(
    "The event is not one of Nostr's, as NIP-01 writes them.", hint: "Give it as the push had it.")
}
