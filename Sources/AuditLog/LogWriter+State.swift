/// The state shared by the appending threads and the syncing one.
extension LogWriter {
  struct Waiting: Sendable {
    let entry: AuditEntry
    /// Whether another entry may follow it.
    let isFollowed: Bool
    let answer: Answer
  }

  /// A wish to put a log without the content of some entries in the place of this one.
  struct Dropping: Sendable {
    let copy: LogCopy
    let answer: @Sendable (AuditLogError?) -> Void
  }

  /// Whoever appends entries says whether more of them will come soon.
  struct MoreComing: Sendable { let isLikely: @Sendable () -> Bool }

  enum Step { case gather, batch([Waiting]), follow([FollowUp]), drop(Dropping), writeHead, wait, rest, end }

  struct State {
    var waiting: [Waiting] = []
    /// The entries to write after those that are on the disk.
    var followUps: [FollowUp] = []
    var dropping: Dropping?
    var isHeadWanted = false
    /// Whether the last step wrote no entries.
    var wasUpkeepLast = false
    var isClosing = false
    /// The thread takes nothing more.
    var isLeaving = false
    var hasStopped = false
    var store: LogStore
    /// The end of the last visible entry. All before it are on the disk, or have no waiting caller.
    var position: LogPosition
    /// The position of the head on the disk.
    var head: LogPosition?
    /// How often a head was written, or could not be.
    var headAttempts = 0
    /// Whether the last one could not be.
    var isHeadFailing = false
    var syncs = 0
    /// Says whether further entries will come soon. Nil when nobody knows.
    var moreComing: MoreComing?
    /// The thread waits for further entries. They do not wake it.
    var isGathering = false
    /// The entries that wait have waited for others already, or must not.
    var hasGathered = false
    var isUnsynced = false
    /// The latest state of the vault that is in the log, or is known from elsewhere to have been.
    var vault: VaultMark?
    /// Entries up to this one were looked at for it; nil for all.
    var looked: UInt64?
    var quiet: QuietPart
    /// Whether the vault is the one the log knows.
    var followsVault = false

    /// How long entries wait for others that are likely to come soon, in milliseconds. A sync costs the processor as much as a signature.
    static let longestGathering = 2
    /// So many entries do not wait for others.
    static let enoughGathered = 32

    /// Whether the waiting entries need not wait for others before they are written.
    var isGatheringOver: Bool {
      hasGathered || isClosing || isHeadWanted || dropping != nil || !followUps.isEmpty || waiting.count >= Self.enoughGathered
        || !(moreComing?.isLikely() ?? false)
    }

    /// The next piece of work that is not an entry: to drop old content, or to write the head.
    mutating func takeUpkeep() -> Step? {
      if let dropping {
        self.dropping = nil
        return .drop(dropping)
      }
      guard isHeadWanted else { return nil }
      isHeadWanted = false
      return .writeHead
    }
  }
}
