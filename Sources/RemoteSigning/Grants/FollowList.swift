public import Curve

/// Whom a follow list (kind 3) names, each once, in order.
public struct FollowList: Hashable, Sendable {
  /// The keys, rising.
  public let keys: [PublicKey]
  /// The number of follows of which a share is computed. It is at most the number at the beginning of the day. Otherwise an app
  /// could first add many follows, to hide that it drops many.
  let measure: Int

  /// The keys of an event's `p` tags; those that are no key are left out, and those not in lower case: clients find nobody by them.
  public init(tags: [[String]]) {
    var keys: [PublicKey] = []
    for tag in tags where tag.count > 1 && tag[0] == "p" {
      if let key = PublicKey(hex: tag[1]), key.hex == tag[1] { keys.append(key) }
    }
    self.init(keys: keys)
  }

  /// The keys given, in any order.
  public init(keys: [PublicKey]) { self.init(keys: keys, measure: nil) }

  init(keys: [PublicKey], measure: Int?) {
    var sorted: [PublicKey] = []
    for key in keys.sorted() where key != sorted.last { sorted.append(key) }
    self.keys = sorted
    self.measure = measure ?? sorted.count
  }

  /// The keys that are in this list and not in the other.
  public func missing(in other: FollowList) -> [PublicKey] {
    var missing: [PublicKey] = []
    var index = 0
    for key in keys {
      while index < other.keys.count, other.keys[index] < key { index += 1 }
      if index >= other.keys.count || other.keys[index] != key { missing.append(key) }
    }
    return missing
  }
}

/// What a new follow list would change, in numbers.
public enum FollowChange: Hashable, Sendable {
  /// No earlier list is known here.
  case unknown
  /// How many were followed, how many of them would be dropped, and how many the new list has.
  case change(before: Int, dropped: Int, left: Int)

  /// From the list that counts as the earlier one to a new one.
  public init(from earlier: FollowList?, to new: FollowList) {
    guard let earlier else {
      self = .unknown
      return
    }
    self = .change(before: earlier.measure, dropped: earlier.missing(in: new).count, left: new.keys.count)
  }

  /// Whether more would be dropped than goes without asking.
  func drops(more share: Int) -> Bool {
    guard case .change(let before, let dropped, let left) = self, dropped > 0 else { return false }
    if left == 0 { return true }
    return dropped > PolicySettings.smallDrop && dropped * 100 > before * share  // bounded by the tags of one event
  }
}
