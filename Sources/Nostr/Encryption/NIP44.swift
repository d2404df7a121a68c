import Ciphers
public import Curve
public import Encodings
public import SecretMemory

/// Encrypted payloads, version 2 (NIP-44): ChaCha20 and HMAC-SHA256 over padded text.
///
/// A payload is base64 of `2 | nonce 32 | ciphertext | mac 32`; the plaintext inside is `length | text | zeros`. The length has two
/// bytes below 65,536, else two zero bytes and four more, as NIP-44 says since 2026-06. Older peers refuse the long form.
public enum NIP44 {
  /// The most bytes a plaintext may have.
  public static let maximumPlaintext = 1 << 32 - 1
  /// The most bytes of plaintext that `decrypt` gives out unless told otherwise: 1 MiB.
  public static let standardLimit = 1 << 20
  /// The fewest characters of a payload.
  public static let minimumPayload = 132

  /// Encrypts under a fresh nonce.
  /// - Parameters:
  ///   - plaintext: 1 to 4,294,967,295 bytes of UTF-8; that they are UTF-8 is not checked.
  ///   - nonce: 32 bytes, never used twice with one key: give one in tests only.
  /// - Returns: the payload as ASCII.
  /// - Throws: `.plaintextEmpty`, `.plaintextTooLong`, `.outOfMemory`.
  public static func encrypt(
    _ plaintext: UnsafeRawBufferPointer, with key: ConversationKey, nonce: Bytes32 = .fresh()
  ) throws(EncryptionError) -> [UInt8] {
    guard plaintext.count > 0 else { throw .plaintextEmpty }
    guard plaintext.count <= maximumPlaintext else { throw .plaintextTooLong(limit: maximumPlaintext) }
    let layout = Layout(plaintext: plaintext.count)
    return try withUnsafeTemporaryAllocation(byteCount: layout.total, alignment: 16) { (message) throws(EncryptionError) in
      do {
        try seal(plaintext, key, nonce, layout, into: message)
      } catch {
        wipe(message)
        throw .outOfMemory
      }
      return Base64.encode(UnsafeRawBufferPointer(message))
    }
  }

  /// As above.
  public static func encrypt(
    _ plaintext: [UInt8], with key: ConversationKey, nonce: Bytes32 = .fresh()
  ) throws(EncryptionError) -> [UInt8] {
    try plaintext.withUnsafeBufferPointer { (bytes) throws(EncryptionError) in
      try encrypt(UnsafeRawBufferPointer(bytes), with: key, nonce: nonce)
    }
  }

  /// Decrypts a payload.
  /// - Parameters:
  ///   - payload: from a stranger; its length is checked against the limit before anything else is done.
  ///   - limit: the most bytes of plaintext.
  /// - Returns: the plaintext; that it is UTF-8 is not checked.
  /// - Throws: `.unknownVersion`, `.payloadTooShort`, `.payloadTooLong`, `.notBase64`, `.notAuthentic`, `.malformedPadding`,
  ///   `.plaintextTooLong`.
  public static func decrypt(
    _ payload: UnsafeBufferPointer<UInt8>, with key: ConversationKey, limit: Int = standardLimit
  ) throws(EncryptionError) -> [UInt8] {
    try withPlaintext(payload, with: key, limit: limit) { [UInt8]($0) }
  }

  /// As above.
  public static func decrypt(
    _ payload: [UInt8], with key: ConversationKey, limit: Int = standardLimit
  ) throws(EncryptionError) -> [UInt8] {
    try payload.withUnsafeBufferPointer { (bytes) throws(EncryptionError) in try decrypt(bytes, with: key, limit: limit) }
  }

  /// As above, for the content of an event.
  public static func decrypt(
    _ payload: String, with key: ConversationKey, limit: Int = standardLimit
  ) throws(EncryptionError) -> [UInt8] {
    var payload = payload
    return try withUTF8(&payload) { (bytes) throws(EncryptionError) in try decrypt(bytes, with: key, limit: limit) }
  }

  /// As `decrypt`, for a plaintext that is itself a secret.
  public static func decryptSecret(
    _ payload: UnsafeBufferPointer<UInt8>, with key: ConversationKey, limit: Int = standardLimit
  ) throws(EncryptionError) -> SecretBytes {
    let secret = try withPlaintext(payload, with: key, limit: limit) { try? SecretBytes(copying: $0) }
    guard let secret else { throw .outOfMemory }
    return secret
  }

  /// As above.
  public static func decryptSecret(
    _ payload: [UInt8], with key: ConversationKey, limit: Int = standardLimit
  ) throws(EncryptionError) -> SecretBytes {
    var secret: SecretBytes?
    try payload.withUnsafeBufferPointer { (bytes) throws(EncryptionError) in
      secret = try decryptSecret(bytes, with: key, limit: limit)
    }
    guard let secret = secret.take() else { throw .outOfMemory }
    return secret
  }

  /// The length of the payload for that many bytes of plaintext, in characters.
  /// - Parameter count: 1 to `maximumPlaintext`; what lies outside is taken for the nearest bound.
  public static func encodedLength(_ count: Int) -> Int {
    Base64.encodedLength(Layout(plaintext: min(max(count, 1), maximumPlaintext)).total)
  }

  /// The length that `count` bytes of plaintext are padded to: 32 at least, then steps of an eighth of the next power of two.
  public static func paddedLength(_ count: Int) -> Int {
    guard count > 32 else { return 32 }
    let power = 1 << (Int.bitWidth - (count - 1).leadingZeroBitCount)
    let chunk = power <= 256 ? 32 : power / 8
    return chunk * ((count - 1) / chunk + 1)
  }
}

extension NIP44 {
  /// Where things lie in a message before base64.
  struct Layout {
    static let header = 33  // version and nonce
    static let code = 32
    let prefix: Int
    let padded: Int

    init(plaintext count: Int) {
      prefix = count < 65536 ? 2 : 6
      padded = NIP44.paddedLength(count)
    }

    var ciphertext: Range<Int> { Self.header..<Self.header + prefix + padded }
    var total: Int { ciphertext.upperBound + Self.code }
  }

  private static func seal(
    _ plaintext: UnsafeRawBufferPointer, _ key: ConversationKey, _ nonce: Bytes32, _ layout: Layout,
    into message: UnsafeMutableRawBufferPointer
  ) throws(CipherError) {
    message[0] = 2
    nonce.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: message[1..<33]).copyMemory(from: $0) }
    let inner = UnsafeMutableRawBufferPointer(rebasing: message[layout.ciphertext])
    pad(plaintext, layout, into: inner)
    let nonceBytes = UnsafeRawBufferPointer(rebasing: message[1..<33])
    try key.withMessageKeys(nonce: nonceBytes) { (keys) throws(CipherError) in
      try cipher(keys, inner)
      let covered = UnsafeRawBufferPointer(rebasing: message[1..<layout.ciphertext.upperBound])
      code(keys, covered, into: UnsafeMutableRawBufferPointer(rebasing: message[layout.ciphertext.upperBound...]))
    }
  }

  private static func pad(_ plaintext: UnsafeRawBufferPointer, _ layout: Layout, into inner: UnsafeMutableRawBufferPointer) {
    if layout.prefix == 2 {
      inner.storeBytes(of: UInt16(plaintext.count).bigEndian, as: UInt16.self)
    } else {
      inner.storeBytes(of: 0, as: UInt16.self)
      inner.storeBytes(of: UInt32(plaintext.count).bigEndian, toByteOffset: 2, as: UInt32.self)
    }
    let text = UnsafeMutableRawBufferPointer(rebasing: inner[layout.prefix...])
    text.copyMemory(from: plaintext)
    UnsafeMutableRawBufferPointer(rebasing: text[plaintext.count...]).initializeMemory(as: UInt8.self, repeating: 0)
  }

  /// ChaCha20 in place, with the first two of the message keys.
  static func cipher(_ keys: UnsafeRawBufferPointer, _ text: UnsafeMutableRawBufferPointer) throws(CipherError) {
    try ChaCha20.apply(
      key: UnsafeRawBufferPointer(rebasing: keys[0..<32]), nonce: UnsafeRawBufferPointer(rebasing: keys[32..<44]),
      to: UnsafeRawBufferPointer(text), into: text)
  }

  /// HMAC with the third of the message keys.
  static func code(
    _ keys: UnsafeRawBufferPointer, _ covered: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
  ) {
    var hmac = HMACSHA256(key: UnsafeRawBufferPointer(rebasing: keys[44..<76]))
    hmac.update(covered)
    hmac.finish(into: target)
  }
}
