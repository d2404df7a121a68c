/// How many shares there are and how many of them are needed: any `groupThreshold` of the groups, and in each of those any
/// `threshold` of its members.
public struct SharePlan: Sendable, Equatable {
  /// One group of shares.
  public struct Group: Sendable, Equatable {
    /// 1 to `count`.
    public let threshold: Int
    /// 1 to 16; 1 when the threshold is 1, since copies of one share are no shares.
    public let count: Int

    /// Not checked here: `SharePlan.init` does.
    public init(threshold: Int, count: Int) { (self.threshold, self.count) = (threshold, count) }
  }

  /// The most groups in a kit, and the most members in a group (SLIP-39).
  public static let most = 16

  /// 1 to the number of groups.
  public let groupThreshold: Int
  /// 1 to 16 groups.
  public let groups: [Group]

  /// - Throws: `.plan` with the first fault.
  public init(groupThreshold: Int, groups: [Group]) throws(ShareError) {
    guard (1...Self.most).contains(groups.count) else { throw .plan(.groupCount(groups.count)) }
    guard (1...groups.count).contains(groupThreshold) else { throw .plan(.groupThreshold(groupThreshold)) }
    for (index, group) in groups.enumerated() {
      guard (1...Self.most).contains(group.count) else { throw .plan(.memberCount(group: index + 1)) }
      guard (1...group.count).contains(group.threshold) else { throw .plan(.memberThreshold(group: index + 1)) }
      guard group.threshold > 1 || group.count == 1 else { throw .plan(.copies(group: index + 1)) }
    }
    (self.groupThreshold, self.groups) = (groupThreshold, groups)
  }

  /// One group: any `threshold` of `count` shares.
  /// - Throws: `.plan`.
  public init(threshold: Int, count: Int) throws(ShareError) {
    try self.init(groupThreshold: 1, groups: [Group(threshold: threshold, count: count)])
  }
}

/// What is wrong with a plan. Groups are counted from 1.
public enum SharePlanError: Error, Equatable, Sendable {
  /// Not 1 to 16 groups.
  case groupCount(Int)
  /// Not 1 to the number of groups.
  case groupThreshold(Int)
  /// Not 1 to 16 members.
  case memberCount(group: Int)
  /// Not 1 to the number of members.
  case memberThreshold(group: Int)
  /// One of several would do: then every share is the whole secret, and SLIP-39 forbids it.
  case copies(group: Int)
}
