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
    let keys = try PushKeys(shared: shared, auth: receiver.auth, receiver: receiver.key, sender: own, salt: salt)
    // 2 marks the last record; the zeros after it are padding.
    let record = plaintext + [2] + [UInt8](repeating: 0, count: max(0, paddedTo - plaintext.count))
    let sealed = try record.withUnsafeBytes { record in
      try keys.content.withBytes { try AESGCM.seal(record, key: $0, nonce: keys.nonce, associated: [], variant: .aes128) }
    }
    var body = salt
    body.append(bigEndian: UInt32(recordSize))
    return body + [UInt8(own.count)] + own + sealed
  }
}
