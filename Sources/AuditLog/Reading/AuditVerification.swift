public import Encodings
import Platform
import SecretMemory

/// What a check of the whole log found.
public struct AuditVerification: Sendable, Equatable {
  /// Number of entries that are right, from the first on, with those that gave up their content.
  public let entries: UInt64
  /// How many gave up their content.
  public let redacted: UInt64
  /// Root of the tree over the entries that are right, 32 bytes: compare it with one that was noted earlier.
  public let root: Bytes32
  /// Bytes of an unfinished record at the end, which a crash or a writer at work leaves. Not a fault.
  public let unfinishedBytes: UInt64
  /// Whether every entry was opened, too. False without the keys.
  public let isOpened: Bool
  /// Time of the last entry that is right, milliseconds since 1970-01-01 UTC. Nil when none was opened.
  public let lastTime: Int64?
  /// The first fault, nil when all is right.
  public let fault: AuditIntegrityError?
}

extension AuditVerification {
  /// Reads every byte of both files.
  /// - Throws: only when reading fails, and `.closed` when `goesOn` said no.
  init(
    of folder: LogFolder, keys: AuditKeys?, anchor: AuditAnchor?, _ goesOn: (UInt64) -> Bool
  ) throws(AuditLogError) {
    var check = Check()
    let key = keys?.reading.key()
    var fault: AuditIntegrityError?
    do { try check.run(folder, keys, key, anchor, goesOn) } catch {
      guard case .fault(let found) = error else { throw error }
      fault = found
    }
    self.init(
      entries: check.position?.count ?? 0, redacted: check.redacted, root: check.position?.root ?? MerkleTree().root,
      unfinishedBytes: fault == nil ? check.unfinished : 0, isOpened: key != nil && fault == nil, lastTime: check.lastTime,
      fault: fault)
  }

  private struct Check {
    /// The check asks `goesOn` after this many entries, every few milliseconds.
    private static let entriesBetweenQuestions: UInt64 = 4096
    /// Behind the last entry that is right in every respect.
    var position: LogPosition?
    var redacted: UInt64 = 0
    var unfinished: UInt64 = 0
    var lastTime: Int64?
    /// Up to which entry some entry says that contents were dropped.
    private var droppedTo: Set<UInt64> = []

    mutating func run(
      _ folder: LogFolder, _ keys: AuditKeys?, _ key: SecretBox?, _ anchor: AuditAnchor?, _ goesOn: (UInt64) -> Bool
    ) throws(AuditLogError) {
      let head = try folder.headBytes()  // first, see OpenedLog
      let store = try LogStore(OpenedLog.file(of: folder, flags: O_RDONLY, anchor))
      position = store.header.start
      try OpenedLog.check(store.header, keys, anchor)
      var known: [LogWalk.Known] = []
      var headFault: AuditLogError?
      do { known = try OpenedLog.known(store.header, head: head, anchor: anchor) } catch { headFault = error }
      var walk = try LogWalk(store, known: known, fromStart: true, to: try store.size())
      (position, redacted) = (walk.position, store.layout.redacted)
      var opener = key.map { EntryOpener($0, of: store.header) }
      while let record = try walk.next() {
        do { try take(opener?.open(record)) } catch { throw store.fault(record.sequence, at: record.position, error) }
        position = walk.position
        guard record.sequence % Self.entriesBetweenQuestions != 0 || goesOn(record.sequence) else { throw .closed }
      }
      if let headFault { throw headFault }
      try walk.compareEnd()
      unfinished = walk.unfinished
      guard redacted == 0 || key == nil || droppedTo.contains(redacted) else {
        throw .fault(.droppedUnrecorded(to: redacted))
      }
    }

    private mutating func take(_ entry: AuditEntry?) {
      guard let entry else { return }
      lastTime = entry.time
      if entry.kind == .entriesRedacted, let amount = entry.amount { droppedTo.insert(UInt64(clamping: amount)) }
    }
  }
}
