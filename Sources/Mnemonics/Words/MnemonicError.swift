import Ciphers
import SecretMemory
import UnicodeNormalization

/// What can be wrong with a mnemonic sentence, a passphrase or entropy. No case carries a word or a byte of them.
public enum MnemonicError: Error, Equatable, Sendable {
  /// No guarded memory is left.
  case outOfMemory
  /// There is no text at all.
  case empty
  /// More than `limit` bytes of text.
  case tooLong(limit: Int)
  /// The text is not UTF-8.
  case notUTF8
  /// Not 12, 15, 18, 21 or 24 words; the number found.
  case wordCount(Int)
  /// The word at this position (the first is 1) is not in the word list; without a named language, in none that has the words before.
  case unknownWord(position: Int)
  /// All words are known, but the checksum in the last one does not fit: a word is wrong or two are swapped.
  case checksum
  /// Entropy is not 16, 20, 24, 28 or 32 bytes; the number found.
  case entropyLength(Int)
  /// A library refused a call that should not fail; its name for logs.
  case library(Library)

  /// The libraries behind this module.
  public enum Library: Sendable { case normalization, keyDerivation }
}

/// A text in Unicode's form NFKD, as BIP-39 wants sentences and passphrases.
/// - Parameter text: 1 to `Normalization.longestText` bytes of UTF-8.
/// - Throws: `.empty`, `.tooLong`, `.notUTF8` (surrogates included), `.outOfMemory`.
func nfkd(_ text: UnsafeRawBufferPointer) throws(MnemonicError) -> SecretBytes {
  do { return try Normalization.nfkd(text) } catch {
    switch error {
    case .outOfMemory: throw .outOfMemory
    case .empty: throw .empty
    case .tooLong(let limit): throw .tooLong(limit: limit)
    case .notUTF8: throw .notUTF8
    case .library: throw .library(.normalization)
    }
  }
}

/// As `SecretBytes.init(count:filling:)` with this module's error.
func secretBytes(
  _ count: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(MnemonicError) -> Void
) throws(MnemonicError) -> SecretBytes {
  do throws(SecretBytesError<MnemonicError>) { return try SecretBytes(count: count, filling: fill) } catch {
    switch error {
    case .outOfMemory: throw .outOfMemory
    case .filling(let fault): throw fault
    }
  }
}

extension UnsafeRawBufferPointer {
  /// A part of these bytes as a buffer of its own.
  func part(_ range: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: self[range]) }
}

extension UnsafeMutableRawBufferPointer {
  /// Copies `bytes` to `offset`; both ends must fit.
  func place(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    UnsafeMutableRawBufferPointer(rebasing: self[offset..<offset + bytes.count]).copyMemory(from: bytes)
  }
}
