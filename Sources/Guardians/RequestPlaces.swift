import Encodings
import EntrustedShares

/// Decides which requests for a share get a place when more come than a person can look at.
///
/// Each standing has places of its own. Strangers, whose keys cost nothing, push out only strangers, neither requests with the
/// kit's code nor those of the owner's own key. Of these places each sender has one, and the newest requests have the others, so
/// that a person who is on the phone now is seen now. An allowed request takes no place and cannot lose one.
enum RequestPlaces {
  /// The places of each standing, for one kit of one owner.
  static let ofEach = 4

  /// - Parameter open: requests for shares of the same kit and owner.
  /// - Returns: the requests that make room for `new`. Nil if it gets no place.
  static func displaced(by new: ShareRequest, among open: [ShareRequest]) -> [ShareRequest]? {
    let rivals = open.filter { $0.standing == new.standing && $0.state == .waiting }
    if let own = rivals.first(where: { $0.other == new.other }) { return isNewer(new, own) ? [own] : nil }
    guard rivals.count >= ofEach, let oldest = rivals.min(by: { isNewer($1, $0) }) else { return [] }
    return isNewer(new, oldest) ? [oldest] : nil
  }

  /// Compares the times in the requests, so that the order in which relays send them again makes no difference.
  private static func isNewer(_ one: ShareRequest, _ other: ShareRequest) -> Bool {
    (one.sent, one.request.hex) > (other.sent, other.request.hex)
  }
}
