import Curve
import Nostr

/// The checks that cost nothing, before anything is spent on an event from a relay.
enum RequestScreen {
  /// The age in seconds beyond which signers refuse a request.
  static let oldest: Int64 = 300
  /// How far in seconds a request may be dated ahead.
  static let farthestAhead: Int64 = 60
  /// The longest event, in bytes of tags and content.
  static let longestEvent = 256 << 10
  /// The most tags. A request needs one.
  static let mostTags = 16

  /// Finds whom the event is for.
  /// - Parameters:
  ///   - isWatched: whether requests to this key are looked for where the event came from.
  ///   - now: seconds since 1970.
  /// - Throws: why the event wakes nobody.
  static func signer(of event: Event, now: Int64, isWatched: (PublicKey) -> Bool) throws(WatchRefusal) -> PublicKey {
    guard event.kind == EventKind.remoteSigning else { throw .otherKind }
    guard event.tags.count <= mostTags, isShort(event) else { throw .tooLong }
    guard event.createdAt >= now - oldest else { throw .tooOld }
    guard event.createdAt <= now + farthestAhead else { throw .datedAhead }
    // One event wakes one signer, whatever else it names.
    for value in event.tagValues("p") { if let key = PublicKey(hex: value), isWatched(key) { return key } }
    throw .unknownKey
  }

  private static func isShort(_ event: Event) -> Bool {
    var length = event.content.utf8.count
    for tag in event.tags { for item in tag where length <= longestEvent { length += item.utf8.count } }
    return length <= longestEvent
  }
}

/// Why an event from a relay woke nobody.
package enum WatchRefusal: String, Error, Sendable, Hashable, CaseIterable {
  /// It is not of kind 24133.
  case otherKind
  /// It names no key that is looked for at that relay.
  case unknownKey
  case tooLong
  case tooOld
  case datedAhead
  /// It woke its signer before, or another relay sent it.
  case seen
  /// The id or the signature is wrong.
  case forged
  /// The author, or all authors of that kind, woke the signer too often.
  case limited
  /// Too many events waited for their signatures to be checked.
  case overloaded
}
