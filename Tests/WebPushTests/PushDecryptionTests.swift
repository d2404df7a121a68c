import Ciphers
import Encodings
import SecretMemory
import TestSupport
import TestVectors
import Testing

@testable import WebPush

@Suite("Received push messages")
final class PushDecryptionTests {  // a class: the key cannot be copied
  private let key: P256.PrivateKey
  private let receiver: PushReceiver

  init() throws {
    key = try P256.PrivateKey.random()
    receiver = try PushReceiver(
      endpoint: PushEndpoint(parsing: "https://push.example/p"), key: key.publicKey.bytes, auth: [UInt8](repeating: 7, count: 16))
  }

  private func decrypted(_ body: [UInt8]) throws(WebPushError) -> [UInt8] {
    try PushDecryption.decrypt(body, key: key, auth: receiver.auth)
  }

  /// A body whose record is as given, with delimiter and padding.
  private func made(ofRecord record: [UInt8], recordSize: UInt32 = 4096) throws -> [UInt8] {
    let sender = try P256.PrivateKey.random()
    let salt = SystemRandom.bytes(16)
    let keys = try PushKeys(
      shared: try sender.sharedSecret(with: P256.PublicKey(receiver.key)), auth: receiver.auth, receiver: receiver.key,
      sender: sender.publicKey.bytes, salt: salt)
    let sealed = try record.withUnsafeBytes { record in
      try keys.content.withBytes { try AESGCM.seal(record, key: $0, nonce: keys.nonce, associated: [], variant: .aes128) }
    }
    var body = salt
    body.append(bigEndian: recordSize)
    return body + [65] + sender.publicKey.bytes + sealed
  }

  @Test("The published push messages are decrypted", .vectors("RFC 8291")) func publishedMessages() throws {
    for example in try Vectors.cases("rfc8291/web-push.json", "") {
      func value(_ name: String) throws -> [UInt8] { try #require(Base64URL.decode(example[name] as? String ?? "")) }
      let key = try P256.PrivateKey(secret(value("ua_private")))
      let message = Array(try #require(example["plaintext"] as? String).utf8)
      #expect(try PushDecryption.decrypt(value("body"), key: key, auth: value("auth_secret")) == message)
    }
  }

  /// RFC 8291, section 5.
  @Test("The message of RFC 8291 is decrypted") func theMessageOfRFC8291() throws {
    let key = try P256.PrivateKey(secret(#require(Base64URL.decode("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"))))
    let body = try #require(
      Base64URL.decode(
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w"
          + "EqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"))
    let auth = try #require(Base64URL.decode("BTBZMqHH6r4Tts7J_aSIgg"))
    #expect(try PushDecryption.decrypt(body, key: key, auth: auth) == Array("When I grow up, I want to be a watermelon".utf8))
  }

  @Test("What is encrypted is decrypted, whatever its length and padding") func roundTrip() throws {
    for length in [0, 1, 127, 128, 129, 512, PushEncryption.maximumLength] {
      let message = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
      for padding in [0, 128, 512] where padding <= PushEncryption.maximumLength {
        #expect(try decrypted(PushEncryption.encrypt(message, for: receiver, paddedTo: padding)) == message)
      }
    }
  }

  @Test("A message that was changed anywhere is refused") func everyByteCounts() throws {
    let body = try PushEncryption.encrypt([1, 2, 3], for: receiver, paddedTo: 0)
    for place in body.indices where !(16..<20).contains(place) {  // the record size only says what it must be at least
      var changed = body
      changed[place] ^= 1
      #expect(throws: WebPushError.self, "byte \(place)") { try decrypted(changed) }
    }
  }

  @Test("A message for another receiver, or with another secret, is refused") func forSomebodyElse() throws {
    let body = try PushEncryption.encrypt([1], for: receiver)
    let other = try P256.PrivateKey.random()
    #expect(throws: WebPushError.notAuthentic) { try PushDecryption.decrypt(body, key: other, auth: receiver.auth) }
    #expect(throws: WebPushError.notAuthentic) {
      try PushDecryption.decrypt(body, key: key, auth: [UInt8](repeating: 8, count: 16))
    }
  }

  @Test("Bytes that are no message of one record are refused") func malformed() throws {
    let body = try PushEncryption.encrypt([1], for: receiver, paddedTo: 0)
    for length in 0..<(body.count - 2) {
      #expect(throws: WebPushError.self, "\(length)") { try decrypted(Array(body[..<length])) }
    }
    #expect(throws: WebPushError.bodyTooLong(limit: 4096)) { try decrypted([UInt8](repeating: 0, count: 4097)) }
    var offCurve = body
    offCurve.replaceSubrange(22..<86, with: [UInt8](repeating: 1, count: 64))
    #expect(throws: WebPushError.bodyMalformed) { try decrypted(offCurve) }
    // The first of two records, no delimiter at all, and a record that is longer than the header says.
    for record in [[5, 1], [0, 0, 0], [9, 9]] as [[UInt8]] {
      #expect(throws: WebPushError.bodyMalformed) { try decrypted(made(ofRecord: record)) }
    }
    #expect(throws: WebPushError.bodyMalformed) { try decrypted(made(ofRecord: [1, 2], recordSize: 17)) }
    #expect(throws: WebPushError.bodyMalformed) { try decrypted(made(ofRecord: [1, 1, 1, 2], recordSize: 18)) }
    #expect(try decrypted(made(ofRecord: [1, 2, 2, 0, 0])) == [1, 2], "padding is taken off, and nothing else")
  }
}
