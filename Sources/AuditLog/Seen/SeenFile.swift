import Ciphers
import Encodings
import Platform

// `audit.seen` and the one before it, `audit.seen.old`, for docs/FORMATS.md: which request events the log's last entries are about, so that
// a start need not open those entries. All numbers are big-endian.
//
//   16  "holdfast-seen-1" and a line's end
//   32  digest of the log's header
//    8  time: all request events recorded then or later are in this file, or in the one before, up to the last part's entry
//   32  the last code of the file before; zeros when there is none
//   32  code: HMAC-SHA-256 of the 88 bytes before
//
// then parts, each:
//
//    4  number of events, 0 to 65,536
//    8  number of the log's entries that the file covers with this part
//    8  where the last of them ends (LogPosition.end)
//   32  its leaf hash
//   16  for each event: mark 8 (SipHash-2-4 of its id) · the time its author claims 8
//   32  code: HMAC-SHA-256 of the code before and of this part so far
//
// Nothing here is needed: a file that is missing, cut or changed costs the reading of more entries, and no more.

struct SeenFile {
  static let magic = Array("holdfast-seen-1\n".utf8)
  static let headerLength = 16 + 32 + 8 + 32 + 32
  static let startLength = 4 + 8 + 8 + 32
  static let eventLength = 16
  static let codeLength = 32
  /// The most events in one part.
  static let mostEvents = 1 << 16

  /// Where the log stands: its entries up to this one are covered.
  struct Tip: Equatable, Sendable {
    let count: UInt64
    let end: UInt64
    let last: Bytes32

    init(_ position: LogPosition) { (count, end, last) = (position.count, position.end, position.last) }

    init?(_ reader: inout ByteReader) {
      guard let count: UInt64 = reader.integer(), let end: UInt64 = reader.integer(), let last = reader.bytes32() else {
        return nil
      }
      (self.count, self.end, self.last) = (count, end, last)
    }
  }

  let file: LogFile
  let coversFrom: Int64
  /// The last code of the file before this one; zeros when there is none.
  let previous: Bytes32
  private let key: Bytes32
  /// The last code in this one.
  private(set) var code: Bytes32
  /// Where the next part goes.
  private(set) var end: UInt64
  private(set) var tip: Tip?

  /// Makes a new file in place of one of that name.
  init(
    making path: String, log: Bytes32, coversFrom: Int64, previous: Bytes32 = Bytes32(), key: Bytes32
  ) throws(AuditLogError) {
    file = try LogFile(new: path)
    var header = Self.magic + log.array
    header.append(bigEndian: coversFrom)
    header += previous.array
    code = Self.code(key, [header])
    try file.write(header + code.array, at: 0)
    (self.coversFrom, self.previous, self.key, end) = (coversFrom, previous, key, UInt64(Self.headerLength))
  }

  /// Opens a file that is there.
  /// - Returns: nil for one that is not as it was written, or of another log.
  init?(opening path: String, log: Bytes32, key: Bytes32) {
    guard let file = try? LogFile(path, flags: O_RDWR), let bytes = try? file.read(Self.headerLength, at: 0) else { return nil }
    var reader = ByteReader(bytes[...])
    guard reader.take(16).map(Array.init) == Self.magic, reader.bytes32() == log, let coversFrom: Int64 = reader.integer(),
      let previous = reader.bytes32(), let code = reader.bytes32(), reader.isAtEnd,
      code == Self.code(key, [Array(bytes.dropLast(Self.codeLength))])
    else { return nil }
    (self.file, self.coversFrom, self.previous, self.key) = (file, coversFrom, previous, key)
    (self.code, end) = (code, UInt64(Self.headerLength))
  }

  /// Reads the parts that are as they were written; the next one goes behind them.
  mutating func read(_ body: ([SeenMark]) -> Void) {
    while let start = try? file.read(Self.startLength, at: end), start.count == Self.startLength {
      var reader = ByteReader(start[...])
      guard let count: UInt32 = reader.integer(), count <= Self.mostEvents, let tip = Tip(&reader) else { return }
      let length = Int(count) * Self.eventLength
      guard let rest = try? file.read(length + Self.codeLength, at: end + UInt64(Self.startLength)),
        rest.count == length + Self.codeLength
      else { return }
      let next = Self.code(key, [code.array, start, Array(rest[..<length])])
      guard Bytes32(rest[length...]) == next else { return }
      body(Self.marks(rest[..<length]))
      (code, end) = (next, end + UInt64(Self.startLength + rest.count))
      if tip.count > 0 { self.tip = tip }
    }
  }

  /// Writes a part behind the last one. Not synced: after a power cut, parts may be missing.
  /// - Parameter tip: nil when further parts belong to it: only with the last of them is anything more of the log covered.
  mutating func append(_ marks: ArraySlice<SeenMark>, upTo tip: Tip?) throws(AuditLogError) {
    var part: [UInt8] = []
    part.reserveCapacity(Self.startLength + marks.count * Self.eventLength + Self.codeLength)
    part.append(bigEndian: UInt32(marks.count))  // at most `mostEvents`
    part.append(bigEndian: tip?.count ?? 0)
    part.append(bigEndian: tip?.end ?? 0)
    part += (tip?.last ?? Bytes32()).array
    for event in marks {
      part.append(bigEndian: event.mark)
      part.append(bigEndian: event.createdAt)
    }
    let next = Self.code(key, [code.array, part])
    try file.write(part + next.array, at: end)
    (code, self.tip, end) = (next, tip ?? self.tip, end + UInt64(part.count + Self.codeLength))
  }

  private static func marks(_ bytes: ArraySlice<UInt8>) -> [SeenMark] {
    bytes.withUnsafeBytes { bytes in
      (0..<bytes.count / eventLength).map { index in
        let mark = bytes.loadUnaligned(fromByteOffset: index * eventLength, as: UInt64.self)
        let createdAt = bytes.loadUnaligned(fromByteOffset: index * eventLength + 8, as: Int64.self)
        return (UInt64(bigEndian: mark), Int64(bigEndian: createdAt))
      }
    }
  }

  private static func code(_ key: Bytes32, _ pieces: [[UInt8]]) -> Bytes32 {
    key.withUnsafeBytes { key in
      var hmac = HMACSHA256(key: key)
      for piece in pieces { piece.withUnsafeBytes { hmac.update($0) } }
      return hmac.finish()
    }
  }
}

/// A request event by the mark of its id, and the time its author claims, in seconds since 1970-01-01 UTC.
public typealias SeenMark = (mark: UInt64, createdAt: Int64)
