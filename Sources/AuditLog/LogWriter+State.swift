import Platform

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

  /// Whoever appends entries says how many more may come soon.
  struct MoreComing: Sendable { let count: @Sendable () -> Int }

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
    /// What the thread calls before the last head.
    var lastly: (@Sendable (LogPosition?) -> Void)?
    /// The thread takes nothing more.
    var isLeaving = false
    /// The thread has nothing to do.
    var isResting = false
    /// It rests, and will soon sync what was written unsynced.
    var isWatching = false
    /// The time to sync came while the writing was lent.
    var isOverdue = false
    /// The thread that writes the entries in the place of the log's own (`beginRound`).
    var borrower: SystemThread?
    /// How long the last sync took, in nanoseconds. A first one is taken for slow.
    var lastSync = UInt64.max
    /// When it ended (`Clock.monotonicNanoseconds`).
    var lastSyncEnd: UInt64 = 0
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
    /// Says how many further entries may come soon. Nil when nobody knows.
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

    /// Whether the waiting entries need not wait for others before they are written. They are when as many wait as may still come: so the
    /// disk syncs one half while the processor works on the other.
    var isGatheringOver: Bool {
      hasGathered || isClosing || isHeadWanted || dropping != nil || !followUps.isEmpty || waiting.count >= Self.enoughGathered
        || waiting.count >= moreComing?.count() ?? 0
    }

    /// What waits, or nil when there is nothing, or when another thread does it.
    /// - Parameter isWatching: whether the thread knows that something is to be synced soon.
    mutating func takeStep(isWatching: Bool) -> Step? {
      guard borrower == nil else { return nil }
      if isOverdue {
        isOverdue = false
        return .rest
      }
      if !followUps.isEmpty {
        defer { followUps = [] }
        return .follow(followUps)
      }
      // In turns: neither does a flood of entries hold up what the owner wants, nor does that hold up entries.
      if waiting.isEmpty || !wasUpkeepLast, let upkeep = takeUpkeep() {
        wasUpkeepLast = true
        return upkeep
      }
      wasUpkeepLast = false
      guard !waiting.isEmpty else {
        if isClosing {
          isLeaving = true
          return .end
        }
        return isUnsynced && !isWatching ? .wait : nil  // a note came: from now on there is an end to the waiting
      }
      if !isGatheringOver { return .gather }
      hasGathered = false
      return .batch(takeBatch())
    }

    /// What to do when the time to sync has come. Not while the writing is lent: the disk reports a failed write once, to the first that
    /// asks, and that must be who waits for it.
    mutating func restWhenOver() -> Step {
      guard borrower == nil else {
        isOverdue = true
        return .wait
      }
      (isResting, isWatching) = (false, false)
      return .rest
    }

    /// Keeps how long a sync took that ends now. `.max` for one that failed.
    mutating func noteSync(took nanoseconds: UInt64) { (lastSync, lastSyncEnd) = (nanoseconds, Clock.monotonicNanoseconds) }

    var hasNoWork: Bool { !isOverdue && waiting.isEmpty && followUps.isEmpty && dropping == nil && !isHeadWanted && !isClosing }

    /// The entries of the next write.
    mutating func takeBatch() -> [Waiting] {
      let batch = Array(waiting.prefix(AuditLog.maximumBatch))
      waiting.removeFirst(batch.count)
      return batch
    }

    /// The next piece of work that is not an entry: to drop old content, or to write the head.
    private mutating func takeUpkeep() -> Step? {
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
