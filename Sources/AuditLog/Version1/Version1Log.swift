import Ciphers
import Encodings
import Platform

/// Reads a log of version 1, in which entries were chained and not sealed, to take it over. Every byte is checked.
///
/// Header 32: magic, version, zero, id 16. A record: length 4 · sequence 8 · start check 4 · time 8 · body · chain value 32 ·
/// length 4. The chain value is SHA-256(chain value before ‖ the record up to it); the first follows SHA-256(header). The head, 112
/// bytes: magic, version, zero, id 16 · count 8 · length 8 · chain value 32 · SHA-256 of all before.
struct Version1Log {
  private static let headerLength = 32
  private static let headLength = 112
  private static let headMagic = Array("HFAUDHD\0".utf8)
  /// The longest log that is taken over, in bytes: it is read at once, and a file can be of any length and hold nothing.
  private static let mostBytes: UInt64 = 1 << 30
  private static let shortest = 24 + AuditEntry.minimumBodyLength + 36
  private static let longest = 24 + AuditEntry.maximumBodyLength + 36

  private(set) var entries: [AuditEntry] = []
  /// The last chain value.
  private(set) var chain: Bytes32
  /// Bytes of an unfinished record at the end.
  private(set) var unfinished = 0

  /// Whether `audit.log` begins as one of version 1 does.
  static func isThere(_ folder: LogFolder) throws(AuditLogError) -> Bool {
    let file: LogFile
    do { file = try LogFile(folder.log, flags: O_RDONLY) } catch {
      if error == .io(.open, code: ENOENT) { return false }
      throw error
    }
    return try file.read(12, at: 0) == LogHeader.magic + [0, 0, 0, 1]
  }

  static func isHead(_ bytes: [UInt8]) -> Bool {
    bytes.count == headLength && bytes.starts(with: headMagic)
      && Bytes32(bytes.suffix(32)) == SHA256.digest(of: Array(bytes.dropLast(32)))
  }

  /// - Throws: `.damagedHeader`, `.missingHead`, `.damagedHead`, `.rolledBack`, `.notAsSigned`, `.entry`.
  init(_ log: [UInt8], head: [UInt8]?) throws(AuditIntegrityError) {
    guard log.count >= Self.headerLength, log[12..<16].allSatisfy({ $0 == 0 }) else { throw .damagedHeader }
    guard let head else { throw .missingHead }
    guard Self.isHead(head), head[16..<32] == log[16..<32] else { throw .damagedHead }
    var reader = ByteReader(head[32...])
    guard let count: UInt64 = reader.integer(), let end: UInt64 = reader.integer(), let recorded = reader.bytes32() else {
      throw .damagedHead
    }
    chain = SHA256.digest(of: Array(log[..<Self.headerLength]))
    var position = Self.headerLength
    while true {
      if entries.count == count, recorded != chain || end != position { throw .notAsSigned(from: 1, to: max(1, count)) }
      guard let next = try take(log[position...], at: position) else { break }
      position = next
    }
    guard count <= entries.count else { throw .rolledBack(recorded: count, found: UInt64(entries.count)) }
    unfinished = log.count - position
  }

  /// - Returns: where the record ends; nil when there is none, or an unfinished one.
  private mutating func take(_ rest: ArraySlice<UInt8>, at position: Int) throws(AuditIntegrityError) -> Int? {
    let sequence = UInt64(entries.count) + 1
    func fault(_ flaw: AuditIntegrityError.Flaw) -> AuditIntegrityError {
      .entry(sequence: sequence, offset: UInt64(position), flaw)
    }
    guard rest.count >= 16 else { return nil }
    var reader = ByteReader(rest)
    guard let length: UInt32 = reader.integer(), let number: UInt64 = reader.integer(), let check = reader.take(4),
      number == sequence, Int(length) >= Self.shortest, Int(length) <= Self.longest,
      hash(rest.prefix(12)).array.prefix(4) == check
    else {
      if rest.allSatisfy({ $0 == 0 }) { return nil }
      throw fault(.notNext)
    }
    guard rest.count >= Int(length) else { return nil }
    let record = rest.prefix(Int(length))
    let found = hash(record.dropLast(36))
    guard record.suffix(36).prefix(32).elementsEqual(found.array) else { throw fault(.altered) }
    guard record.suffix(4) == record.prefix(4) else { throw fault(.trailer) }
    var inner = ByteReader(record.dropFirst(16).dropLast(36))
    guard let time: Int64 = inner.integer(), let entry = AuditEntry(time: time, body: inner.rest) else {
      throw fault(.unreadable)
    }
    entries.append(entry)
    chain = found
    return position + Int(length)
  }

  private func hash(_ bytes: ArraySlice<UInt8>) -> Bytes32 {
    var hash = SHA256()
    chain.withUnsafeBytes { hash.update($0) }
    bytes.withUnsafeBytes { hash.update($0) }
    return hash.finish()
  }
}

extension Version1Log {
  /// Puts a log of this version in the place of one of version 1: the same entries under the same numbers, sealed, and in the
  /// header the last chain value. A crash leaves the old log or the new one; a log that is not right is left as it is.
  static func takeOver(_ folder: LogFolder, keys: AuditKeys, newID: [UInt8], now: Int64) throws(AuditLogError) {
    let file = try LogFile(folder.log, flags: O_RDWR)
    try file.lock()
    guard file.isNamed(folder.log) else { throw .inUse }
    guard try file.size() <= mostBytes else { throw .fault(.damagedHeader) }
    let old: Version1Log
    do {
      old = try Version1Log(try file.read(Int(clamping: file.size()), at: 0), head: try folder.headBytes())
    } catch let fault as AuditIntegrityError { throw .fault(fault) } catch let error as AuditLogError { throw error } catch {
      throw .fault(.damagedHeader)
    }
    let header = LogHeader(
      logID: newID, sealingKey: keys.sealingKey, signingKey: keys.signer.publicKey, predecessor: old.chain)
    var (bytes, position) = (header.bytes + LogLayout.untouched.bytes(of: header), header.start)
    var sealer = EntrySealer(header, keys.signer)
    for entry in old.entries { try sealer.append(entry, at: &position, to: &bytes) }
    if old.unfinished > 0 {
      try sealer.append(AuditEntry(time: now, kind: .recovered, amount: Int64(old.unfinished)), at: &position, to: &bytes)
    }
    do throws(AuditLogError) {
      let new = try LogFile(new: folder.newLog)
      try new.write(bytes, at: 0)
      try new.sync()
      try folder.put(folder.newLog, inPlaceOf: folder.log)
    } catch {
      folder.removeNewLog()
      throw error
    }
    if let head = LogHead.bytes(position, of: header, by: keys.signer) { try folder.writeHead(head) }
  }
}
