public import Encodings
internal import Locks
internal import SecretMemory

/// The append-only record of every decision and security event.
///
/// Two files in one folder: `audit.log`, a chain of framed binary entries in which each hash covers all bytes before it, and
/// `audit.head`, which says how far the log went (docs/FORMATS.md). A file of our own and not SQLite: there every byte is
/// covered by the chain, nothing is ever rewritten, and an append costs one write and one sync however many wait for it.
public final class AuditLog: Sendable {
  /// Entries that may wait for the writer; one more is refused with `.overloaded`. About 1 MiB.
  public static let maximumWaiting = 4096
  /// Further ones that may wait if they are no requests (`.requestDecided`): outcomes and the owner's changes have room however
  /// fast apps ask.
  public static let reserved = 8192
  /// Entries that go into one write.
  public static let maximumBatch = 1024
  /// After so many entries `audit.head` is written anew, once none waits.
  public static let entriesPerHead: UInt64 = 256
  /// After so many it is written anew although entries wait.
  public static let mostEntriesPerHead: UInt64 = 8192

  private let writer: LogWriter

  private init(_ writer: LogWriter) { self.writer = writer }

  deinit { writer.stop() }

  /// Opens the log of a folder for appending, and makes folder (0700) and files (0600) that are not there. One owner at a time.
  ///
  /// Checks header, head and the entries behind the head's position, not the whole chain: `verify` does. An unfinished record at
  /// the end, as a crash leaves it, was never acknowledged: it is cut off and an entry of kind `recovered` says so.
  /// - Parameter now: milliseconds since 1970-01-01 UTC, for that entry.
  /// - Throws: `.inUse`, `.io`, or `.fault` for anything else that is not as written; nothing is overwritten then.
  public static func open(folder: String, now: Int64) throws(AuditLogError) -> AuditLog {
    let folder = LogFolder(path: folder)
    let opened = try OpenedLog(appending: folder, newID: SystemRandom.bytes(16))
    if opened.unfinished > 0 {
      try opened.file.truncate(to: opened.position.end)
      try opened.file.sync()
    }
    let writer = LogWriter(opened, in: folder)
    try writer.start()
    let log = AuditLog(writer)
    if opened.unfinished > 0 {
      try log.appendAndWait(AuditEntry(time: now, kind: .recovered, amount: Int64(clamping: opened.unfinished)))
    }
    return log
  }

  /// Queues the entry and returns at once. All entries that wait share one write and one sync; their order is kept.
  /// - Parameter whenDurable: called once: with the sequence number when the entry is on the disk (on the writer's thread: be
  ///   brief and do not call `close` there), or with the error when it is not and never will be (`.overloaded` and `.closed` on
  ///   the caller's thread). After `.io` the file is as before, and a later append may succeed.
  public func append(_ entry: AuditEntry, whenDurable: @escaping @Sendable (Result<UInt64, AuditLogError>) -> Void) {
    writer.append(entry, whenDurable)
  }

  /// Queues an entry that nobody waits for: it is in the file at once, where a killed process leaves it, and on the disk with the
  /// next entry that is synced or within a tenth of a second. What cannot be written is lost.
  public func note(_ entry: AuditEntry) { writer.append(entry, synced: false) { _ in } }

  /// As `append`, waiting until the entry is on the disk.
  /// - Returns: the sequence number.
  @discardableResult
  public func appendAndWait(_ entry: AuditEntry) throws(AuditLogError) -> UInt64 {
    let answer = Locked<Result<UInt64, AuditLogError>?>(nil)
    append(entry) { result in answer.change { $0 = result } }
    guard let result = answer.wait(until: { $0 }) else { throw .closed }
    return try result.get()
  }

  /// Writes what waits and the head, and lets go of the lock. Later appends are refused with `.closed`. May be called twice.
  public func close() {
    writer.stop()
    writer.waitUntilStopped()
  }

  /// Number of durable entries.
  public var count: UInt64 { writer.position.count }
  /// Chain value of the last durable entry: noted elsewhere, it makes a log written anew visible.
  public var chain: Bytes32 { writer.position.chain }
  /// How often entries were synced to the disk since opening.
  public var syncs: Int { writer.syncs }

  /// A view of the entries that are durable now.
  public var reader: AuditReader { AuditReader(writer.file, writer.header, writer.position) }

  /// See `AuditReader.tail`.
  public func tail(_ limit: Int, matching filter: AuditFilter = AuditFilter()) throws(AuditLogError) -> [AuditRecord] {
    try reader.tail(limit, matching: filter)
  }

  /// See `AuditReader.read`.
  public func read(
    from sequence: UInt64, limit: Int, matching filter: AuditFilter = AuditFilter()
  ) throws(AuditLogError) -> [AuditRecord] { try reader.read(from: sequence, limit: limit, matching: filter) }

  /// See `AuditReader.recentEvents`.
  public func recentEvents(
    since: Int64, limit: Int = .max, older: Int = AuditReader.olderEntriesBeforeStop
  ) throws(AuditLogError) -> [RecentEvent] {
    try reader.recentEvents(since: since, limit: limit, older: older)
  }

  /// Checks every byte of a folder's log without changing it; a process may be appending meanwhile.
  ///
  /// Finds any change, cut, insertion or reordering before the position noted in `audit.head`, and behind it all but a clean cut
  /// of the last entries. Does not find a log and head written anew by somebody who knows the format: compare `chain` for that.
  /// - Throws: `.io` only; what is wrong with the log is in the result.
  public static func verify(folder: String) throws(AuditLogError) -> AuditVerification {
    try AuditVerification(of: LogFolder(path: folder))
  }
}
