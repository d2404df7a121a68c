import SecretMemory

/// Why a text has no normal form. No case carries a byte of it.
package enum NormalizationError: Error, Equatable, Sendable {
  /// No guarded memory is left.
  case outOfMemory
  /// There is no text at all.
  case empty
  /// More than `limit` bytes of text.
  case tooLong(limit: Int)
  /// The text is not UTF-8.
  case notUTF8
  /// The library refused a call that should not fail.
  case library
}

/// As `SecretBytes.init(count:filling:)` with this module's error.
func secretBytes(
  _ count: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(NormalizationError) -> Void
) throws(NormalizationError) -> SecretBytes {
  do throws(SecretBytesError<NormalizationError>) { return try SecretBytes(count: count, filling: fill) } catch {
    switch error {
    case .outOfMemory: throw .outOfMemory
    case .filling(let fault): throw fault
    }
  }
}
