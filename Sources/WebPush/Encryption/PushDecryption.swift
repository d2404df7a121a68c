package import Ciphers
import Encodings
import SecretMemory

/// Message decryption for Web Push, for a receiver that is no browser: RFC 8291 over one record of RFC 8188, `aes128gcm`.
package enum PushDecryption {
  /// The longest body, in bytes: what a push service must accept (RFC 8030, section 7.2).
  package static let maximumBody = 4096

  private static let saltLength = 16
  /// Salt, record size and the length of the sender's key.
  private static let headerLength = saltLength + 4 + 1
  /// The least record size of RFC 8188: a tag, a delimiter and one byte.
  private static let leastRecord: UInt32 = 18

  /// - Parameters:
  ///   - body: content encoding `aes128gcm`, from a stranger.
  ///   - key: the receiver's private key.
  ///   - auth: the receiver's authentication secret, 16 bytes.
  /// - Returns: the plaintext, without padding.
  /// - Throws: `.bodyTooLong`, `.bodyMalformed`; `.notAuthentic` when it was made for another receiver, or changed on the way.
  package static func decrypt(
    _ body: [UInt8], key: borrowing P256.PrivateKey, auth: [UInt8]
  ) throws(WebPushError) -> [UInt8] {
    guard body.count <= maximumBody else { throw .bodyTooLong(limit: maximumBody) }
    guard body.count > headerLength, Int(body[headerLength - 1]) == P256.pointLength else { throw .bodyMalformed }
    let sealed = body.dropFirst(headerLength + P256.pointLength)
    let recordSize = body[saltLength..<saltLength + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    // RFC 8291, section 4: a push message is one record.
    guard recordSize >= leastRecord, sealed.count >= leastRecord - 1, sealed.count <= recordSize else { throw .bodyMalformed }
    let sender = Array(body[headerLength..<headerLength + P256.pointLength])
    guard let senderKey = try? P256.PublicKey(sender) else { throw .bodyMalformed }
    let record = try opened(Array(sealed), from: senderKey, key, auth, salt: Array(body[..<saltLength]))
    return try content(of: record)
  }

  private static func opened(
    _ sealed: [UInt8], from sender: P256.PublicKey, _ key: borrowing P256.PrivateKey, _ auth: [UInt8], salt: [UInt8]
  ) throws(WebPushError) -> [UInt8] {
    do {
      let shared = try key.sharedSecret(with: sender)
      let keys = try PushKeys(shared: shared, auth: auth, receiver: key.publicKey.bytes, sender: sender.bytes, salt: salt)
      return try sealed.withUnsafeBytes { sealed in
        try keys.content.withBytes { content in
          try AESGCM.open(sealed, key: content, nonce: keys.nonce, associated: [], variant: .aes128).withBytes { Array($0) }
        }
      }
    } catch { throw .notAuthentic }
  }

  /// 2 marks the end of the last record; only zeros may follow it.
  private static func content(of record: [UInt8]) throws(WebPushError) -> [UInt8] {
    guard let end = record.lastIndex(where: { $0 != 0 }), record[end] == 2 else { throw .bodyMalformed }
    return Array(record[..<end])
  }
}
