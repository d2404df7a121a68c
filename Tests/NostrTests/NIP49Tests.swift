import Curve
import Encodings
import Foundation
import Nostr
import SecretMemory
import TestSupport
import TestVectors
import Testing

@Suite("NIP-49")
struct NIP49Tests {
  // From NIP-49's own text; log2 of the cost is 16.
  private static let known =
    "ncryptsec1qgg9947rlpvqu76pj5ecreduf9jxhselq2nae2kghhvd5g7dgjtcxfqtd67p9m0w57lspw8gsq6yphnm8623nsl8xn9j4jdzz84zm3frztj3z7s35vpzmqf6ksu8r89qk5z2zxfmu5gv8th8wclt0h4p"

  private func decrypt(_ text: String, _ password: [UInt8], limit: Int = NIP49.maximumLogN) throws -> String {
    try text.bytes.withUnsafeBytes { text in
      try password.withUnsafeBytes { password in
        let key = try NIP49.decrypt(text, password: password, limit: limit)
        return key.withBytes { Hex.encode($0) }
      }
    }
  }

  private func secret(_ text: String) throws -> SecretBytes {
    var bytes = text.bytes
    return try SecretBytes(wiping: &bytes)
  }

  private func altered(_ index: Int, _ value: UInt8, keep count: Int = 91) throws -> String {
    var bytes = [UInt8](repeating: 1, count: 91)
    bytes[0] = 2
    bytes[1] = 1
    bytes[index] = value
    return Bech32Text.make("ncryptsec", Array(bytes.prefix(count)))
  }

  @Test("The standard's example is decrypted") func readsTheStandardsExample() throws {
    #expect(
      try decrypt(Self.known, "nostr".bytes) == "3501454135014541350145413501453fefb02227e449e57cf4d3a3ce05378683")
    let header = try Self.known.bytes.withUnsafeBytes { try NIP49.header(of: $0) }
    #expect(header == .init(logN: 16, security: header.security))
    #expect(throws: EntityError.wrongPassword) { try decrypt(Self.known, "Nostr".bytes) }
  }

  @Test("An encrypted key is read back with the password in another Unicode form")
  func readsWhatItWritesWithThePasswordInEitherForm() throws {
    let hex = "3501454135014541350145413501453fefb02227e449e57cf4d3a3ce05378683"
    // U+212B U+2126 U+1E9B U+0323 and, in NFKC, U+00C5 U+03A9 U+1E69.
    let text = try NIP49.encrypt(
      try Samples.secret(hex: hex), password: try secret("\u{212b}\u{2126}\u{1e9b}\u{323}"), logN: 2, security: .handledInsecurely
    )
    #expect(try decrypt(text.text, [0xc3, 0x85, 0xce, 0xa9, 0xe1, 0xb9, 0xa9]) == hex)
    #expect(text.text.hasPrefix("ncryptsec1") && text.count == 162)
    let header = try text.withUnsafeBytes { try NIP49.header(of: $0) }
    #expect(header == .init(logN: 2, security: .handledInsecurely))
  }

  @Test("A cost above the limit is refused before memory is used") func capsTheCostBeforeItTakesMemory() throws {
    for logN in [UInt8(0), 23, 63, 64, 255] {
      let text = try altered(1, logN)
      #expect(throws: EntityError.costOutOfRange(logN: Int(logN), limit: 22)) { try decrypt(text, [1]) }
    }
    #expect(throws: EntityError.costOutOfRange(logN: 16, limit: 15)) { try decrypt(Self.known, "nostr".bytes, limit: 15) }
    #expect(throws: EntityError.costOutOfRange(logN: 23, limit: 22)) {
      try NIP49.encrypt(try SecretKey.random(), password: try secret("x"), logN: 23)
    }
  }

  @Test("Malformed texts are refused") func refusesMalformedTexts() throws {
    let faults: [(String, EntityError)] = [
      (try altered(0, 1), .unknownVersion(1)), (try altered(42, 3), .unknownVersion(3)),
      (try altered(0, 2, keep: 90), .wrongLength(90)), (Bech32Text.make("ncryptsec", []), .wrongLength(0)),
      (Bech32Text.make("nsec", [1]), .otherPrefix), (String(Self.known.dropLast()), .wrongChecksum),
      (try altered(50, 2), .wrongPassword),
    ]
    for (text, fault) in faults { #expect(throws: fault) { try decrypt(text, "x".bytes) } }
    #expect(throws: EntityError.unusablePassword) { try decrypt(try altered(50, 2), [0xff]) }
  }

  @Test("Random bytes never crash the reader of the header") func noBytesTrapTheHeader() throws {
    var generator = Repeatable.announced()
    for round in 0..<5_000 {
      var text = Self.known.bytes
      Samples.mutate(&text, &generator)
      if round % 2 == 0 {
        text = Bech32Text.make("ncryptsec", [2] + Samples.noise(Int.random(in: 0...95, using: &generator), &generator)).bytes
      }
      _ = text.withUnsafeBytes { try? NIP49.header(of: $0) }
    }
  }

  @Test("The published encrypted keys are decrypted", .vectors("NIP-49")) func vectors() throws {
    let published = try Vectors.cases("nip49/vectors.json", "decrypt")
    for item in try published + Vectors.cases("nip49/generated.json", "cases") {
      let text = try #require(item["ncryptsec"] as? String)
      let password = try #require(item["password"] as? String)
      #expect(try decrypt(text, password.bytes) == item["private_key"] as? String)
    }
  }

  @Test("A password decrypts a key file in any Unicode normalization form", .vectors("NIP-49")) func passwordForms() throws {
    let key = String(repeating: "01", count: 32)
    for item in try Vectors.cases("nip49/vectors.json", "password_normalization") {
      var (typed, normal) = (bytes(item["input_utf8"] as? String ?? ""), bytes(item["nfkc_utf8"] as? String ?? ""))
      #expect(typed != normal && !normal.isEmpty)
      let texts = [
        try NIP49.encrypt(try Samples.secret(hex: key), password: try SecretBytes(wiping: &typed), logN: 2),
        try NIP49.encrypt(try Samples.secret(hex: key), password: try SecretBytes(wiping: &normal), logN: 2),
      ]
      for text in texts {
        #expect(try decrypt(text.text, bytes(item["input_utf8"] as? String ?? "")) == key)
        #expect(try decrypt(text.text, bytes(item["nfkc_utf8"] as? String ?? "")) == key)
      }
    }
  }
}
