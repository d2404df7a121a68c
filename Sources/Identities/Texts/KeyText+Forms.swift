import Curve
import Encodings
import Nostr
import SecretMemory

extension KeyText {
  /// The form of a text, by its beginning. Nil for an unknown form.
  static func form(of bytes: UnsafeRawBufferPointer) -> KeyForm? {
    if let file = KeyExport.form(of: bytes) { return file }
    if hasPrefix(bytes, "{") || hasPrefix(bytes, "[") { return nil }
    if bytes.contains(where: { isSpace($0) || $0 >= 0x80 }) { return .mnemonic }
    if hasPrefix(bytes, "nsec1") { return .nsec }
    if hasPrefix(bytes, "ncryptsec1") { return .ncryptsec }
    return bytes.count == 64 && bytes.allSatisfy { Hex.value(of: $0) != nil } ? .hex : nil
  }

  static func isPublic(_ bytes: UnsafeRawBufferPointer) -> Bool {
    hasPrefix(bytes, "npub1") || hasPrefix(bytes, "nprofile1")
  }

  /// Bech32 may be all upper case.
  static func hasPrefix(_ bytes: UnsafeRawBufferPointer, _ prefix: StaticString) -> Bool {
    prefix.withUTF8Buffer { prefix in
      bytes.count >= prefix.count
        && zip(bytes, prefix).allSatisfy { $0 == $1 || ((0x61...0x7a).contains($1) && $0 == $1 - 0x20) }
    }
  }

  /// - Parameter hex: any bytes.
  static func key(hex: UnsafeRawBufferPointer, of form: KeyForm) throws(IdentityError) -> SecretKey {
    guard hex.count == 64, hex.allSatisfy({ Hex.value(of: $0) != nil }) else { throw .badKey(.notAKey(form)) }
    let secret: SecretBytes
    do {
      secret = try SecretBytes(count: 32) { (target) throws(Never) in
        for index in 0..<32 {
          target[index] = (Hex.value(of: hex[2 * index]) ?? 0) << 4 | (Hex.value(of: hex[2 * index + 1]) ?? 0)  // 64 digits, seen
        }
      }
    } catch { throw .outOfMemory }
    do { return try SecretKey(secret) } catch { throw error == .outOfMemory ? .outOfMemory : .badKey(.notAKey(form)) }
  }

  static func fault(_ form: KeyForm, _ error: EntityError) -> IdentityError {
    switch error {
    case .outOfMemory: .outOfMemory
    case .wrongPassword: .badKey(.wrongPassword)
    case .invalidSecretKey: .badKey(.notAKey(form))
    default: .badKey(.text(form, error))
    }
  }

  static func trimmed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var rest = bytes[...]
    while let first = rest.first, isSpace(first) { rest = rest.dropFirst() }
    while let last = rest.last, isSpace(last) { rest = rest.dropLast() }
    return UnsafeRawBufferPointer(rebasing: rest)
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
}
