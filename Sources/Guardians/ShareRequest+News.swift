import EntrustedShares
import Signer

extension ShareRequest {
  /// Whether the owner must be told: it is new, open again, or allowed since.
  /// - Parameter before: the same request before the message; nil if it was unknown.
  func isNews(since before: ShareRequest?) -> Bool { isOpen && state != before?.state }
}

extension ShareAsked {
  init(_ request: ShareRequest) {
    self.init(
      name: request.name, kit: request.kit, isKeptHere: request.part != .owner, isAllowed: request.isAllowed)
  }
}
