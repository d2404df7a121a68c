import Curve

/// What is wrong with a bech32 text: an `npub`, `nsec`, `nevent`, `ncryptsec` … No case carries the text.
public enum EntityError: Error, Equatable, Sendable {
  /// More characters than the limit.
  case tooLong(limit: Int)
  /// A character that bech32 does not have, at this position.
  case invalidCharacter(at: Int)
  /// Upper and lower case in one text.
  case mixedCase
  /// No `1` between prefix and data, or nothing before it.
  case missingPrefix
  /// Fewer than the six characters of a checksum behind the `1`.
  case tooShort
  /// A character was mistyped or lost.
  case wrongChecksum
  /// The checksum of bech32m, which Nostr does not use.
  case bech32m
  /// Bits left over that make no whole byte, or are not zero.
  case strayBits

  /// A well-formed bech32 text of a kind that was not asked for or is not known.
  case otherPrefix
  /// The text holds a secret key; read it with `NIP19.secretKey` or `NIP49`.
  case isSecret
  /// `nrelay`, which NIP-19 has given up.
  case deprecated
  /// The wrong number of bytes inside.
  case wrongLength(Int)
  /// A record that is cut short or has the wrong length; its place in bytes.
  case malformedRecord(at: Int)
  /// A record that must stand once is missing or stands twice; its type.
  case missingRecord(type: UInt8), repeatedRecord(type: UInt8)
  /// More than 255 bytes in one record.
  case recordTooLong(Int)
  /// The 32 bytes are no secret key of the curve.
  case invalidSecretKey

  /// An `ncryptsec` of another version than 2, or with an unknown security byte.
  case unknownVersion(UInt8)
  /// An `ncryptsec` that would need more memory than allowed: log2 of its cost, and the most that is.
  case costOutOfRange(logN: Int, limit: Int)
  /// The password is wrong, or the text was altered in a way that keeps its checksum.
  case wrongPassword
  /// The password is no UTF-8, or longer than `Normalization.longestText`.
  case unusablePassword
  case outOfMemory
}

extension EntityError {
  init(_ error: CurveError) { self = error == .outOfMemory ? .outOfMemory : .invalidSecretKey }
}
