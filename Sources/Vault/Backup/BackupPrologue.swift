import Ciphers
import Encodings
import SecretMemory

// The beginning of a backup file, for docs/FORMATS.md; numbers big-endian.
//
//   8  magic "HFBACKUP"     4  format version, 1     32  salt, random
//   8  length of the contents, before they are sealed
//   4  length of the vault's header, at most 64 KiB, then the header as in `header.body`, without what belongs to one device
//  32  HMAC-SHA256 of all before it, under HKDF-Expand(afterFirstUnlock class key, "holdfast backup header 1" ‖ salt)
//
// then the pieces, under HKDF-Expand(afterFirstUnlock class key, "holdfast backup contents 1" ‖ SHA-256 of all before the code).

/// What is in clear at the beginning of a backup.
package struct BackupPrologue: Equatable {
  static let magic = Array("HFBACKUP".utf8)
  static let version: UInt32 = 1
  static let saltLength = 32
  /// The longest header of a vault, in bytes.
  static let maximumHeader = 64 << 10
  /// The longest contents, in bytes: a length near the end of the numbers must not overflow.
  static let maximumContents: UInt64 = 1 << 48
  private static let fixedLength = 8 + 4 + saltLength + 8 + 4

  let salt: [UInt8]
  /// Bytes of contents, before they are sealed.
  let length: UInt64
  /// A vault's header.
  let header: [UInt8]

  init(salt: [UInt8], length: UInt64, header: [UInt8]) { (self.salt, self.length, self.header) = (salt, length, header) }

  /// All but the code.
  package var bytes: [UInt8] {
    var bytes = Self.magic
    bytes.append(bigEndian: Self.version)
    bytes += salt
    bytes.append(bigEndian: length)
    bytes.append(bigEndian: UInt32(header.count))
    return bytes + header
  }

  /// Reads the beginning with its code from what gives so many bytes, fewer at its end.
  package static func read(
    _ next: (Int) throws(BackupError) -> [UInt8]
  ) throws(BackupError) -> (prologue: BackupPrologue, code: [UInt8]) {
    let start = try next(fixedLength)
    var reader = ByteReader(start[...])
    guard let magic = reader.take(8), Array(magic) == Self.magic else { throw .notABackup }
    guard let version: UInt32 = reader.integer() else { throw .cut(missing: UInt64(fixedLength - start.count)) }
    guard version == Self.version else { throw version > Self.version ? .newerVersion(found: version) : .headerDamaged }
    guard let salt = reader.take(saltLength), let length: UInt64 = reader.integer(), let count: UInt32 = reader.integer() else {
      throw .cut(missing: UInt64(fixedLength - start.count))
    }
    guard (1...UInt32(maximumHeader)).contains(count), (1...maximumContents).contains(length) else { throw .headerDamaged }
    let rest = try next(Int(count) + 32)
    guard rest.count == Int(count) + 32 else { throw .cut(missing: UInt64(Int(count) + 32 - rest.count)) }
    return (
      BackupPrologue(salt: Array(salt), length: length, header: Array(rest.dropLast(32))), Array(rest.suffix(32))
    )
  }

  /// The code over the beginning, 32 bytes.
  func code(under classKey: SecretBox) throws(BackupError) -> [UInt8] {
    let key = try Self.derive(classKey, "holdfast backup header 1", salt)
    return key.withBytes { key in bytes.withUnsafeBytes { HMACSHA256.code(key: key, $0) } }.array
  }

  /// The key of the pieces.
  func contentsKey(under classKey: SecretBox) throws(BackupError) -> SecretBox {
    try Self.derive(classKey, "holdfast backup contents 1", SHA256.digest(of: bytes).array)
  }

  private static func derive(
    _ classKey: SecretBox, _ label: StaticString, _ context: [UInt8]
  ) throws(BackupError) -> SecretBox {
    do { return SecretBox(try expandKey(classKey.duplicate(), Array(label.description.utf8) + context)) } catch {
      throw .vault(.outOfMemory)
    }
  }
}
