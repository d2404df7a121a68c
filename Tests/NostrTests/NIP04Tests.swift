import Curve
import Encodings
import Nostr
import TestSupport
import Testing

@Suite("NIP-04")
struct NIP04Tests {
  private typealias NIP04 = Insecure.NIP04

  @Test("Both sides can read each other's messages") func bothSidesReadEachOther() throws {
    var generator = Repeatable.announced()
    let (a, b) = (try Samples.key(1), try Samples.key(2))
    let (there, back) = (try NIP04.Key(a, b.publicKey), try NIP04.Key(b, a.publicKey))
    for count in [0, 1, 15, 16, 17, 300] {
      let text = Samples.noise(count, &generator)
      let payload = try NIP04.encrypt(text, with: there)
      #expect(NIP04.isPayload(payload))
      #expect(try NIP04.decrypt(payload, with: back) == text)
      #expect(try NIP04.decrypt(payload, key: b, peer: a.publicKey) == text)
    }
  }

  // nostr-tools 2.x, test "decrypt message from go-nostr".
  @Test("A payload of another implementation can be read") func readsAKnownPayload() throws {
    let a = try Samples.key(hex: "91ba716fa9e7ea2fcbad360cf4f8e0d312f73984da63d90f524ad61a6a1e7dbe")
    let b = try Samples.key(hex: "96f6fa197aa07477ab88f6981118466ae3a982faab8ad5db9d5426870c73d220")
    let payload = "zJxfaJ32rN5Dg1ODjOlEew==?iv=EV5bUjcc4OX2Km/zPp4ndQ=="
    #expect(try NIP04.decrypt(payload.bytes, key: b, peer: a.publicKey).text == "nanana")
  }

  @Test(
    "All malformed payloads get the same error",
    arguments: [
      "", "?", "?iv=", "AAAA", "zJxfaJ32rN5Dg1ODjOlEew==?iv=", "zJxfaJ32rN5Dg1ODjOlEew==?iv=EV5bUjcc4OX2Km/zPp4ndQ",
      "zJxfaJ32rN5Dg1ODjOlEew==?iv=AAAA", "?iv=EV5bUjcc4OX2Km/zPp4ndQ==", "zJxfaJ32rN5Dg1ODjOlE?iv=EV5bUjcc4OX2Km/zPp4ndQ==",
      "zJxfaJ32rN5Dg1ODjOlEew==?vi=EV5bUjcc4OX2Km/zPp4ndQ==", "zJxfaJ32rN5Dg1ODjOlEew?iv=EV5bUjcc4OX2Km/zPp4ndQ==",
    ])
  func refusesMalformedPayloadsAlike(payload: String) throws {
    let key = try NIP04.Key(try Samples.key(1), try Samples.key(2).publicKey)
    #expect(throws: EncryptionError.undecipherable) { try NIP04.decrypt(payload.bytes, with: key) }
  }

  @Test("A payload that is too long and an invalid key are refused") func refusesTooLongPayloadsAndWrongPeers() throws {
    let own = try Samples.key(1)
    let key = try NIP04.Key(own, try Samples.key(2).publicKey)
    let payload = try NIP04.encrypt([UInt8](repeating: 1, count: 32), with: key)
    #expect(throws: Never.self) { try NIP04.decrypt(payload, with: key, limit: 32) }
    #expect(throws: EncryptionError.payloadTooLong(limit: 52)) { try NIP04.decrypt(payload, with: key, limit: 15) }
    let nowhere = try #require(PublicKey(hex: String(repeating: "f", count: 64)))
    #expect(throws: EncryptionError.invalidPeer) { try NIP04.Key(own, nowhere) }
  }

  @Test("Arbitrary bytes never crash the decryption") func noBytesTrapIt() throws {
    var generator = Repeatable.announced()
    let key = try NIP04.Key(try Samples.key(1), try Samples.key(2).publicKey)
    let valid = try NIP04.encrypt("hello".bytes, with: key)
    for round in 0..<5_000 {
      var payload = round % 2 == 0 ? valid : Samples.noise(Int.random(in: 0...100, using: &generator), &generator)
      Samples.mutate(&payload, &generator)
      _ = try? NIP04.decrypt(payload, with: key)
    }
  }
}
