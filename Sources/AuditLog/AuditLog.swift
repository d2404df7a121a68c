public import Encodings
import Platform
import SecretMemory

/// The append-only record of every decision and security event.
///
/// Two files in one folder (docs/FORMATS.md): `audit.log`, sealed entries that are the leaves of an RFC 6962 tree, and
/// `audit.head`, the tree's signed head. Appending needs only the public half of the sealing key. Reading needs the unlocked
/// vault. The log is a file of its own and not an SQLite database: every byte is covered by a hash, nothing is rewritten except
/// to drop old content, and any number of waiting entries share one write and one sync.
public final class AuditLog: Sendable {
  /// The most entries that may wait for the writer. Further ones are refused with `.overloaded`. About 1 MiB.
  public static let maximumWaiting = 4096
  /// How many more may wait if they are not requests (`.requestDecided`). So outcomes and the owner's changes are accepted
  /// however fast apps send requests.
  public static let reserved = 8192
  /// The most entries of one write.
  public static let maximumBatch = 1024
  /// After so many entries `audit.head` is written anew when no entry waits.
  public static let entriesPerHead: UInt64 = 256
  /// After so many entries it is written anew even if entries wait.
  public static let mostEntriesPerHead: UInt64 = 8192
  /// How long a checkpoint or an anchor waits for the head to be written, in milliseconds.
  private static let headMilliseconds = 10_000

  let writer: LogWriter
  let folder: LogFolder
  /// How the log was found at opening.
  private let opened: OpenedLog
  private let bookmarks = Locked(Bookmarks())
  private let readingEnd = ReadingEnd()
  /// Held while old content is dropped.
  private let dropping = SerialGuard()

  private init(_ writer: LogWriter, _ folder: LogFolder, _ opened: OpenedLog) {
    (self.writer, self.folder, self.opened) = (writer, folder, opened)
  }

  deinit { writer.stop() }

  /// Opens the log of a folder for appending, and makes the folder (0700) and the files (0600) if they are missing. Only one
  /// owner at a time. A log of version 1 is converted: its entries are sealed under the same numbers.
  ///
  /// Checks header, head and the entries behind the head's position, not all of them: `verify` does. An unfinished record at
  /// the end, as a crash leaves it, was never acknowledged: it is cut off and an entry of kind `recovered` says so.
  /// - Parameters:
  ///   - anchor: the anchor in the vault; nil if there is none.
  ///   - marks: gives the state of the vault, for entries and heads to carry, after `followVault`.
  ///   - now: milliseconds since 1970-01-01 UTC, for that entry.
  /// - Throws: `.inUse`, `.io`, or `.fault` for anything else that is not as written; nothing is overwritten then.
  public static func open(
    folder: String, keys: AuditKeys, anchor: AuditAnchor? = nil, marks: VaultMarks? = nil, now: Int64
  ) throws(AuditLogError) -> AuditLog {
    let folder = LogFolder(path: folder)
    if try Version1Log.isThere(folder) {
      // If the vault has an anchor, the log must be of this version.
      guard anchor == nil else { throw .fault(.notTheVaultsLog) }
      try Version1Log.takeOver(folder, keys: keys, newID: SystemRandom.bytes(16), now: now)
    }
    return try open(folder, keys, anchor, marks, now)
  }

  /// Opens an existing log with only the keys in its header, to record `vaultOpenFailed` before the vault is open. No head is
  /// signed.
  public static func open(recordingIn folder: String, now: Int64) throws(AuditLogError) -> AuditLog {
    try open(LogFolder(path: folder), nil, nil, nil, now)
  }

  private static func open(
    _ folder: LogFolder, _ keys: AuditKeys?, _ anchor: AuditAnchor?, _ marks: VaultMarks?, _ now: Int64
  ) throws(AuditLogError) -> AuditLog {
    let opened = try OpenedLog(appending: folder, keys: keys, anchor: anchor, newID: SystemRandom.bytes(16))
    if opened.unfinished > 0 {
      try opened.store.file.truncate(to: opened.store.offset(of: opened.position.end))
      try opened.store.file.sync()
    }
    let writer = LogWriter(opened, in: folder, keys: keys, marks: marks)
    try writer.start()
    let log = AuditLog(writer, folder, opened)
    if opened.unfinished > 0 {
      try log.appendAndWait(AuditEntry(time: now, kind: .recovered, amount: Int64(clamping: opened.unfinished)))
    }
    return log
  }

  // MARK: appending

  /// Queues the entry and returns at once. All entries that wait share one write and one sync; their order is kept.
  /// - Parameter whenDurable: called once: with the sequence number when the entry is on the disk (on the thread that writes the log, which in a round is the borrower's: be
  ///   brief and do not call `close` there), or with the error when it is not and never will be (`.overloaded` and `.closed` on
  ///   the caller's thread). After `.io` the file is as before, and a later append may succeed.
  public func append(_ entry: AuditEntry, whenDurable: @escaping @Sendable (Result<UInt64, AuditLogError>) -> Void) {
    writer.append(entry) { result in
      whenDurable(result)
      return nil
    }
  }

  /// Lets entries wait for others, for at most 2 ms, while more may come than wait already: they share one write and one sync. Call
  /// `stopGathering` when no more will come. Without this, each entry is written as soon as the disk is free.
  /// - Parameter coming: says how many more may come soon. It is called with a lock held, must return at once, and may not call the log.
  public func gather(upTo coming: @escaping @Sendable () -> Int) { writer.gather(upTo: coming) }

  /// Has the entries written that wait for others. Does nothing while more are likely to come.
  public func stopGathering() { writer.stopGathering() }

  /// As `append`, for an entry that is followed by another one. `next` is called once, as `whenDurable` is, when the entry is on
  /// the disk. It returns the entry to write after it, or nil if there is none or not yet; then `note` writes it later. The
  /// follow-ups of one sync share one write.
  public func appendFollowed(
    _ entry: AuditEntry, by next: @escaping @Sendable (Result<UInt64, AuditLogError>) -> FollowUp?
  ) { writer.append(entry, isFollowed: true, next) }

  /// Queues an entry that the log's own thread writes soon. The caller does not wait for the disk.
  public func note(_ followUp: FollowUp) { writer.note(followUp) }

  /// The same on the caller's thread, without waiting for a sync under way.
  public func write(_ followUp: FollowUp) { followUp.written((try? writer.note(followUp.entry)) != nil) }

  /// Writes an entry without syncing it. When this returns the entry is in the file, where it survives a kill of the process,
  /// and it reaches the disk with the next appended entry or within a tenth of a second. It does not wait for a sync under way.
  /// - Throws: `.io`, `.sealing` or `.closed` when it is not in the file and never will be.
  public func note(_ entry: AuditEntry) throws(AuditLogError) { try writer.note(entry) }

  /// Lends the writing to the caller's thread until `endRound`, which must follow soon: entries that any thread appends wait for it. Append
  /// the entries, call `writeRound`, do other work while the disk is busy, and call `endRound`.
  /// - Parameters:
  ///   - nanoseconds: the longest last sync with which the caller is willing to wait for the next. No sync yet counts as the longest.
  ///   - period: how long ago that sync may be, in nanoseconds: a disk that was idle for longer may have to wake up.
  /// - Returns: false, and lends nothing, while the log's own thread has work, or when the last sync took longer or is longer ago.
  public func beginRound(ifSyncedIn nanoseconds: UInt64, inTheLast period: UInt64 = .max) -> Bool {
    writer.beginRound(ifSyncedIn: nanoseconds, inTheLast: period)
  }

  /// Writes the entries that wait, and has the disk begin with them.
  public func writeRound() { writer.writeRound() }

  /// Waits for the disk. Those who appended the entries are told on the caller's thread.
  public func endRound() { writer.endRound() }

  /// As `append`, waiting until the entry is on the disk.
  /// - Returns: the sequence number.
  @discardableResult
  public func appendAndWait(_ entry: AuditEntry) throws(AuditLogError) -> UInt64 {
    writer.endRoundHere()
    let answer = Locked<Result<UInt64, AuditLogError>?>(nil)
    append(entry) { result in answer.change { $0 = result } }
    guard let result = answer.wait(until: { $0 }) else { throw .closed }
    return try result.get()
  }

  /// Reserves space on the disk after the last entry, so that the next append cannot fail because of it: `AuditLog.room` bytes, or
  /// `leastRoom` if there is no more. Does nothing if the file system cannot reserve space.
  /// - Throws: `.io` when there is no space.
  public func makeRoom() throws(AuditLogError) { try writer.makeRoom() }

  /// The space reserved ahead for the owner's changes, in bytes: some hundred entries.
  public static let room: UInt64 = 64 << 10
  /// The least space with which a change is made, in bytes: a few entries.
  public static let leastRoom: UInt64 = 4 << 10

  /// How many bytes stay free on the disk while the log is written anew to drop old content: the vault and new entries need space
  /// meanwhile.
  public static let freeForOthers: UInt64 = 8 << 20

  // MARK: reading

  /// Ends present and later readers of the log with `.closed`, so that a stop does not wait for them. Entries are still appended.
  public func endReading() { readingEnd.end() }

  /// The file and the end of its last durable entry, for reading until `endReading`.
  private var readable: (store: LogStore, position: LogPosition) {
    var (store, position) = writer.view
    store.readingEnd = readingEnd
    return (store, position)
  }

  /// Number of durable entries.
  public var count: UInt64 { writer.view.position.count }
  /// How many entries have lost their content.
  public var redacted: UInt64 { writer.view.store.layout.redacted }
  /// Whether the last attempt to write the head failed. Until it is written, entries after the head on the disk can be cut off
  /// unnoticed.
  public var isHeadFailing: Bool { writer.isHeadFailing }
  /// How often entries were synced to the disk since opening.
  public var syncs: Int { writer.syncs }

  /// The latest state of the vault that the log knew when it was opened. Entries after the head are searched if they can be
  /// decrypted; without the key, it is the state in the head.
  /// - Throws: `.fault`, `.io`.
  public func knownVault() throws(AuditLogError) -> VaultMark? {
    guard let key = writer.keys?.reading.key() else { return opened.headVault }
    let found = AuditReader(opened.store, opened.position, key)
    let latest = VaultMark.later(opened.headVault, try found.latestVault(after: opened.looked))
    writer.learn(latest)
    return latest
  }

  /// From now on entries and heads carry the vault's state. Call it when the vault was found to be the one that the log knows,
  /// and not before: with an older vault, the log would record states that the newer vault does not have.
  public func followVault(_ isOn: Bool = true) { writer.followVault(isOn) }

  /// Whether entries and heads carry the vault's state. If not, the log cannot show that a change made now is undone later by an
  /// older vault.
  public var followsVault: Bool { writer.followsVault }

  /// Whether the log, when it was opened, had entries behind its head that may tell of the vault and could not be decrypted yet. Entries
  /// that were written before the vault was open tell nothing of it, and do not count.
  public var hasUnread: Bool { writer.hasUnread }

  /// How many wrong passphrases or recovery kits follow the last right one in the log as it was opened. Other ways to open the
  /// vault, such as a keyring, do not end this count.
  /// - Parameters:
  ///   - known: entries up to there do not count, if it is a place of this log.
  ///   - codes: of the entries that count; entries of openings name the same in their rules.
  /// - Returns: 0 without the key that opens entries.
  public func failedAttempts(after known: Extent?, codes: Set<AuditRule>) throws(AuditLogError) -> Int {
    guard let key = writer.keys?.reading.key() else { return 0 }
    let last = known.flatMap { $0.log == header.digest ? $0.count : nil } ?? 0
    let reader = AuditReader(opened.store, opened.position, key)
    let found = try reader.failedAttempts(after: max(last, opened.quiet), codes: codes)
    writer.learn(isQuiet: found.count == 0 && (found.isCleared || opened.quiet >= last), clearedBy: codes)
    return found.count
  }

  /// The present extent of this log.
  public var extent: Extent { (header.digest, count) }

  /// The extent of a log.
  public typealias Extent = (log: Bytes32, count: UInt64)

  /// How far the log of a folder goes now; a process may be appending meanwhile. Reads the entries after the head.
  /// - Returns: nil when there is none.
  /// - Throws: `.fault` for one that is not as written, `.io`.
  public static func extent(folder: String) throws(AuditLogError) -> Extent? {
    do {
      let opened = try OpenedLog(reading: LogFolder(path: folder))
      return (opened.store.header.digest, opened.position.count)
    } catch .fault(.missing) { return nil }
  }

  /// The vault's mark in the head of a folder's log. Opens only the head, which is checked under the log's own key.
  /// - Throws: `.fault`, `.io`.
  public static func headVault(folder: String) throws(AuditLogError) -> VaultMark? {
    try OpenedLog(reading: LogFolder(path: folder)).headVault
  }

  /// A view of the entries that are durable now.
  /// - Throws: `.locked` when the key that opens them is not available.
  public var reader: AuditReader {
    get throws(AuditLogError) {
      guard let key = writer.keys?.reading.key() else { throw .locked }
      let (store, position) = readable
      return AuditReader(store, position, key)
    }
  }

  /// See `AuditReader.tail`.
  public func tail(
    _ limit: Int, matching filter: AuditFilter = AuditFilter(), before: UInt64? = nil, lookingAt most: Int = .max
  ) throws(AuditLogError) -> [AuditRecord] {
    try reader.tail(limit, matching: filter, before: before, lookingAt: most)
  }

  /// See `AuditReader.read`. Reading on where a part ended does not begin at the first entry again.
  public func read(
    from sequence: UInt64, limit: Int, matching filter: AuditFilter = AuditFilter()
  ) throws(AuditLogError) -> [AuditRecord] {
    let bookmark = bookmarks.withLock { $0.best(for: sequence, redacted: redacted) }
    let part = try reader.part(from: sequence, limit: limit, matching: filter, after: bookmark)
    if let reached = part.bookmark { bookmarks.withLock { $0.keep(reached) } }
    return part.records
  }

  /// The key of SipHash under which `recentMarks` marks request events, 16 bytes; nil without the signing key.
  public var marksKey: [UInt8]? { writer.seen?.marksKey }

  /// Hands over the request events recorded at `since` (milliseconds) or later, in parts, by their marks; some earlier ones, and some
  /// twice. After the first call the log keeps them in a file beside it, so that the next opening reads few entries for them.
  /// - Throws: `.locked`, `.fault`, `.io`.
  public func recentMarks(since: Int64, _ body: ([SeenMark]) -> Void) throws(AuditLogError) {
    guard let seen = writer.seen, let key = writer.keys?.reading.key() else { throw .locked }
    seen.begin()
    let (store, position) = writer.view
    let covered = seen.read(since: since, in: store, body) ?? 0
    let behind = try AuditReader(store, position, key).recentEvents(since: since, after: covered).compactMap { event in
      event.createdAt.map { (seen.mark(event.id), $0) }
    }
    body(behind)
    seen.add(behind, since: since, upTo: position)
  }

  /// Hands over the same without reading the log, which needs no reading key: after a log was closed, the file beside it holds all of them.
  /// - Returns: false when the file does not reach back to `since`, or not to the log's last entry, as after a kill. Nothing was handed over
  ///   then.
  public func closedMarks(since: Int64, _ body: ([SeenMark]) -> Void) -> Bool {
    let (store, position) = writer.view
    return writer.seen?.readClosed(since: since, in: store, upTo: position, body) ?? false
  }

  /// See `AuditReader.recentEvents`.
  public func recentEvents(
    since: Int64, limit: Int = .max, older: Int = AuditReader.olderEntriesBeforeStop, dated: ClosedRange<Int64>? = nil
  ) throws(AuditLogError) -> [RecentEvent] {
    try reader.recentEvents(since: since, limit: limit, older: older, dated: dated)
  }
}

// MARK: proving

extension AuditLog {
  /// The verifier key of signed notes: name, key id and key of this log's heads.
  public var verifierKey: String { Checkpoint.verifierKey(header.origin, header.signingKey) }

  /// The head of the tree over all durable entries as a signed note.
  /// - Throws: `.locked` when the log was opened without its signing key.
  public func checkpoint() throws(AuditLogError) -> String { try checkpoint(at: writer.view.position) }

  /// A proof that an entry is in the log, with the checkpoint that it leads to.
  /// - Throws: `.noSuchEntry`.
  public func proof(of sequence: UInt64) throws(AuditLogError) -> (proof: AuditProof, checkpoint: String) {
    let (store, position) = readable
    return (try store.proof(of: sequence, upTo: position), try checkpoint(at: position))
  }

  /// A proof that the log begins with the tree over its first `old` entries, with the checkpoint that it leads to.
  /// - Throws: `.noSuchEntry`.
  public func consistency(from old: UInt64) throws(AuditLogError) -> (proof: AuditConsistency, checkpoint: String) {
    let (store, position) = readable
    return (try store.consistency(from: old, upTo: position), try checkpoint(at: position))
  }

  /// Writes the head and returns its position, which is stored in the vault. Waits for two syncs.
  /// - Returns: nil when the head could not be written.
  public func anchor() -> AuditAnchor? {
    writer.writtenHead(within: Self.headMilliseconds).map { AuditAnchor(log: header.digest, position: $0) }
  }

  /// Checks every byte of a folder's log without changing it; a process may be appending meanwhile.
  ///
  /// Finds any change, cut, insertion or reordering up to `audit.head`, or up to the anchor where that is later; behind it
  /// everything but a clean cut of the last entries, and entries of kind `vaultOpenFailed` that somebody added or took away.
  /// - Parameters:
  ///   - keys: to check that the log belongs to this vault and, if the secret half is available, to open every entry. Nil checks
  ///     the rest only.
  ///   - anchor: the anchor in the vault.
  ///   - goesOn: called now and then with the number of entries that are valid so far; false ends the check.
  /// - Throws: `.io`, and `.closed` when the check was ended. Faults of the log are in the result.
  public static func verify(
    folder: String, keys: AuditKeys? = nil, anchor: AuditAnchor? = nil, goesOn: (_ entries: UInt64) -> Bool = { _ in true }
  ) throws(AuditLogError) -> AuditVerification {
    try AuditVerification(of: LogFolder(path: folder), keys: keys, anchor: anchor, goesOn)
  }

  var header: LogHeader { writer.view.store.header }
  var view: (store: LogStore, position: LogPosition) { writer.view }

  private func checkpoint(at position: LogPosition) throws(AuditLogError) -> String {
    let checkpoint = Checkpoint(origin: header.origin, size: position.count, root: position.root)
    guard let note = writer.keys.flatMap({ checkpoint.signed(by: $0.signer) }) else { throw .locked }
    return note
  }
}

// MARK: retention

extension AuditLog {
  /// Drops the content of entries that are older than a time, for good: their sealed bytes and the keys that opened them. Their leaf
  /// hashes stay, so that the tree, its heads and the proofs of all other entries hold. Goes by whole epochs (512 entries or a
  /// day), so some that are older may stay. An entry of kind `entriesRedacted` says up to which entry, before it is done.
  /// - Parameters:
  ///   - time: milliseconds since 1970-01-01 UTC.
  ///   - now: for that entry.
  ///
  /// The log is written anew for it, beside the old file, while entries are appended; they wait only while the last ones are copied.
  /// - Returns: how many entries are without content now, and how many lost it by this.
  /// - Throws: `.locked`, `.io`, `.closed`; `.noRoom` when a copy of the kept part does not fit on the disk beside `freeForOthers`.
  ///   Nothing is dropped or recorded then, and no file is left.
  public func dropContent(olderThan time: Int64, now: Int64) throws(AuditLogError) -> (redacted: UInt64, dropped: UInt64) {
    try dropping.withLock { () throws(AuditLogError) in
      let before = redacted
      guard let first = try reader.cut(olderThan: time, now: now) else { return (before, 0) }
      let copy = try writer.copy(from: first)
      do throws(AuditLogError) {
        try appendAndWait(AuditEntry(time: now, kind: .entriesRedacted, amount: Int64(clamping: first - 1)))
        try writer.replace(by: copy)
      } catch {
        copy.remove()
        throw error
      }
      return (redacted, redacted - before)
    }
  }
}
