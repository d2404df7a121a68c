import Ciphers
import Encodings

// Behind the header, for docs/FORMATS.md: how many entries gave up their content (8) · where the first record would begin had
// nothing been taken out (8) · first 8 bytes of SHA-256(header digest ‖ the 16 bytes above). Then for each of those entries its
// leaf hash (32) and a check (4): the exclusive or of the hash's eight words and the low word of the sequence. Then the records.

/// The part that was removed at the front of a log. Positions do not change: they count as if it were still there.
struct LogLayout: Equatable, Sendable {
  static let length = 24
  /// Where the first record of a new log begins.
  static let firstRecord = UInt64(LogHeader.length + length)
  static let stubLength: UInt64 = 36

  /// Entries of which only the leaf hash is left: 1 to this.
  let redacted: UInt64
  /// Position of the first record.
  let start: UInt64

  static let untouched = LogLayout(redacted: 0, start: firstRecord)

  /// Where the first record really is in the file.
  var offset: UInt64 { Self.firstRecord + redacted * Self.stubLength }

  init(redacted: UInt64, start: UInt64) { (self.redacted, self.start) = (redacted, start) }

  /// - Parameter size: of the file.
  init(_ bytes: [UInt8], of header: LogHeader, size: UInt64) throws(AuditIntegrityError) {
    var reader = ByteReader(bytes[...])
    guard let redacted: UInt64 = reader.integer(), let start: UInt64 = reader.integer(), bytes.count == Self.length else {
      throw .damagedHeader
    }
    self.init(redacted: redacted, start: start)
    guard redacted < 1 << 48, start >= Self.firstRecord, start < 1 << 60, self.bytes(of: header) == bytes else {
      throw .damagedHeader
    }
    let room = (start - Self.firstRecord) / UInt64(RecordFormat.minimumLength)
    guard redacted <= room, redacted > 0 || start == Self.firstRecord, offset <= size else { throw .damagedHeader }
  }

  func bytes(of header: LogHeader) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: redacted)
    bytes.append(bigEndian: start)
    return bytes + SHA256.digest(of: header.digest.array + bytes).array.prefix(8)
  }

  /// The part of an entry that stays.
  static func stub(_ leafHash: Bytes32, sequence: UInt64) -> [UInt8] {
    var bytes = leafHash.array
    bytes.append(bigEndian: check(leafHash, sequence))
    return bytes
  }

  /// - Parameter bytes: 36 bytes.
  /// - Returns: nil when the check is wrong.
  static func leafHash(stub bytes: ArraySlice<UInt8>, sequence: UInt64) -> Bytes32? {
    var reader = ByteReader(bytes)
    guard let hash = reader.bytes32(), let found: UInt32 = reader.integer(), found == check(hash, sequence) else { return nil }
    return hash
  }

  private static func check(_ hash: Bytes32, _ sequence: UInt64) -> UInt32 {
    hash.withUnsafeBytes { bytes in
      (0..<8).reduce(UInt32(truncatingIfNeeded: sequence)) {
        $0 ^ UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 4 * $1, as: UInt32.self))
      }
    }
  }
}

/// One log file with its header and layout.
struct LogStore: Sendable {
  let file: LogFile
  let header: LogHeader
  let layout: LogLayout
  /// When set, reads of records stop once reading has been ended.
  var readingEnd: ReadingEnd?

  init(_ file: LogFile, _ header: LogHeader, _ layout: LogLayout) {
    (self.file, self.header, self.layout) = (file, header, layout)
  }

  /// Reads header and layout.
  init(_ file: LogFile) throws(AuditLogError) {
    let size = try file.size()
    let bytes = try file.read(LogHeader.length, at: 0)
    let layout = try file.read(LogLayout.length, at: UInt64(LogHeader.length))
    do {
      let header = try LogHeader(bytes)
      self.init(file, header, try LogLayout(layout, of: header, size: size))
    } catch { throw .fault(error) }
  }

  /// Where in the file a position is. It is `layout.start` or more.
  func offset(of position: UInt64) -> UInt64 { position - layout.start + layout.offset }

  /// The position after the last byte of the file.
  func size() throws(AuditLogError) -> UInt64 {
    let size = try file.size()
    return layout.start + (size > layout.offset ? size - layout.offset : 0)
  }

  /// - Throws: `.closed` where the reading was ended.
  func read(_ count: Int, at position: UInt64) throws(AuditLogError) -> [UInt8] {
    if readingEnd?.isOver == true { throw .closed }
    return try file.read(count, at: offset(of: position))
  }

  func fault(_ sequence: UInt64, at position: UInt64, _ flaw: AuditIntegrityError.Flaw) -> AuditLogError {
    .fault(.entry(sequence: sequence, offset: offset(of: position), flaw))
  }

  /// Hands over the leaf hashes of the entries that gave up their content.
  /// - Throws: `.fault` for the first that is not as it was written.
  func eachStub(_ body: (Bytes32) throws(AuditLogError) -> Void) throws(AuditLogError) {
    let length = LogLayout.stubLength
    var sequence: UInt64 = 1
    while sequence <= layout.redacted {
      let offset = LogLayout.firstRecord + (sequence - 1) * length
      let some = min(1024, layout.redacted - sequence + 1)
      let bytes = try file.read(Int(some * length), at: offset)
      for index in 0..<Int(some) {
        let from = index * Int(length)
        guard from + Int(length) <= bytes.count,
          let hash = LogLayout.leafHash(stub: bytes[from..<from + Int(length)], sequence: sequence)
        else { throw .fault(.entry(sequence: sequence, offset: offset + UInt64(from), .altered)) }
        try body(hash)
        sequence += 1
      }
    }
  }
}
