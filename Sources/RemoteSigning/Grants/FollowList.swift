public import Curve

/// Whom a follow list (kind 3) names, each once, in order.
public struct FollowList: Hashable, Sendable {
  /// The keys, rising.
  public let keys: [PublicKey]
  /// Those of whom a share is computed, rising: who was followed at the beginning of the day. Otherwise an app could first add many
  /// follows, to hide that it drops many.
  let counted: [PublicKey]

  /// The keys of an event's `p` tags; those that are no key are left out, and those not in lower case: clients find nobody by them.
  public init(tags: [[String]]) {
    var keys: [PublicKey] = []
    for tag in tags where tag.count > 1 && tag[0] == "p" {
      if let key = PublicKey(hex: tag[1]), key.hex == tag[1] { keys.append(key) }
    }
    self.init(keys: keys)
  }

  /// The keys given, in any order.
  public init(keys: [PublicKey]) { self.init(keys: keys, counted: nil) }

  /// - Parameter counted: rising; nil for all of them.
  init(keys: [PublicKey], counted: [PublicKey]?) {
    var sorted: [PublicKey] = []
    for key in keys.sorted() where key != sorted.last { sorted.append(key) }
    (self.keys, self.counted) = (sorted, counted ?? sorted)
  }

  /// The keys that are in this list and not in the other.
  public func missing(in other: FollowList) -> [PublicKey] { Self.missing(keys, in: other) }

  private static func missing(_ keys: [PublicKey], in other: FollowList) -> [PublicKey] {
    var missing: [PublicKey] = []
    var index = 0
    for key in keys {
      while index < other.keys.count, other.keys[index] < key { index += 1 }
      if index >= other.keys.count || other.keys[index] != key { missing.append(key) }
    }
    return missing
  }

  /// How many of those that count are in the other list, too.
  func kept(in other: FollowList) -> Int { counted.count - Self.missing(counted, in: other).count }
}

/// What a new follow list would change, in numbers.
public enum FollowChange: Hashable, Sendable {
  /// No earlier list is known here.
  case unknown
  /// How many were followed at the beginning of the day, how many of those and of the later ones would be dropped, and how many of the
  /// former would stay.
  case change(before: Int, dropped: Int, kept: Int)

  /// From the list that counts as the earlier one to a new one.
  public init(from earlier: FollowList?, to new: FollowList) {
    guard let earlier else {
      self = .unknown
      return
    }
    self = .change(before: earlier.counted.count, dropped: earlier.missing(in: new).count, kept: earlier.kept(in: new))
  }

  /// Whether more would be dropped than goes without asking and whether nobody would stay, however few there were.
  func drops(more share: Int) -> Bool {
    guard case .change(let before, let dropped, let kept) = self, dropped > 0 else { return false }
    if kept == 0, before > 0 { return true }
    return dropped > PolicySettings.smallDrop && dropped * 100 > before * share  // bounded by the tags of one event
  }
}
