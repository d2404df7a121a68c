internal import Ciphers
internal import Encodings

// The first 32 bytes of `audit.log`, for docs/FORMATS.md: magic "HFAUDIT" and a zero byte (8) · version 1, big-endian (4) ·
// four zero bytes · log id, random (16). The chain value before the first entry is SHA-256 of these 32 bytes.

struct LogHeader: Equatable {
  static let length = 32
  static let version: UInt32 = 1
  static let magic: [UInt8] = Array("HFAUDIT\0".utf8)

  /// 16 random bytes that tell this log from every other.
  let logID: [UInt8]

  init(logID: [UInt8]) { self.logID = logID }

  init(_ bytes: [UInt8]) throws(AuditFault) {
    var reader = ByteReader(bytes[...])
    guard let magic = reader.take(8), Array(magic) == Self.magic, let version: UInt32 = reader.integer() else {
      throw .damagedHeader
    }
    guard version <= Self.version else { throw .newerVersion(found: version) }
    guard version == Self.version, let zero: UInt32 = reader.integer(), zero == 0, let id = reader.take(16), reader.isAtEnd
    else { throw .damagedHeader }
    logID = Array(id)
  }

  var bytes: [UInt8] {
    var bytes = Self.magic
    bytes.append(bigEndian: Self.version)
    bytes.append(bigEndian: UInt32(0))
    return bytes + logID
  }

  /// Where the chain of an empty log stands.
  var start: LogPosition { LogPosition(count: 0, end: UInt64(Self.length), chain: SHA256.digest(of: bytes)) }
}

/// How far the log goes: number of entries, length in bytes, chain value of the last entry.
struct LogPosition: Equatable, Sendable {
  var count: UInt64
  var end: UInt64
  var chain: Bytes32
}
