internal import Ciphers
internal import Encodings

// A record in `audit.log`, for docs/FORMATS.md. All numbers are big-endian.
//
//    4  length of the whole record in bytes, 63 to 278
//    8  sequence: 1 for the first entry, then one more each
//    4  start check: the first 4 bytes of SHA-256(chain value before ‖ the 12 bytes above)
//    8  time, milliseconds since 1970-01-01 UTC (two's complement)
//    …  body (AuditEntryCodec.swift)
//   32  chain value: SHA-256(chain value before ‖ all bytes of the record so far)
//    4  length of the whole record again, to read backwards
//
// The start check tells an unfinished write from a changed length: of an unfinished record the bytes that are there are right.

enum RecordFormat {
  static let startLength = 16
  static let bodyOffset = startLength + 8
  static let endLength = 32 + 4
  static let minimumLength = bodyOffset + AuditEntry.minimumBodyLength + endLength
  static let maximumLength = bodyOffset + AuditEntry.maximumBodyLength + endLength

  /// Appends the record that follows the entry with chain value `previous`.
  /// - Returns: the new chain value.
  static func append(_ entry: AuditEntry, sequence: UInt64, after previous: Bytes32, to bytes: inout [UInt8]) -> Bytes32 {
    let start = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: 4))
    bytes.append(bigEndian: sequence)
    bytes.append(contentsOf: repeatElement(0, count: 4))
    bytes.append(bigEndian: entry.time)
    entry.write(to: &bytes)
    let length = UInt32(bytes.count - start + endLength)  // at most 278
    withUnsafeBytes(of: length.bigEndian) { bytes.replaceSubrange(start..<start + 4, with: $0) }
    bytes.replaceSubrange(start + 12..<start + 16, with: startCheck(of: bytes[start..<start + 12], after: previous))
    let chain = chainValue(of: bytes[start...], after: previous)
    chain.withUnsafeBytes { bytes.append(contentsOf: $0) }
    bytes.append(bigEndian: length)
    return chain
  }

  /// The 4 bytes that vouch for length and sequence.
  static func startCheck(of start12: ArraySlice<UInt8>, after previous: Bytes32) -> [UInt8] {
    Array(chainValue(of: start12, after: previous).array.prefix(4))
  }

  static func chainValue(of bytes: ArraySlice<UInt8>, after previous: Bytes32) -> Bytes32 {
    var hash = SHA256()
    previous.withUnsafeBytes { hash.update($0) }
    bytes.withUnsafeBytes { hash.update($0) }
    return hash.finish()
  }
}

/// One record as read, not yet decoded.
struct StoredRecord {
  let sequence: UInt64
  let offset: UInt64
  let chain: Bytes32
  let time: Int64
  let body: ArraySlice<UInt8>

  /// Offset of the byte behind the record.
  let end: UInt64

  var entry: AuditEntry? { AuditEntry(time: time, body: body) }

  /// - Parameter bytes: one whole record; only the lengths are checked, not the chain.
  init?(_ bytes: ArraySlice<UInt8>, offset: UInt64) {
    var reader = ByteReader(bytes)
    guard let length: UInt32 = reader.integer(), Int(length) == bytes.count, bytes.count >= RecordFormat.minimumLength,
      let sequence: UInt64 = reader.integer(), reader.take(4) != nil, let time: Int64 = reader.integer(),
      let body = reader.take(bytes.count - RecordFormat.bodyOffset - RecordFormat.endLength), let chain = reader.bytes32(),
      let trailer: UInt32 = reader.integer(), trailer == length
    else { return nil }
    (self.sequence, self.offset, self.time, self.body, self.chain) = (sequence, offset, time, body, chain)
    end = offset + UInt64(bytes.count)
  }
}
