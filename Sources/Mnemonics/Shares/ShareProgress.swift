/// How far a collection of shares has come.
public struct ShareProgress: Sendable, Equatable {
  /// One group of which a share is there.
  public struct Group: Sendable, Equatable {
    /// The first is 1.
    public let number: Int
    /// How many members are needed.
    public let threshold: Int
    /// How many are there.
    public let have: Int
    /// Whether there are enough.
    public var isComplete: Bool { have >= threshold }
    /// How many more are needed.
    public var missing: Int { max(0, threshold - have) }
  }

  /// How many groups are needed.
  public let groupThreshold: Int
  /// How many the kit has.
  public let groupCount: Int
  /// Those of which a share is there.
  public let groups: [Group]

  /// Whether the secret can be put together.
  public var isComplete: Bool { missingGroups == 0 }
  /// How many more groups are needed, those that were begun included.
  public var missingGroups: Int { max(0, groupThreshold - groups.count { $0.isComplete }) }
}
