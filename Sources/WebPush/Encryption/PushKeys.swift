import Ciphers
import Encodings
import SecretMemory

/// The keys of one push message: RFC 8291 over one record of RFC 8188, `aes128gcm`.
struct PushKeys: ~Copyable {
  let content: SecretBytes
  let nonce: [UInt8]

  /// - Parameters:
  ///   - shared: the secret of both keys' agreement (ECDH).
  ///   - auth: the receiver's authentication secret.
  ///   - receiver: the receiver's public key, 65 bytes.
  ///   - sender: the sender's public key for this message, 65 bytes.
  ///   - salt: of this message, 16 bytes.
  init(shared: borrowing SecretBytes, auth: [UInt8], receiver: [UInt8], sender: [UInt8], salt: [UInt8]) throws {
    // RFC 8291, 3.4: the secret is bound to both keys and to the secret that only receiver and sender share.
    let combined = try Self.extract(salt: auth, shared)
    let input = try HKDFSHA256.expand(
      pseudorandomKey: combined, info: Self.label("WebPush: info") + receiver + sender, count: 32)
    // RFC 8188, 2.2 and 2.3.
    let pseudorandom = try Self.extract(salt: salt, input)
    let nonce = try HKDFSHA256.expand(pseudorandomKey: pseudorandom, info: Self.label("Content-Encoding: nonce"), count: 12)
      .withBytes { Array($0) }  // of the first record: the sequence number is zero
    let content = try HKDFSHA256.expand(
      pseudorandomKey: pseudorandom, info: Self.label("Content-Encoding: aes128gcm"), count: 16)
    self.nonce = nonce
    self.content = content
  }

  private static func extract(salt: [UInt8], _ input: borrowing SecretBytes) throws -> SecretBytes {
    var salt = salt
    let held = try SecretBytes(wiping: &salt)
    return try held.withBytes { salt in try input.withBytes { try HKDFSHA256.extract(salt: salt, inputKey: $0) } }
  }

  private static func label(_ text: StaticString) -> [UInt8] { Array(text.description.utf8) + [0] }
}
