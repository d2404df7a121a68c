import Nostr
import OwnerAPI
import RemoteSigning
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
    let event = try request.event.map(Self.event)
    guard let relay = try? WebSocketURL(parsing: request.relay),
      home.engine.knows(relay, for: event.flatMap { SigningEngine.recipient(of: $0) })
    else { return .init(isTaken: false) }
    if let event { running.take(event, from: relay) } else { running.listenAnew(at: relay) }
    return .init(isTaken: true)
  }

  private static func event(_ text: String) throws(OperationError) -> Event {
    do { return try Event(parsing: Array(text.utf8)) } catch { throw .malformedEvent }
  }
}

extension OperationError {
  static let malformedEvent = usage(
    "The event is not one of Nostr's, as NIP-01 writes them.", hint: "Give it as the push had it.")
}
