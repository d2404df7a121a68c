/// The owner's settings for all apps.
public struct PolicySettings: Hashable, Sendable {
  /// The trust of a new pairing when nothing is said.
  public var defaultTrust: TrustLevel
  /// A follow list that drops a larger share of the follows is asked, in percent, 0 to 100.
  public var followShare: Int
  /// So many follows may always be dropped without asking, if some are left. In a short list each one is a large share.
  public static let smallDrop = 2

  /// The usual settings unless told otherwise.
  public init(defaultTrust: TrustLevel = .medium, followShare: Int = 10) {
    (self.defaultTrust, self.followShare) = (defaultTrust, min(100, max(0, followShare)))
  }
}
