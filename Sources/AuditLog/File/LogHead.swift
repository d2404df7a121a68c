internal import Ciphers
internal import Encodings

// `audit.head`, 112 bytes, for docs/FORMATS.md: magic "HFAUDHD" and a zero byte (8) · version 1 (4) · four zero bytes ·
// log id (16) · number of entries (8) · length of `audit.log` in bytes (8) · chain value of the last entry (32) ·
// SHA-256 of all bytes before (32). Written anew (temporary name, fsync, rename, fsync of the folder) at creation, every 256
// entries (under load at the latest every 8,192 and a batch) and at closing. It makes a cut before its own position visible. It is no proof against somebody who can write the
// folder and knows this format: he can write both files anew.

enum LogHead {
  static let length = 112
  static let magic: [UInt8] = Array("HFAUDHD\0".utf8)

  static func bytes(_ position: LogPosition, of header: LogHeader) -> [UInt8] {
    var bytes = magic
    bytes.append(bigEndian: LogHeader.version)
    bytes.append(bigEndian: UInt32(0))
    bytes += header.logID
    bytes.append(bigEndian: position.count)
    bytes.append(bigEndian: position.end)
    bytes += position.chain.array
    return bytes + SHA256.digest(of: bytes).array
  }

  static func position(_ bytes: [UInt8], of header: LogHeader) throws(AuditFault) -> LogPosition {
    guard bytes.count == length, Bytes32(bytes.suffix(32)) == SHA256.digest(of: Array(bytes.dropLast(32))) else {
      throw .damagedHead
    }
    var reader = ByteReader(bytes[...])
    guard let magic = reader.take(8), Array(magic) == Self.magic, let version: UInt32 = reader.integer(),
      version == LogHeader.version, let zero: UInt32 = reader.integer(), zero == 0, let id = reader.take(16),
      Array(id) == header.logID, let count: UInt64 = reader.integer(), let end: UInt64 = reader.integer(),
      let chain = reader.bytes32(), end >= UInt64(LogHeader.length),
      count <= (end - UInt64(LogHeader.length)) / UInt64(RecordFormat.minimumLength)  // no more than there is room for
    else { throw .damagedHead }
    return LogPosition(count: count, end: end, chain: chain)
  }
}
