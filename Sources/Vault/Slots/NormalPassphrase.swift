package import SecretMemory
import UnicodeNormalization

/// Passphrases in Unicode's form NFKC, of which keys are made: keyboards and systems spell "é" as one character or as two, and a
/// passphrase is the same one for its owner.
///
/// Only bytes that are UTF-8 of at most `Normalization.longestText` bytes have such a form; others are used as they are. PINs of tokens are
/// the token's affair and go to it as typed.
package enum NormalPassphrase {
  /// The form; nil where it is what was typed, or there is none.
  package static func differing(from typed: UnsafeRawBufferPointer) throws(VaultError) -> SecretBytes? {
    let normal: SecretBytes
    do { normal = try Normalization.nfkc(typed) } catch {
      guard error != .outOfMemory else { throw .outOfMemory }
      return nil
    }
    guard normal.withBytes({ !constantTimeEqual($0, typed) }) else { return nil }
    return normal
  }

  /// Lends the bytes that keys are made of today.
  static func withBytes<Result: ~Copyable>(
    of typed: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws(VaultError) -> Result
  ) throws(VaultError) -> Result {
    guard let normal = try differing(from: typed) else { return try body(typed) }
    return try normal.withBytes(body)
  }
}
