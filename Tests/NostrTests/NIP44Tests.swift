import Ciphers
import Curve
import Encodings
import Foundation
import Nostr
import SecretMemory
import TestSupport
import TestVectors
import Testing

@Suite("NIP-44")
struct NIP44Tests {
  private static func key(_ hex: String) throws -> ConversationKey {
    var bytes = try #require(Hex.decode(hex))
    return ConversationKey(secret: try SecretBytes(wiping: &bytes))
  }

  // The first vector of NIP-44's own text and its conversation key.
  private static let known = "c41c775356fd92eadc63ff5a0dc1da211b268cbea22316767095b2871ea1412d"
  private static let knownPayload =
    "AgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABee0G5VSK0/9YypIObAtDKfYEAjD35uVkHyB0F4DwrcNaCXlCWZKaArsGrY6M9wnuTMxWfp1RTN9Xga8no+kF5Vsb"
  private static let one = Bytes32(Array(repeating: 0, count: 31) + [1]) ?? Bytes32()

  @Test("Both sides derive the published conversation key") func bothSidesDeriveTheKnownKey() throws {
    let (a, b) = (try Samples.key(1), try Samples.key(2))
    for key in [try ConversationKey(a, b.publicKey), try ConversationKey(b, a.publicKey)] {
      #expect(key.withBytes { Hex.encode($0) } == Self.known)
    }
  }

  @Test("The published message is encrypted and decrypted") func encryptsAndDecryptsTheKnownMessage() throws {
    let key = try Self.key(Self.known)
    #expect(try NIP44.encrypt("a".bytes, with: key, nonce: Self.one).text == Self.knownPayload)
    #expect(try NIP44.decrypt(Self.knownPayload, with: key).text == "a")
    let secret = try NIP44.decryptSecret(Self.knownPayload.bytes, with: key)
    let copy = secret.withBytes { [UInt8]($0) }
    #expect(copy == "a".bytes)
  }

  @Test("A key can encrypt to itself") func encryptsToItself() throws {
    let pair = try Samples.key(7)
    let key = try ConversationKey(pair, pair.publicKey)
    #expect(try NIP44.decrypt(try NIP44.encrypt("self".bytes, with: key), with: key).text == "self")
  }

  @Test(
    "The long form of the length is used from 65,536 bytes on",
    arguments: [
      (65535, "6d8c2810d1e870fbaa1f0a0937126cca837a15f9260e27060c331d70a3c0bc84"),
      (65536, "b7b4edb36ba92e267d322d56d9aebc22e7fa96ff52e3c12adc07f07a43cbc616"),
      (65537, "eeb7c7c5373894ea2c1547cfd3ccb15d5a0b2d619da852e5c79df792dcc9e435"),
    ])
  func writesTheLongLengthFrom65536Bytes(count: Int, hash: String) throws {
    let key = try Self.key(Self.known)
    let plaintext = [UInt8](repeating: UInt8(ascii: "a"), count: count)
    let payload = try NIP44.encrypt(plaintext, with: key, nonce: Self.one)
    #expect(SHA256.digest(of: payload).hex == hash)
    #expect(try NIP44.decrypt(payload, with: key) == plaintext)
  }

  @Test("A long length where the short form fits is refused") func refusesALongLengthThatAShortOneWouldDoFor() throws {
    let key = try Self.key(Self.known)
    for length in [UInt32(0), 1, 26, 65535] {
      // As long as the short form would be, and as long as the long form would be.
      for prefix in [2, 6] {
        var inner = [UInt8](repeating: 97, count: prefix + NIP44.paddedLength(Int(length)))
        inner.replaceSubrange(0..<6, with: [0, 0] + withUnsafeBytes(of: length.bigEndian) { [UInt8]($0) })
        #expect(throws: EncryptionError.malformedPadding) { try NIP44.decrypt(try Self.sealed(inner, key), with: key) }
      }
    }
  }

  @Test(
    "Padding of the wrong length is refused",
    arguments: [(1, 31), (1, 33), (1, 64), (33, 32), (65, 64), (32, 64), (0, 32), (65535, 32)])
  func refusesAPaddingOfAnotherLength(length: Int, padded: Int) throws {
    let key = try Self.key(Self.known)
    let prefix = [UInt8(length >> 8), UInt8(length & 255)]
    #expect(throws: EncryptionError.malformedPadding) {
      try NIP44.decrypt(
        try Self.sealed(prefix + [UInt8](repeating: 0, count: max(padded, 32) + (padded < 32 ? 1 : 0)), key), with: key)
    }
  }

  @Test("A payload of another version is refused") func refusesAnotherVersion() throws {
    let key = try Self.key(Self.known)
    for payload in [
      "", "#", "#" + Self.knownPayload, Self.knownPayload.replacing(/^Ag/, with: "AQ"), "Aw" + Self.knownPayload.dropFirst(2),
    ] {
      #expect(throws: EncryptionError.unknownVersion) { try NIP44.decrypt(payload, with: key) }
    }
  }

  @Test("Payloads that are too short or too long are refused") func refusesWhatIsTooShortOrTooLong() throws {
    let key = try Self.key(Self.known)
    #expect(throws: EncryptionError.payloadTooShort(131)) { try NIP44.decrypt(String(Self.knownPayload.prefix(131)), with: key) }
    #expect(throws: EncryptionError.notBase64) { try NIP44.decrypt(Self.knownPayload + "!!!!", with: key) }
    #expect(throws: EncryptionError.payloadTooLong(limit: 132)) {
      try NIP44.decrypt(Self.knownPayload + "!!!!", with: key, limit: 32)
    }
    let payload = try NIP44.encrypt([UInt8](repeating: 1, count: 32), with: key)
    #expect(throws: EncryptionError.plaintextTooLong(limit: 31)) { try NIP44.decrypt(payload, with: key, limit: 31) }
    #expect(throws: EncryptionError.plaintextEmpty) { try NIP44.encrypt([], with: key) }
  }

  @Test("A public key that is not on the curve is refused") func refusesAPeerThatIsNoPoint() throws {
    let own = try Samples.key(1)
    let nowhere = try #require(PublicKey(hex: String(repeating: "f", count: 64)))
    #expect(throws: EncryptionError.invalidPeer) { try ConversationKey(own, nowhere) }
  }

  @Test("A printed conversation key shows nothing") func theKeyTellsNothing() throws {
    let key = try Self.key(Self.known)
    var dumped = "\(key) \(String(reflecting: key))"
    dump(key, to: &dumped)
    #expect(!dumped.contains("c41c") && !dumped.contains("SecretBytes"))
  }

  @Test("The padding grows in steps") func paddingGrowsInSteps() {
    var last = 0
    for count in Array(1...5000) + [65535, 65536, 65537, 1 << 20, 1 << 31, NIP44.maximumPlaintext] {
      let padded = NIP44.paddedLength(count)
      #expect(padded >= count && padded >= last && padded % 32 == 0)
      #expect(NIP44.paddedLength(padded) == padded)
      last = padded
    }
    #expect(NIP44.paddedLength(NIP44.maximumPlaintext) == 1 << 32)
  }

  @Test("Every message decrypts to what was encrypted") func decryptsWhatItEncrypts() throws {
    var generator = Repeatable.announced()
    let key = try Self.key(Self.known)
    for _ in 0..<300 {
      let plaintext = Samples.noise(Int.random(in: 1...600, using: &generator), &generator)
      let payload = try NIP44.encrypt(plaintext, with: key)
      #expect(try NIP44.decrypt(payload, with: key) == plaintext)
      #expect(payload.count == NIP44.encodedLength(plaintext.count))
    }
  }

  @Test("A payload with a flipped bit is refused") func anyFlippedBitIsRefused() throws {
    let key = try Self.key(Self.known)
    let bytes = try #require(Base64.decode(Self.knownPayload))
    for bit in 0..<bytes.count * 8 {
      var altered = bytes
      altered[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(throws: bit < 8 ? EncryptionError.unknownVersion : .notAuthentic) {
        try NIP44.decrypt(Base64.encode(altered), with: key)
      }
    }
  }

  @Test("Arbitrary bytes never crash the decryption") func noBytesTrapIt() throws {
    var generator = Repeatable.announced()
    let key = try Self.key(Self.known)
    for round in 0..<10_000 {
      var payload =
        round % 3 == 0 ? Samples.noise(Int.random(in: 0...300, using: &generator), &generator) : Self.knownPayload.bytes
      Samples.mutate(&payload, &generator)
      if round % 3 == 1 { payload = Base64.encode([2] + Samples.noise(Int.random(in: 90...200, using: &generator), &generator)) }
      guard let plaintext = try? NIP44.decrypt(payload, with: key) else { continue }
      #expect(plaintext.text == "a")
    }
  }

  /// A payload with any inner text, rightly authenticated.
  private static func sealed(_ inner: [UInt8], _ key: ConversationKey) throws -> [UInt8] {
    let nonce = one.array
    return try nonce.withUnsafeBytes { nonce in
      try key.withMessageKeys(nonce: nonce) { keys in
        var text = inner
        try text.withUnsafeMutableBytes { text in
          try ChaCha20.apply(
            key: .init(rebasing: keys[0..<32]), nonce: .init(rebasing: keys[32..<44]), to: .init(text), into: text)
        }
        let code = (Array(nonce) + text).withUnsafeBytes { HMACSHA256.code(key: .init(rebasing: keys[44..<76]), $0) }
        return Base64.encode([2] + Array(nonce) + text + code.array)
      }
    }
  }
}

@Suite("NIP-44 vectors", .vectors("NIP-44"))
struct NIP44VectorTests {
  private func key(_ item: [String: Any]) throws -> ConversationKey {
    var bytes = try #require((item["conversation_key"] as? String).flatMap { Hex.decode($0) })
    return ConversationKey(secret: try SecretBytes(wiping: &bytes))
  }

  @Test("The published conversation keys are derived") func conversationKeys() throws {
    for item in try Vectors.cases("nip44/nip44.vectors.json", "v2.valid.get_conversation_key") {
      let own = try Samples.key(hex: try #require(item["sec1"] as? String))
      let key = try ConversationKey(own, PublicKey(try Samples.bytes32(item["pub2"])))
      #expect(key.withBytes { Hex.encode($0) } == item["conversation_key"] as? String)
    }
  }

  @Test("Published key pairs that are invalid are refused") func invalidConversationKeys() throws {
    for item in try Vectors.cases("nip44/nip44.vectors.json", "v2.invalid.get_conversation_key") {
      #expect(throws: (any Error).self, "\(item["note"] ?? "")") {
        let own = try Samples.key(hex: try #require(item["sec1"] as? String))
        _ = try ConversationKey(own, PublicKey(try Samples.bytes32(item["pub2"])))
      }
    }
  }

  @Test("The published message keys are derived") func messageKeys() throws {
    for item in try Vectors.cases("nip44/nip44.vectors.json", "v2.valid.get_message_keys.keys") {
      let key = try key(item)
      let nonce = try Samples.bytes32(item["nonce"])
      let keys = nonce.withUnsafeBytes { key.withMessageKeys(nonce: $0) { Hex.encode($0) } }
      let expected = ["chacha_key", "chacha_nonce", "hmac_key"].compactMap { item[$0] as? String }.joined()
      #expect(keys == expected)
    }
  }

  @Test("The padded lengths are as published") func paddedLengths() throws {
    for pair in try Vectors.cases("nip44/nip44.vectors.json", "v2.valid.calc_padded_len", as: [Int].self) {
      #expect(NIP44.paddedLength(pair[0]) == pair[1])
    }
  }

  @Test("The published messages are encrypted and decrypted") func messages() throws {
    for item in try Vectors.cases("nip44/nip44.vectors.json", "v2.valid.encrypt_decrypt") {
      let a = try Samples.key(hex: try #require(item["sec1"] as? String))
      let b = try Samples.key(hex: try #require(item["sec2"] as? String))
      let plaintext = try #require(item["plaintext"] as? String)
      let payload = try #require(item["payload"] as? String)
      let made = try NIP44.encrypt(
        plaintext.bytes, with: try ConversationKey(a, b.publicKey), nonce: try Samples.bytes32(item["nonce"]))
      #expect(made.text == payload)
      #expect(try NIP44.decrypt(payload, with: try ConversationKey(b, a.publicKey)) == plaintext.bytes)
    }
  }

  @Test("Long messages are encrypted as published") func longMessages() throws {
    for item in try Vectors.cases("nip44/nip44.vectors.json", "v2.valid.encrypt_decrypt_long_msg") {
      let pattern = try #require(item["pattern"] as? String)
      let plaintext = String(repeating: pattern, count: try #require(item["repeat"] as? Int)).bytes
      #expect(SHA256.digest(of: plaintext).hex == item["plaintext_sha256"] as? String)
      let payload = try NIP44.encrypt(plaintext, with: try key(item), nonce: try Samples.bytes32(item["nonce"]))
      #expect(SHA256.digest(of: payload).hex == item["payload_sha256"] as? String)
      #expect(try NIP44.decrypt(payload, with: try key(item)) == plaintext)
    }
  }

  // The list was written before NIP-44 took plaintexts of 65,536 bytes and more; of its lengths only 0 is still refused.
  @Test("An empty message is refused, and long messages are encrypted") func lengthsToRefuse() throws {
    let lengths = try Vectors.cases("nip44/nip44.vectors.json", "v2.invalid.encrypt_msg_lengths", as: Int.self)
    let key = try key(["conversation_key": String(repeating: "01", count: 32)])
    for length in lengths {
      let plaintext = [UInt8](repeating: 120, count: length)
      if length == 0 {
        #expect(throws: EncryptionError.plaintextEmpty) { try NIP44.encrypt(plaintext, with: key) }
      } else if length <= 100_000 {
        #expect(try NIP44.decrypt(try NIP44.encrypt(plaintext, with: key), with: key, limit: length) == plaintext)
      }
    }
  }

  @Test("The published invalid payloads are refused") func payloadsToRefuse() throws {
    let faults: [String: [EncryptionError]] = [
      "unknown encryption version": [.unknownVersion], "unknown encryption version 0": [.unknownVersion],
      "invalid base64": [.notBase64], "invalid MAC": [.notAuthentic], "invalid padding": [.malformedPadding],
    ]
    for item in try Vectors.cases("nip44/nip44.vectors.json", "v2.invalid.decrypt") {
      let note = try #require(item["note"] as? String)
      let payload = try #require(item["payload"] as? String)
      let error = #expect(throws: EncryptionError.self, "\(note)") { try NIP44.decrypt(payload, with: try key(item)) }
      if note.hasPrefix("invalid payload length") {
        #expect(
          error == (payload.isEmpty ? .unknownVersion : .payloadTooShort(payload.utf8.count)) || error == .notBase64, "\(note)")
      } else {
        if let expected = faults[note] { #expect(expected.contains(try #require(error)), "\(note)") }
      }
    }
  }
}
