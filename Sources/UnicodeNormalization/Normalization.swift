import CUtf8proc
package import SecretMemory

/// Unicode normalisation of secrets (UAX #15), through utf8proc. Every buffer that sees the text is `SecretBytes`.
package enum Normalization {
  /// The longest text that is normalised, in bytes: some characters grow eighteenfold, four bytes for each.
  package static let longestText = 4096

  /// Compatibility decomposition, as BIP-39 wants sentences and passphrases.
  /// - Parameter text: 1 to `longestText` bytes of UTF-8.
  /// - Throws: `.empty`, `.tooLong`, `.notUTF8` (surrogates included), `.outOfMemory`.
  package static func nfkd(_ text: UnsafeRawBufferPointer) throws(NormalizationError) -> SecretBytes {
    try normalized(text, UTF8PROC_DECOMPOSE)
  }

  /// Compatibility composition, as NIP-49 wants passwords.
  /// - Parameter text: 1 to `longestText` bytes of UTF-8.
  /// - Throws: `.empty`, `.tooLong`, `.notUTF8` (surrogates included), `.outOfMemory`.
  package static func nfkc(_ text: UnsafeRawBufferPointer) throws(NormalizationError) -> SecretBytes {
    try normalized(text, UTF8PROC_COMPOSE)
  }

  private static func normalized(
    _ text: UnsafeRawBufferPointer, _ form: utf8proc_option_t
  ) throws(NormalizationError) -> SecretBytes {
    guard text.count > 0 else { throw .empty }
    guard text.count <= longestText else { throw .tooLong(limit: longestText) }
    let options = utf8proc_option_t(rawValue: form.rawValue | UTF8PROC_STABLE.rawValue | UTF8PROC_COMPAT.rawValue)
    let needed = try decompose(text, into: nil, options)
    var length = 0
    // One code point more than needed: the re-encoding ends its output with a zero byte.
    let scratch = try secretBytes((needed + 1) * MemoryLayout<utf8proc_int32_t>.size) { buffer throws(NormalizationError) in
      let count = try decompose(text, into: buffer, options)
      length = utf8proc_reencode(buffer.baseAddress?.assumingMemoryBound(to: utf8proc_int32_t.self), count, options)
      guard length > 0 else { throw .library }
    }
    return try scratch.withBytes { bytes throws(NormalizationError) in
      try secretBytes(length) { $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<length])) }
    }
  }

  /// - Parameter buffer: nil to ask only for the number of code points.
  /// - Returns: the number of code points.
  private static func decompose(
    _ text: UnsafeRawBufferPointer, into buffer: UnsafeMutableRawBufferPointer?, _ options: utf8proc_option_t
  ) throws(NormalizationError) -> Int {
    let room = buffer.map { $0.count / MemoryLayout<utf8proc_int32_t>.size } ?? 0
    let count = utf8proc_decompose(
      text.baseAddress?.assumingMemoryBound(to: utf8proc_uint8_t.self), text.count,
      buffer?.baseAddress?.assumingMemoryBound(to: utf8proc_int32_t.self), room, options)
    guard count != Int(UTF8PROC_ERROR_INVALIDUTF8) else { throw .notUTF8 }
    guard count > 0, buffer == nil || count < room else { throw .library }
    return count
  }
}
