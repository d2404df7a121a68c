import Curve
import RemoteSigning

extension OpenLink {
  /// A link with less time left, in seconds, is not shown again.
  private static let shortestUse: Int64 = 3600

  /// Whether a start can show this link again, for an app that is to get what is named here. One that was made for a named app is not shown
  /// to others.
  /// - Parameter now: seconds since 1970.
  func isGood(for identity: PublicKey, _ trust: TrustLevel, _ relays: [RelayURL], at now: Int64) -> Bool {
    self.identity == identity && self.trust == trust && self.relays == relays && name == nil
      && expiresAt > now + Self.shortestUse
  }
}
