import Encodings
import EntrustedShares

/// Who finds a place when a share is asked for more often than a person can look at.
///
/// Each standing has places of its own: strangers, who cost nothing, push out strangers only, and neither who shows the kit's code nor the
/// owner's own key. A sender has one place of them, the newest requests have the rest: who stands on the telephone now is seen now. What the
/// person said yes to takes no place and loses none.
enum RequestPlaces {
  /// For one kit of one owner.
  static let ofEach = 4

  /// - Parameter open: requests for shares of the same kit and owner.
  /// - Returns: what makes room for `new`; nil when it finds no place.
  static func displaced(by new: ShareRequest, among open: [ShareRequest]) -> [ShareRequest]? {
    let rivals = open.filter { $0.standing == new.standing && $0.state == .waiting }
    if let own = rivals.first(where: { $0.other == new.other }) { return isNewer(new, own) ? [own] : nil }
    guard rivals.count >= ofEach, let oldest = rivals.min(by: { isNewer($1, $0) }) else { return [] }
    return isNewer(new, oldest) ? [oldest] : nil
  }

  /// By what they say, so that the order in which a relay sends them again makes no difference.
  private static func isNewer(_ one: ShareRequest, _ other: ShareRequest) -> Bool {
    (one.sent, one.request.hex) > (other.sent, other.request.hex)
  }
}
