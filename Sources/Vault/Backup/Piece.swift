import Ciphers
import Encodings
import SecretMemory

// The sealed part of a backup, for docs/FORMATS.md: the contents cut into pieces of 64 KiB, the last one shorter or as long and
// never empty, each sealed with ChaCha20-Poly1305 (RFC 8439) and 16 bytes longer for it. The nonce is the piece's number (11 bytes,
// big-endian, from 0) and 1 for the last piece, 0 for the others (the STREAM construction, as age has it): pieces that are left
// out, moved, repeated or cut off do not open where they stand.

/// How the pieces of a backup are sealed.
enum Piece {
  /// Bytes of contents in each piece but the last.
  static let length = 64 << 10
  /// The same, sealed.
  static let sealedLength = length + ChaChaPoly.tagLength

  /// Bytes that contents of that length have when they are sealed.
  static func sealedLength(of contents: UInt64) -> UInt64 {
    let (whole, rest) = contents.quotientAndRemainder(dividingBy: UInt64(length))
    return contents &+ (whole &+ (rest > 0 ? 1 : 0)) &* UInt64(ChaChaPoly.tagLength)
  }

  /// - Returns: nil when it does not open: another key, number or place, or a changed byte.
  static func open(_ sealed: UnsafeRawBufferPointer, _ number: UInt64, isLast: Bool, under key: SecretBox) -> [UInt8]? {
    try? key.withBytes { key in
      try ChaChaPoly.openPublic(sealed, key: key, nonce: nonce(number, isLast), associated: [], variant: .ietf)
    }
  }

  static func seal(
    _ contents: [UInt8], _ number: UInt64, isLast: Bool, under key: SecretBox
  ) throws(BackupError) -> [UInt8] {
    do {
      return try contents.withUnsafeBytes { contents in
        try key.withBytes { key in
          try ChaChaPoly.seal(contents, key: key, nonce: nonce(number, isLast), associated: [], variant: .ietf)
        }
      }
    } catch { throw .vault(.outOfMemory) }
  }

  private static func nonce(_ number: UInt64, _ isLast: Bool) -> [UInt8] {
    var nonce: [UInt8] = [0, 0, 0]
    nonce.append(bigEndian: number)
    return nonce + [isLast ? 1 : 0]
  }
}
