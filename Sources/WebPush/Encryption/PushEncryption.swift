import Ciphers
import Encodings
import SecretMemory

/// Message encryption for Web Push: RFC 8291 over one record of RFC 8188, `aes128gcm`.
package enum PushEncryption {
  /// The record size that every push service accepts, in bytes (RFC 8291, section 4).
  package static let recordSize = 4096
  /// The longest plaintext, in bytes: a record without tag and delimiter, and without the header, which push services count, too.
  package static let maximumLength = 3993
  /// All our messages are padded to this many bytes, so that their length reveals nothing.
  package static let paddedLength = 128

  /// - Parameters:
  ///   - plaintext: up to 3993 bytes.
  ///   - paddedTo: the least number of bytes to encrypt, without the delimiter.
  /// - Returns: a body for content encoding `aes128gcm`, made with a fresh key and salt.
  package static func encrypt(
    _ plaintext: [UInt8], for receiver: PushReceiver, paddedTo: Int = paddedLength
  ) throws(WebPushError) -> [UInt8] {
    do {
      return try encrypt(
        plaintext, for: receiver, paddedTo: paddedTo, key: P256.PrivateKey.random(), salt: SystemRandom.bytes(16))
    } catch let error as WebPushError { throw error } catch { throw .notEncrypted }
  }

  /// Encrypts with a given key and salt. Each pair must be used for one message only.
  static func encrypt(
    _ plaintext: [UInt8], for receiver: PushReceiver, paddedTo: Int, key: borrowing P256.PrivateKey, salt: [UInt8]
  ) throws -> [UInt8] {
    guard plaintext.count <= maximumLength, paddedTo <= maximumLength else {
      throw WebPushError.messageTooLong(limit: maximumLength)
    }
    let own = key.publicKey.bytes
    let shared = try key.sharedSecret(with: P256.PublicKey(receiver.key))
    // RFC 8291, 3.4: the secret is bound to both keys and to the secret that only the browser and we share.
    let combined = try extract(salt: receiver.auth, shared)
    let input = try HKDFSHA256.expand(
      pseudorandomKey: combined, info: label("WebPush: info") + receiver.key + own, count: 32)
    // RFC 8188, 2.2 and 2.3.
    let pseudorandom = try extract(salt: salt, input)
    let contentKey = try HKDFSHA256.expand(pseudorandomKey: pseudorandom, info: label("Content-Encoding: aes128gcm"), count: 16)
    let nonce = try HKDFSHA256.expand(pseudorandomKey: pseudorandom, info: label("Content-Encoding: nonce"), count: 12)
      .withBytes { Array($0) }  // of the first record: the sequence number is zero
    // 2 marks the last record; the zeros after it are padding.
    let record = plaintext + [2] + [UInt8](repeating: 0, count: max(0, paddedTo - plaintext.count))
    let sealed = try record.withUnsafeBytes { record in
      try contentKey.withBytes { try AESGCM.seal(record, key: $0, nonce: nonce, associated: [], variant: .aes128) }
    }
    var body = salt
    body.append(bigEndian: UInt32(recordSize))
    return body + [UInt8(own.count)] + own + sealed
  }

  private static func extract(salt: [UInt8], _ input: borrowing SecretBytes) throws -> SecretBytes {
    var salt = salt
    let held = try SecretBytes(wiping: &salt)
    return try held.withBytes { salt in try input.withBytes { try HKDFSHA256.extract(salt: salt, inputKey: $0) } }
  }

  private static func label(_ text: StaticString) -> [UInt8] { Array(text.description.utf8) + [0] }
}
