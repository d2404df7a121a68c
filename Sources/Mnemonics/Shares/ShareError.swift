import Ciphers
import SecretMemory

/// What is wrong with one share. Cases carry places and numbers, never a word.
public enum ShareTextError: Error, Equatable, Sendable {
  /// No guarded memory is left.
  case outOfMemory
  /// Not a number of words that a share can have (20 to 33, but for those that stand for half a pair of bytes); the number found.
  case wordCount(Int)
  /// The word at this position (the first is 1) is not in the list. `ShareText.suggestion` has the nearest.
  case unknownWord(position: Int)
  /// All words are known, but the last three are not the checksum of the others: a word is wrong or two are swapped.
  case checksum
  /// The checksum fits, but bits that must be zero are not.
  case padding
  /// It wants more groups than there are.
  case tooFewGroups
  /// It belongs to another kit: its identifier or its sort is not that of the first share.
  case otherKit
  /// It has the identifier of the kit, but says something else about its groups or thresholds, or is of another length.
  case otherRules
  /// The same as the share at this position (the first is 1).
  case duplicate(of: Int)
  /// The same place in the kit as the share at this position, and other words: one of both is forged or from an older kit.
  case conflict(with: Int)
  /// It does not lie on one polynomial with the others: forged, or of another kit with the same identifier.
  case disagrees

  /// Whether the text is no share, whatever the others are.
  public var isMalformed: Bool {
    switch self {
    case .wordCount, .unknownWord, .checksum, .padding, .tooFewGroups: true
    case .outOfMemory, .otherKit, .otherRules, .duplicate, .conflict, .disagrees: false
    }
  }
}

/// Why a secret could not be split or put together.
public enum ShareError: Error, Equatable, Sendable {
  case outOfMemory
  /// A share is at fault; the first that was given is 1.
  case share(Int, ShareTextError)
  /// Not enough of them yet.
  case missing(ShareProgress)
  /// There are enough shares, each right in itself, but they do not belong together, and which is wrong cannot be said.
  case digest
  /// Several sets of shares are whole and give different secrets: the positions of each set's.
  case rivals([[Int]])
  /// More shares than are looked at together.
  case tooManyShares(limit: Int)
  /// So many shares that do not fit that more sets would have to be tried than `limit`.
  case tooManySets(limit: Int)
  /// A secret is 16 to 32 bytes, an even number; the number found.
  case secretLength(Int)
  /// Thresholds and counts that no kit can have.
  case plan(SharePlanError)
  /// SLIP-39 allows printable ASCII only; the byte at this position (the first is 1) is something else.
  case passphraseCharacter(position: Int)
  /// More than `limit` bytes of passphrase.
  case passphraseTooLong(limit: Int)
  /// The exponent of the iterations is 0 to 15.
  case exponent(Int)
  /// A library refused a call that should not fail.
  case library
}

/// As `SecretBytes.init(count:filling:)` with this folder's error.
func shareBytes(_ count: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Void) throws(ShareError) -> SecretBytes {
  do throws(SecretBytesError<Never>) { return try SecretBytes(count: count, filling: fill) } catch { throw .outOfMemory }
}
