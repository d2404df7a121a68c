import Ciphers
import Encodings
import SecretMemory

extension NIP44 {
  /// Decrypts and lends the plaintext to `body`; every copy made here is wiped.
  static func withPlaintext<R: ~Copyable>(
    _ payload: UnsafeBufferPointer<UInt8>, with key: ConversationKey, limit: Int, _ body: (UnsafeRawBufferPointer) -> R
  ) throws(EncryptionError) -> R {
    guard let first = payload.first, first != UInt8(ascii: "#") else { throw .unknownVersion }
    guard payload.count >= minimumPayload else { throw .payloadTooShort(payload.count) }
    guard payload.count <= encodedLength(limit) else { throw .payloadTooLong(limit: encodedLength(limit)) }
    return try withUnsafeTemporaryAllocation(
      byteCount: payload.count / 4 * 3 + 3, alignment: 16
    ) { (memory) throws(EncryptionError) -> R in
      guard let count = Base64.read(payload, into: memory.bindMemory(to: UInt8.self)) else { throw EncryptionError.notBase64 }
      let message = UnsafeMutableRawBufferPointer(rebasing: memory[0..<count])
      let inner = try open(message, key)
      defer { wipe(inner) }
      return body(try text(UnsafeRawBufferPointer(inner), limit))
    }
  }

  /// Checks version and code, decrypts in place.
  private static func open(
    _ message: UnsafeMutableRawBufferPointer, _ key: ConversationKey
  ) throws(EncryptionError) -> UnsafeMutableRawBufferPointer {
    guard message[0] == 2 else { throw .unknownVersion }  // 132 characters make 97 bytes at least
    guard message.count >= 99 else { throw .payloadTooShort(message.count) }
    let end = message.count - Layout.code
    let inner = UnsafeMutableRawBufferPointer(rebasing: message[Layout.header..<end])
    let nonce = UnsafeRawBufferPointer(rebasing: message[1..<Layout.header])
    try key.withMessageKeys(nonce: nonce) { (keys) throws(EncryptionError) in
      guard isAuthentic(message, end, keys) else { throw EncryptionError.notAuthentic }
      do { try cipher(keys, inner) } catch { throw EncryptionError.outOfMemory }
    }
    return inner
  }

  private static func isAuthentic(
    _ message: UnsafeMutableRawBufferPointer, _ end: Int, _ keys: UnsafeRawBufferPointer
  ) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: Layout.code, alignment: 8) { expected in
      code(keys, UnsafeRawBufferPointer(rebasing: message[1..<end]), into: expected)
      return constantTimeEqual(UnsafeRawBufferPointer(expected), UnsafeRawBufferPointer(rebasing: message[end...]))
    }
  }

  /// The text inside the padding. The padding bytes are not checked, as in NIP-44.
  private static func text(_ inner: UnsafeRawBufferPointer, _ limit: Int) throws(EncryptionError) -> UnsafeRawBufferPointer {
    guard let length = length(inner), length > 0 else { throw .malformedPadding }
    let layout = Layout(plaintext: length)
    guard inner.count == layout.prefix + layout.padded else { throw .malformedPadding }
    guard length <= limit else { throw .plaintextTooLong(limit: limit) }
    return UnsafeRawBufferPointer(rebasing: inner[layout.prefix..<layout.prefix + length])
  }

  /// Two bytes, or two zero bytes and four more that must need them.
  private static func length(_ inner: UnsafeRawBufferPointer) -> Int? {
    guard inner.count >= 6 else { return nil }
    let short = Int(UInt16(bigEndian: inner.loadUnaligned(as: UInt16.self)))
    guard short == 0 else { return short }
    let long = Int(UInt32(bigEndian: inner.loadUnaligned(fromByteOffset: 2, as: UInt32.self)))
    return long >= 65536 ? long : nil
  }
}

/// `String.withUTF8` with a typed error.
func withUTF8<R, E: Error>(_ text: inout String, _ body: (UnsafeBufferPointer<UInt8>) throws(E) -> R) throws(E) -> R {
  let result: Result<R, E> = text.withUTF8 { bytes in
    do throws(E) { return .success(try body(bytes)) } catch { return .failure(error) }
  }
  return try result.get()
}
