import Encodings
import Platform

/// A log whose header, head and end were looked at: from the head's position on every record is checked.
struct OpenedLog {
  let store: LogStore
  /// Behind the last whole record.
  let position: LogPosition
  /// Bytes of an unfinished record behind it.
  let unfinished: UInt64
  /// Whether the head that is there was written by this version and stands where the log ends or before.
  let hasHead: Bool
  /// What the head says of the vault, and up to which entry.
  let headVault: VaultMark?
  let looked: UInt64
  /// Among the entries up to this one no wrong secret comes behind the last right one.
  let quiet: UInt64
  /// Whether an entry behind that one may say more of the vault: those sealed without the signing key do not.
  let hasUnread: Bool

  /// Opens the files without changing or locking them.
  init(reading folder: LogFolder) throws(AuditLogError) {
    let head = try folder.headBytes()  // first: what is written meanwhile makes the log longer than its head, never shorter
    let file = try Self.file(of: folder, flags: O_RDONLY)
    try self.init(LogStore(file), head, keys: nil, anchor: nil)
  }

  /// Opens for appending: takes the lock, removes a log that was not finished, makes what is not there yet, changes nothing else.
  /// - Parameter keys: nil to record before the vault is open; then nothing is made.
  init(
    appending folder: LogFolder, keys: AuditKeys?, anchor: AuditAnchor?, newID: [UInt8]
  ) throws(AuditLogError) {
    if keys != nil { try folder.make() }
    // With a head, or with what the vault knows, there was a log: a new one must not take its place.
    let isHeadThere = try folder.headBytes() != nil
    let mayMake = keys != nil && !isHeadThere && anchor == nil
    var file = try Self.file(of: folder, flags: mayMake ? O_RDWR | O_CREAT : O_RDWR, anchor)
    try file.lock()
    guard file.isNamed(folder.log) else { throw .inUse }  // another one was put in its place meanwhile
    folder.removeNewLog()
    var head = try folder.headBytes()  // again: before the lock another process may have been at work
    if let keys {
      if head == nil, anchor == nil, try file.size() < LogLayout.firstRecord {
        try folder.syncParent()
        if try !file.hasOneName() {
          file = try LogFile(new: folder.log)
          try file.lock()
        }
        let header = LogHeader(logID: newID, sealingKey: keys.sealingKey, signingKey: keys.signer.publicKey)
        try file.truncate(to: 0)
        try file.write(header.bytes + LogLayout.untouched.bytes(of: header), at: 0)
        try file.sync()
        try folder.sync()
      }
      if head == nil, try file.size() == LogLayout.firstRecord {
        let header = try LogStore(file).header
        guard header.signingKey == keys.signer.publicKey else { throw .fault(.otherKeys) }
        head = LogHead.bytes(header.start, of: header, by: keys.signer)
        if let head { try folder.writeHead(head) }
      }
    }
    try self.init(LogStore(file), head, keys: keys, anchor: anchor)
  }

  private init(_ store: LogStore, _ head: [UInt8]?, keys: AuditKeys?, anchor: AuditAnchor?) throws(AuditLogError) {
    try Self.check(store.header, keys, anchor)
    let known = try Self.known(store.header, head: head, anchor: anchor)
    hasHead = known.contains { $0.source == .head }
    let head = known.first { $0.source == .head }
    (headVault, looked, quiet) = (head?.vault, head?.looked ?? 0, head?.quiet ?? 0)
    let size = try store.size()
    var walk = try LogWalk(store, known: known, fromStart: !hasHead, to: size)
    var (isSigned, hasUnread) = (true, looked < head?.position.count ?? 0)
    while let record = try walk.next() {
      isSigned = record.epoch?.isSigned ?? isSigned
      hasUnread = hasUnread || isSigned && record.sequence > looked
    }
    try walk.compareEnd()
    self.hasUnread = hasUnread
    (self.store, position, unfinished) = (store, walk.position, walk.unfinished)
  }

  /// Whether the log is of this vault.
  static func check(_ header: LogHeader, _ keys: AuditKeys?, _ anchor: AuditAnchor?) throws(AuditLogError) {
    if let keys, header.signingKey != keys.signer.publicKey || header.sealingKey != keys.sealingKey {
      throw .fault(.otherKeys)
    }
    guard anchor.map({ $0.log == header.digest }) ?? true else { throw .fault(.notTheVaultsLog) }
  }

  /// What is known of the log from elsewhere.
  static func known(_ header: LogHeader, head: [UInt8]?, anchor: AuditAnchor?) throws(AuditLogError) -> [LogWalk.Known] {
    guard let head else { throw .fault(.missingHead) }
    var known: [LogWalk.Known] = []
    // Not when the log was taken over from version 1, and the program ended before the new head was there.
    if header.predecessor == Bytes32() || !Version1Log.isHead(head) {
      do {
        let head = try LogHead(head, of: header)
        known.append(
          LogWalk.Known(position: head.position, source: .head, vault: head.vault, looked: head.looked, quiet: head.quiet))
      } catch { throw .fault(error) }
    }
    if let anchor { known.append(LogWalk.Known(position: anchor.position, source: .vault)) }
    return known
  }

  static func file(of folder: LogFolder, flags: Int32, _ anchor: AuditAnchor? = nil) throws(AuditLogError) -> LogFile {
    do { return try LogFile(folder.log, flags: flags) } catch {
      guard error == .io(.open, code: ENOENT) else { throw error }
      throw .fault(anchor.map { .behindTheVault(known: $0.count, found: 0) } ?? .missing)
    }
  }
}
