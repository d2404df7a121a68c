import Ciphers
import Encodings

// The first 128 bytes of `audit.log`, for docs/FORMATS.md: magic "HFAUDIT" and a zero byte (8) · version 2, big-endian (4) ·
// four zero bytes · log id, random (16) · sealing key, X25519 (32) · signing key, Ed25519 (32) · chain value of the log of
// version 1 that this one took over, else zeros (32).

struct LogHeader: Equatable, Sendable {
  static let length = 128
  static let version: UInt32 = 2
  static let magic: [UInt8] = Array("HFAUDIT\0".utf8)

  /// 16 random bytes that tell this log from every other.
  let logID: [UInt8]
  /// Entries are sealed to this key.
  let sealingKey: Bytes32
  /// Heads are signed by this one.
  let signingKey: Bytes32
  /// The last chain value of an earlier log; zeros if there was none.
  let predecessor: Bytes32
  /// SHA-256 of the header: it names the log and its keys.
  let digest: Bytes32

  init(logID: [UInt8], sealingKey: Bytes32, signingKey: Bytes32, predecessor: Bytes32 = Bytes32()) {
    (self.logID, self.sealingKey, self.signingKey) = (logID, sealingKey, signingKey)
    self.predecessor = predecessor
    digest = SHA256.digest(of: Self.bytes(logID, sealingKey, signingKey, predecessor))
  }

  init(_ bytes: [UInt8]) throws(AuditIntegrityError) {
    var reader = ByteReader(bytes[...])
    guard let magic = reader.take(8), Array(magic) == Self.magic, let version: UInt32 = reader.integer() else {
      throw .damagedHeader
    }
    guard version <= Self.version else { throw .newerVersion(found: version) }
    guard version == Self.version, let zero: UInt32 = reader.integer(), zero == 0, let id = reader.take(16),
      let sealingKey = reader.bytes32(), let signingKey = reader.bytes32(), let predecessor = reader.bytes32(), reader.isAtEnd
    else { throw .damagedHeader }
    self.init(logID: Array(id), sealingKey: sealingKey, signingKey: signingKey, predecessor: predecessor)
  }

  var bytes: [UInt8] { Self.bytes(logID, sealingKey, signingKey, predecessor) }

  /// The beginning of every log's name.
  static let originStart = "holdfast.local/log/"

  /// The log's name in checkpoints. Half of the digest: nobody can make another header with an existing name.
  var origin: String { Self.originStart + Hex.encode(Array(digest.array.prefix(16))) }

  /// The position of an empty log.
  var start: LogPosition { LogPosition(end: LogLayout.firstRecord) }

  private static func bytes(_ id: [UInt8], _ sealing: Bytes32, _ signing: Bytes32, _ predecessor: Bytes32) -> [UInt8] {
    var bytes = magic
    bytes.append(bigEndian: version)
    bytes.append(bigEndian: UInt32(0))
    return bytes + id + sealing.array + signing.array + predecessor.array
  }
}
