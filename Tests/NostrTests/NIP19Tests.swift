import Curve
import Encodings
import Foundation
import Nostr
import SecretMemory
import TestSupport
import TestVectors
import Testing

@Suite("NIP-19")
struct NIP19Tests {
  private static let key = "3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d"
  // All three from NIP-19's own text.
  private static let npub = "npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6"
  private static let nsec = "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5"
  private static let nprofile =
    "nprofile1qqsrhuxx8l9ex335q7he0f09aej04zpazpl0ne2cgukyawd24mayt8gpp4mhxue69uhhytnc9e3k7mgpz4mhxue69uhkg6nzv9ejuumpv34kytnrdaksjlyr9p"

  private func secretHex(_ text: String) throws -> String {
    var bytes = text.bytes
    let key = try NIP19.secretKey(parsing: try SecretBytes(wiping: &bytes))
    return key.withBytes { Hex.encode($0) }
  }

  @Test("The standard's examples are read and written") func readsAndWritesTheStandardsExamples() throws {
    let key = try #require(PublicKey(hex: Self.key))
    #expect(try NIP19(parsing: Self.npub) == .publicKey(key))
    #expect(try NIP19(parsing: Self.npub.uppercased()) == .publicKey(key))
    #expect(key.npub == Self.npub)
    let profile = NIP19.profile(key, relays: ["wss://r.x.com", "wss://djbas.sadkb.com"])
    #expect(try NIP19(parsing: Self.nprofile) == profile)
    #expect(try profile.text() == Self.nprofile)
    #expect(try secretHex(Self.nsec) == "67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa")
  }

  @Test("A secret key is written as nsec into secret memory") func writesSecretKeysIntoSecretMemory() throws {
    let key = try Samples.secret(hex: "67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa")
    let text = try NIP19.text(of: key)
    let copy = text.withBytes { [UInt8]($0) }
    #expect(copy.text == Self.nsec)
  }

  @Test("An nsec is never read as a public entity") func secretKeysDoNotPassThroughTheEntity() {
    #expect(throws: EntityError.isSecret) { try NIP19(parsing: Self.nsec) }
    #expect(throws: EntityError.otherPrefix) { try secretHex(Self.npub) }
  }

  @Test("An nsec that holds no valid key is refused") func refusesSecretKeysOffTheCurve() throws {
    for hex in [String(repeating: "0", count: 64), String(repeating: "f", count: 64)] {
      let text = Bech32Text.make("nsec", try #require(Hex.decode(hex)))
      #expect(throws: EntityError.invalidSecretKey) { try secretHex(text) }
    }
    #expect(throws: EntityError.wrongLength(31)) { try secretHex(Bech32Text.make("nsec", [UInt8](repeating: 1, count: 31))) }
  }

  @Test("A public key is read as an npub or as hex") func readsNpubOrHex() throws {
    #expect(PublicKey(npubOrHex: Self.npub)?.hex == Self.key)
    #expect(PublicKey(npubOrHex: Self.key.uppercased())?.hex == Self.key)
    for text in ["", "npub1", Self.nsec, Self.nprofile, String(Self.key.dropLast())] {
      #expect(PublicKey(npubOrHex: text) == nil)
    }
  }

  private static let id = [UInt8](repeating: 7, count: 32)

  @Test(
    "Malformed entities are refused",
    arguments: [
      ("npub", [UInt8](repeating: 1, count: 31), EntityError.wrongLength(31)),
      ("note", [UInt8](repeating: 1, count: 33), .wrongLength(33)),
      ("nprofile", [], .missingRecord(type: 0)),
      ("nprofile", [0, 31] + id.dropLast(), .wrongLength(31)),
      ("nprofile", [0, 32] + id.dropLast(), .malformedRecord(at: 0)),
      ("nprofile", [0, 32] + id + [1], .malformedRecord(at: 34)),
      ("nprofile", [0, 32] + id + [1, 1, 0xff], .malformedRecord(at: 34)),
      ("nprofile", [0, 32] + id + [0, 32] + id, .repeatedRecord(type: 0)),
      ("nevent", [2, 32] + id, .missingRecord(type: 0)),
      ("nevent", [0, 32] + id + [2, 1, 0], .malformedRecord(at: 34)),
      ("nevent", [0, 32] + id + [3, 2, 0, 1], .malformedRecord(at: 34)),
      ("nevent", [0, 32] + id + [3, 4, 0, 1, 0, 0], .malformedRecord(at: 34)),
      ("naddr", [2, 32] + id + [3, 4, 0, 0, 0, 1], .missingRecord(type: 0)),
      ("naddr", [0, 0] + [3, 4, 0, 0, 0, 1], .missingRecord(type: 2)),
      ("naddr", [0, 0] + [2, 32] + id, .missingRecord(type: 3)),
      ("naddr", [0, 1, 0xff] + [2, 32] + id + [3, 4, 0, 0, 0, 1], .malformedRecord(at: 0)),
      ("nrelay", [0, 1, 97], .deprecated),
      ("lnbc", [1], .otherPrefix),
    ] as [(String, [UInt8], EntityError)])
  func refusesMalformedEntities(prefix: String, bytes: [UInt8], fault: EntityError) {
    #expect(throws: fault) { try NIP19(parsing: Bech32Text.make(prefix, bytes)) }
  }

  @Test("Entities with unused bits set are refused") func refusesStrayBits() {
    let values = [UInt8](repeating: 0, count: 51)  // 255 bits: 31 bytes and 7 bits, of which at most 4 may be left over
    #expect(throws: EntityError.strayBits) { try NIP19(parsing: Bech32Text.make("npub", values: values)) }
    #expect(throws: EntityError.strayBits) { try NIP19(parsing: Bech32Text.make("npub", values: values + [1])) }
    #expect(throws: Never.self) { try NIP19(parsing: Bech32Text.make("npub", values: values + [16])) }
  }

  @Test("Unknown records are ignored") func passesOverUnknownRecords() throws {
    let text = Bech32Text.make("nevent", [9, 2, 1, 2, 0, 32] + Self.id + [200, 0])
    #expect(try NIP19(parsing: text) == .event(try #require(Bytes32(Self.id)), relays: [], author: nil, kind: nil))
  }

  @Test("The length limit applies") func keepsTheLengthLimit() throws {
    let key = try #require(PublicKey(hex: Self.key))
    #expect(throws: EntityError.tooLong(limit: 5000)) { try NIP19(parsing: String(repeating: "q", count: 5001)) }
    #expect(throws: EntityError.recordTooLong(256)) {
      try NIP19.profile(key, relays: [String(repeating: "x", count: 256)]).text()
    }
    #expect(throws: EntityError.tooLong(limit: 5000)) {
      try NIP19.profile(key, relays: .init(repeating: String(repeating: "x", count: 255), count: 13)).text()
    }
  }

  @Test("Any mistyped character is detected") func everyMistypedCharacterIsSeen() throws {
    let letters = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)
    for index in 5..<Self.npub.utf8.count {
      for letter in letters where letter != Self.npub.bytes[index] {
        var altered = Self.npub.bytes
        altered[index] = letter
        #expect(throws: EntityError.wrongChecksum) { try NIP19(parsing: altered.text) }
      }
    }
  }

  @Test("Written entities read back the same") func readsWhatItWrites() throws {
    var generator = Repeatable.announced()
    for _ in 0..<300 {
      let id = try #require(Bytes32(Samples.noise(32, &generator)))
      let author = PublicKey(try #require(Bytes32(Samples.noise(32, &generator))))
      let relays = (0..<Int.random(in: 0...4, using: &generator)).map { _ in Samples.text(&generator) }
      let kind = Int.random(in: 0...65535, using: &generator)
      let entities = [
        NIP19.publicKey(author), .note(id), .profile(author, relays: relays),
        .event(id, relays: relays, author: Bool.random(using: &generator) ? author : nil, kind: kind % 2 == 0 ? kind : nil),
        .address(identifier: Samples.text(&generator), author: author, kind: kind, relays: relays),
      ]
      for entity in entities { #expect(try NIP19(parsing: try entity.text()) == entity) }
    }
  }

  @Test("Arbitrary text never crashes the decoder") func noBytesTrapIt() throws {
    var generator = Repeatable.announced()
    for round in 0..<10_000 {
      var text = [Self.npub, Self.nprofile, Self.nsec][round % 3].bytes
      Samples.mutate(&text, &generator)
      if round % 4 == 0 { text = Samples.noise(Int.random(in: 0...90, using: &generator), &generator) }
      if round % 4 == 1 {
        let prefix = ["npub", "nprofile", "nevent", "naddr", "note"][round / 4 % 5]
        text = Bech32Text.make(prefix, Samples.noise(Int.random(in: 0...80, using: &generator), &generator)).bytes
      }
      text.withUnsafeBytes { _ = try? NIP19(parsing: $0) }
      text.withUnsafeBytes { text in _ = (try? NIP19.secretKey(parsing: text)) != nil }
    }
  }

  @Test("The published entities are read and written as published", .vectors("NIP-19")) func vectors() throws {
    let generated = try Vectors.cases("nip19/generated.json", "cases")
    for item in try generated + Vectors.cases("nip19/vectors.json", "valid") {
      let text = try #require(item["encoded"] as? String)
      let relays = item["relays"] as? [String] ?? []
      let expected: NIP19
      switch item["type"] as? String {
      case "npub": expected = .publicKey(PublicKey(try Samples.bytes32(item["hex"])))
      case "note": expected = .note(try Samples.bytes32(item["hex"]))
      case "nprofile": expected = .profile(PublicKey(try Samples.bytes32(item["public_key"])), relays: relays)
      case "nevent":
        let author = (item["author"] as? String).flatMap { PublicKey(hex: $0) }
        expected = .event(try Samples.bytes32(item["event_id"]), relays: relays, author: author, kind: item["kind"] as? Int)
      case "naddr":
        expected = .address(
          identifier: try #require(item["identifier"] as? String), author: PublicKey(try Samples.bytes32(item["public_key"])),
          kind: try #require(item["kind"] as? Int), relays: relays)
      default:
        #expect(item["type"] as? String == "nsec")
        #expect(try secretHex(text) == item["hex"] as? String)
        continue
      }
      #expect(try NIP19(parsing: text) == expected)
      #expect(try NIP19(parsing: try expected.text()) == expected)
    }
  }
}

/// A second, slow bech32 writer, for texts that the module itself would not write.
enum Bech32Text {
  static func make(_ prefix: String, _ bytes: [UInt8]) -> String {
    let bits = bytes.flatMap { byte in (0..<8).map { byte >> (7 - UInt8($0)) & 1 } }
    let padded = bits + [UInt8](repeating: 0, count: (5 - bits.count % 5) % 5)
    let values = stride(from: 0, to: padded.count, by: 5).map { padded[$0..<$0 + 5].reduce(0) { $0 << 1 | $1 } }
    return make(prefix, values: values)
  }

  /// - Parameter values: 0 to 31 each.
  static func make(_ prefix: String, values: [UInt8]) -> String {
    let expanded = prefix.bytes.map { $0 >> 5 } + [0] + prefix.bytes.map { $0 & 31 }
    let remainder = polymod(expanded + values + [0, 0, 0, 0, 0, 0]) ^ 1
    let checksum = (0..<6).map { UInt8(remainder >> (5 * (5 - $0)) & 31) }
    let letters = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l")
    return prefix + "1" + String((values + checksum).map { letters[Int($0)] })
  }

  private static func polymod(_ values: [UInt8]) -> Int {
    values.reduce(1) { state, value in
      let top = state >> 25
      let shifted = (state & 0x1ff_ffff) << 5 ^ Int(value)
      return [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3].enumerated().reduce(shifted) {
        top >> $1.offset & 1 == 1 ? $0 ^ $1.element : $0
      }
    }
  }
}
