import Ciphers
import Encodings
import SecretMemory
import TestSupport
import TestVectors
import Testing

@testable import WebPush

@Suite("Push messages")
struct PushEncryptionTests {
  /// The receiver of RFC 8291, section 5.
  static func receiver() throws -> PushReceiver {
    try PushReceiver(
      endpoint: PushEndpoint(parsing: "https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV"),
      key: #require(
        Base64URL.decode("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4")),
      auth: #require(Base64URL.decode("BTBZMqHH6r4Tts7J_aSIgg")))
  }

  /// RFC 8291, section 5 and appendix A, byte for byte.
  @Test("The message published in RFC 8291 is reproduced") func theMessageOfRFC8291() throws {
    let key = try P256.PrivateKey(secret(#require(Base64URL.decode("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))))
    let body = try PushEncryption.encrypt(
      Array("When I grow up, I want to be a watermelon".utf8), for: Self.receiver(), paddedTo: 0, key: key,
      salt: #require(Base64URL.decode("DGv6ra1nlYgDCS1FRnbzlw")))
    #expect(
      Base64URL.string(body)
        == "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w"
        + "EqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN")
  }

  @Test("The published push messages are reproduced byte for byte", .vectors("RFC 8291")) func publishedMessages() throws {
    for example in try Vectors.cases("rfc8291/web-push.json", "") {
      func value(_ name: String) throws -> [UInt8] { try #require(Base64URL.decode(example[name] as? String ?? "")) }
      let receiver = try PushReceiver(
        endpoint: PushEndpoint(parsing: "https://push.example.net/p"), key: value("ua_public"), auth: value("auth_secret"))
      let key = try P256.PrivateKey(secret(value("as_private")))
      #expect(key.publicKey.bytes == (try value("as_public")))
      let message = Array(try #require(example["plaintext"] as? String).utf8)
      #expect(try PushEncryption.encrypt(message, for: receiver, paddedTo: 0, key: key, salt: value("salt")) == value("body"))
    }
  }

  @Test("All messages have the same length") func lengthsTellNothing() throws {
    let receiver = try Self.receiver()
    let short = try PushEncryption.encrypt([1], for: receiver)
    let long = try PushEncryption.encrypt([UInt8](repeating: 1, count: PushEncryption.paddedLength), for: receiver)
    #expect(short.count == long.count && short.count == 16 + 4 + 1 + 65 + PushEncryption.paddedLength + 1 + 16)
    #expect(short[..<86] != long[..<86], "salt and key are fresh")
  }

  @Test("A message that is too long is refused") func nothingIsLongerThanARecord() throws {
    let receiver = try Self.receiver()
    let longest = try PushEncryption.encrypt([UInt8](repeating: 0, count: PushEncryption.maximumLength), for: receiver)
    #expect(longest.count == PushEncryption.recordSize)
    #expect(throws: WebPushError.messageTooLong(limit: 3993)) {
      try PushEncryption.encrypt([UInt8](repeating: 0, count: PushEncryption.maximumLength + 1), for: receiver)
    }
  }

  @Test("Invalid keys are refused") func refusesKeysThatAreNone() throws {
    let right = try Self.receiver()
    for key in [[], [4], [UInt8](repeating: 4, count: 65), Array(right.key.dropLast())] as [[UInt8]] {
      #expect(throws: WebPushError.keyNotOnCurve) { try PushReceiver(endpoint: right.endpoint, key: key, auth: right.auth) }
    }
    for count in [0, 15, 17] {
      #expect(throws: WebPushError.authNot16Bytes) {
        try PushReceiver(endpoint: right.endpoint, key: right.key, auth: [UInt8](repeating: 1, count: count))
      }
    }
  }

  // MARK: VAPID

  static let now: Int64 = 1_800_000_000

  @Test("A push token is signed for one service and for less than a day")
  func theTokenIsSignedForTheServiceAndForLessThanADay() throws {
    let key = VAPIDKey(try P256.PrivateKey.random(), contact: "mailto:a@b.example")
    let header = try key.authorization(for: Self.receiver().endpoint, now: Self.now)
    let point = try P256.PublicKey(#require(Base64URL.decode(key.publicKey)))
    #expect(header.hasPrefix("vapid t=") && header.hasSuffix(", k=\(key.publicKey)"))
    let parts = header.dropFirst(8).prefix { $0 != "," }.split(separator: ".")
    #expect(parts.count == 3)
    #expect(Base64URL.decode(String(parts[0])) == Array(#"{"typ":"JWT","alg":"ES256"}"#.utf8))
    let claims = #"{"aud":"https://push.example.net","exp":\#(Self.now + 43200),"sub":"mailto:a@b.example"}"#
    #expect(Base64URL.decode(String(parts[1])) == Array(claims.utf8))
    let signature = try P256.Signature(raw: #require(Base64URL.decode(String(parts[2]))))
    #expect(point.isValid(signature, ofMessage: Array("\(parts[0]).\(parts[1])".utf8)))
  }

  @Test("A push token is used again while it is valid") func aTokenIsKeptWhileItHolds() throws {
    let key = VAPIDKey(try P256.PrivateKey.random(), contact: "mailto:a@b.example")
    let endpoint = try Self.receiver().endpoint
    let other = try PushEndpoint(parsing: "https://other.example/x")
    let first = try key.authorization(for: endpoint, now: Self.now)
    #expect(try key.authorization(for: endpoint, now: Self.now + 3600 * 10) == first)
    #expect(try key.authorization(for: other, now: Self.now) != first)
    #expect(try key.authorization(for: endpoint, now: Self.now + 3600 * 11) != first)
    // The clock was set back by a day: the token would seem to hold for two.
    let later = try key.authorization(for: endpoint, now: Self.now + 3600 * 11)
    #expect(try key.authorization(for: endpoint, now: Self.now - 86_400) != later)
  }
}
