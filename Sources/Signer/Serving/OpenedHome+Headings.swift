import RemoteSigning
import RequestPreview

/// What requests are called in the log: the same as wherever the owner reads of them.
extension OpenedHome {
  /// The exchange with its heading, before anything is signed: afterwards the last event signed here is the new one.
  func withHeading(_ exchange: Exchange) -> Exchange {
    guard let method = exchange.method, let identity = exchange.identity else { return exchange }
    var exchange = exchange
    exchange.heading = RequestHeading(
      method, parameters(of: exchange), exchange.template, identity: identity, receivedAt: exchange.createdAt
    ) { latest($0, of: identity) }
    return exchange
  }

  private func parameters(of exchange: Exchange) -> [[UInt8]] {
    switch exchange.action {
    case .wait(let request), .waitStill(let request): request.parameters
    default: exchange.parameters
    }
  }
}
