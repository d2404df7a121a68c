import Ciphers
import Curve
import Encodings
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import Identities
@testable import Nostr
@testable import Vault

/// NIP-19's test key: in the exports it is `bob`; `alice` is NIP-06's first vector.
private let bobKey = "67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa"
private let bobPublic = "7e7e9c42a91bfef19fa929e5fda1b72e0ebc1a4c1141673e2794234d86addf4e"

/// A file of `Tests/Vectors/Exports`, written by other libraries from other signers' published formats.
func exported(_ name: String) throws -> [UInt8] {
  let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  return [UInt8](try Data(contentsOf: folder.appendingPathComponent("Vectors/Exports/" + name)))
}

@Suite struct KeyExportTests {
  let home = TemporaryHome()
  let vault: Vault
  let identities: Identities

  init() throws {
    vault = try home.create()
    identities = try Identities(vault)
  }

  private func take(_ bytes: [UInt8], password: String? = nil, pick: String? = nil, name: String = "x") throws -> Identity {
    var bytes = bytes
    let secret = try SecretBytes(wiping: &bytes)
    let password = try password.map { try box(Array($0.utf8)) }
    return try identities.importKey(
      secret, name: name, help: ImportHelp(password: password, pick: pick, takesPublished: true), now: 1_700_000_000_000)
  }

  struct Good: Sendable {
    let file: String, password: String?, pick: String?, key: String, origin: Identity.Origin

    init(_ file: String, _ password: String?, _ pick: String?, _ key: String, _ origin: Identity.Origin) {
      (self.file, self.password, self.pick, self.key, self.origin) = (file, password, pick, key, origin)
    }
  }

  private static let good: [Good] = [
    Good("amber.jsonl", "export password", "1", wordsPublic, .importedAmber),
    Good("amber.jsonl", "export password", "bob", bobPublic, .importedAmber),
    Good("amber.jsonl", "export password", bobPublic, bobPublic, .importedAmber),
    Good("amber-one.jsonl", "export password", nil, bobPublic, .importedAmber),
    Good("amber-earlier.json", "export password", "2", bobPublic, .importedAmber),
    Good("nos2x-fox.json", nil, nil, wordsPublic, .importedNos2xFox),
    Good("nos2x-fox-pin.json", "1234", nil, wordsPublic, .importedNos2xFox),
    Good("nsecbunker.json", "bunker passphrase", "alice", wordsPublic, .importedNsecBunker),
    Good("nsecbunker-open.json", nil, nil, bobPublic, .importedNsecBunker),
    Good("keep.backup", "keep passphrase", nil, wordsPublic, .importedKeep),
    Good("key-file.json", "file password", nil, wordsPublic, .importedKeyFile),
  ]

  @Test("The exports of other signers are read", arguments: good)
  func otherSignersExportsAreRead(_ example: Good) throws {
    let identity = try take(try exported(example.file), password: example.password, pick: example.pick)
    #expect(identity.publicKey.hex == example.key && identity.origin == example.origin)
    #expect(try identities.keyPair(for: identity.publicKey).publicKey == identity.publicKey)
  }

  struct Bad: Sendable {
    let file: String, password: String?, pick: String?, fault: KeyTextError

    init(_ file: String, _ password: String?, _ pick: String?, _ fault: KeyTextError) {
      (self.file, self.password, self.pick, self.fault) = (file, password, pick, fault)
    }
  }

  private static let bad: [Bad] = [
    Bad("amber.jsonl", "export password", nil, .severalKeys(count: 2)),
    Bad("amber.jsonl", "export password", "3", .noSuchKeyInside),
    Bad("amber.jsonl", "export password", "carol", .noSuchKeyInside), Bad("amber.jsonl", nil, "1", .needsPassword),
    Bad("amber.jsonl", "wrong", "1", .wrongPassword), Bad("nos2x-fox-pin.json", nil, nil, .needsPassword),
    Bad("nos2x-fox-pin.json", "1235", nil, .wrongPassword), Bad("nsecbunker.json", nil, "bob", .needsPassword),
    Bad("nsecbunker.json", "wrong", "bob", .wrongPassword), Bad("keep.backup", nil, nil, .needsPassword),
    Bad("keep.backup", "wrong", nil, .wrongPassword), Bad("key-file.json", nil, nil, .needsPassword),
    Bad("key-file.json", "wrong", nil, .wrongPassword),
  ]

  @Test("A missing or wrong part of an export is named", arguments: bad)
  func whatIsMissingOrWrongIsNamed(_ example: Bad) throws {
    #expect(throws: IdentityError.badKey(example.fault)) {
      try take(try exported(example.file), password: example.password, pick: example.pick)
    }
    #expect(identities.all.isEmpty)
  }

  @Test("An export from Amber brings its words along") func amberBringsTheWordsAlong() throws {
    let identity = try take(try exported("amber.jsonl"), password: "export password", pick: "1")
    #expect(identity.account == 0)
    #expect(try identities.words(for: identity.publicKey).array() == Array(words.utf8))
    #expect(identity.keySecurity == 2)
  }

  @Test("An export that names another public key is refused") func aFileThatClaimsAnotherPublicKeyIsRefused() throws {
    let text = String(decoding: try exported("amber-one.jsonl"), as: UTF8.self)
    let npub = try #require(text.split(separator: "\"").first { $0.hasPrefix("npub1") })
    let other = text.replacingOccurrences(of: npub, with: "npub1zutzeysacnf9rru6zqwmxd54mud0k44tst6l70ja5mhv8jjumytsd2x7nu")
    #expect(throws: IdentityError.badKey(.otherPublicKey(.amber))) { try take(Array(other.utf8), password: "export password") }
  }

  @Test("The relays of an exported profile are kept, and invalid ones are left out")
  func relaysOfAProfileAreKeptAndWhatIsNoneIsLeftOut() throws {
    #expect(try take(try exported("nos2x-fox.json")).details.relays == ["wss://relay.example.com"])
  }

  @Test("A key file restores every detail of an identity") func aKeyFileKeepsEverything() throws {
    let identity = try take(try exported("key-file.json"), password: "file password")
    #expect(identity.details.colour?.text == "#00897b" && identity.details.emoji == "🦊" && identity.details.notes == "two\nlines")
    #expect(identity.details.relays == ["wss://relay.example.com"] && identity.account == 0 && identity.keySecurity == 1)
    #expect(try identities.words(for: identity.publicKey).array() == Array(words.utf8))
  }

  @Test("A key file that was written here can be imported elsewhere") func aKeyFileWrittenHereIsReadHere() throws {
    let made = try identities.create(NewIdentity("ü \"quoted\" \\"), words: 24, passphrase: box(Array("25".utf8)), now: 5000)
    var details = IdentityDetails()
    details.set(colour: try Colour("red"))
    try details.set(notes: "a \"b\" \u{1f98a}\nc")
    try identities.set(details, of: made.publicKey)
    let text = try identities.keyFile(
      for: made.publicKey, password: box(Array("pass word".utf8)), hint: "a hint", cost: .floor, now: 77)
    let other = TemporaryHome()
    let elsewhere = try Identities(try other.create())
    var copy = text
    let found = try elsewhere.importKey(
      try SecretBytes(wiping: &copy), name: "back",
      help: ImportHelp(password: box(Array("pass word".utf8)), takesPublished: true), now: 0)
    #expect(found.publicKey == made.publicKey && found.details == details && found.hasWordsPassphrase && found.account == 0)
    let here = try identities.words(for: made.publicKey).array()
    let there = try elsewhere.words(for: found.publicKey).array()
    #expect(here == there)
    let shown = String(decoding: text, as: UTF8.self)
    #expect(!shown.contains(made.name) && !shown.contains(made.publicKey.hex))
  }

  /// Any change of any member that counts: a named fault, never another key.
  @Test("A changed key file never gives another key") func aChangedKeyFileNeverGivesAnotherKey() throws {
    let text = try exported("key-file.json")
    var random = Repeatable(seed: 49)
    for _ in 0..<150 {
      var changed = text
      let place = Int.random(in: 0..<changed.count, using: &random)
      changed[place] ^= UInt8(1) << UInt8.random(in: 0..<8, using: &random)
      do {
        let identity = try take(changed, password: "file password")
        #expect(identity.publicKey.hex == wordsPublic, "seed 49, byte \(place)")  // white space was changed
        try identities.delete(identity.publicKey)
      } catch let error as IdentityError {
        guard case .badKey = error else {
          Issue.record("seed 49, byte \(place): \(error)")
          continue
        }
      }
    }
  }

  typealias Fault = (String, String, KeyTextError)

  private static let keyFileFaults: [Fault] = [
    (#""version": 1"#, #""version": 2"#, .file(.keyFile, "version")),
    ("AES-256-GCM", "AES-256-CBC", .file(.keyFile, "algorithm")), ("Argon2id", "Argon2i", .file(.keyFile, "kdf")),
    (#""parallelism": 1"#, #""parallelism": 2"#, .file(.keyFile, "kdf")),
    (#""memory": 19456"#, #""memory": 19455"#, .costOutOfRange(.keyFile)),
    (#""memory": 19456"#, #""memory": 9223372036854775807"#, .costOutOfRange(.keyFile)),
    (#""memory": 19456"#, #""memory": 4194304"#, .costOutOfRange(.keyFile)),
    (#""memory": 19456"#, #""memory": -1"#, .costOutOfRange(.keyFile)),
    (#""iterations": 2"#, #""iterations": 1"#, .costOutOfRange(.keyFile)),
    (#""iterations": 2"#, #""iterations": 25"#, .costOutOfRange(.keyFile)),
    (#""iterations": 2"#, #""iterations": 3"#, .wrongPassword), ("1700000000", "1700000001", .wrongPassword),
    ("the usual one", "the usual two", .wrongPassword), ("the usual one", "the\\nusual", .file(.keyFile, "hint")),
    (#""hint""#, #""hint": "", "hint""#, .file(.keyFile, "JSON")),
    (#""nonce": "bm5u"#, #""nonce": "bm4="#, .file(.keyFile, "nonce")),
    (#""salt": ""#, #""salt": "c3M="#, .file(.keyFile, "salt")),
    (#""encrypted": ""#, #""encrypted": "!"#, .file(.keyFile, "encrypted")),
  ]

  @Test("A wrong member of a key file is named", arguments: keyFileFaults)
  func aMemberThatIsWrongIsNamed(member: String, other: String, fault: KeyTextError) throws {
    let text = String(decoding: try exported("key-file.json"), as: UTF8.self)
    try #require(text.contains(member))
    #expect(throws: IdentityError.badKey(fault)) {
      try take(Array(text.replacingOccurrences(of: member, with: other).utf8), password: "file password")
    }
  }

  @Test("A password hint must be one short line without hidden characters") func aHintIsOneLineThatIsSeen() throws {
    let key = try identities.create(name: "a", now: 0).publicKey
    for hint in ["a\nb", "\u{202e}x", String(repeating: "x", count: 201), "\u{0}"] {
      #expect(throws: IdentityError.badKey(.file(.keyFile, "hint"))) {
        try identities.keyFile(for: key, password: box([1]), hint: hint, cost: .floor, now: 0)
      }
    }
  }

  private static let rubbish: [(String, KeyTextError)] = [
    ("{}", .unknownFormat), ("{", .unknownFormat), (#"{"privateKey":"}"#, .unknownFormat),
    (#"{"privateKey":null}"#, .file(.nos2xFox, "privateKey")), (#"{"privateKey":"xx"}"#, .file(.nos2xFox, "the key")),
    (#"{"privateKey":"{\"salt\":1}"}"#, .file(.nos2xFox, "JSON")), (#"{"privateKey":"{}"}"#, .file(.nos2xFox, "privateKey")),
    (#"{"privateKey":"leader monkey parrot"}"#, .file(.nos2xFox, "the key")),
    (#"{"privateKey":"\#(String(repeating: "0", count: 64))"}"#, .notAKey(.hex)),
    (#"{"privateKey":"\#(wordsKey)"} x"#, .file(.nos2xFox, "JSON")),
    (#"{"nostr":{},"keys":{}}"#, .severalKeys(count: 0)), (#"{"nostr":{},"keys":{"a":{}}}"#, .file(.nsecBunker, "keys")),
    (#"{"nostr":{},"keys":[]}"#, .file(.nsecBunker, "JSON")),
    (#"{"npub":"x","nsec":"y"}"#, .file(.amber, "npub")), (#"{"accountCount":0,"accounts":[]}"#, .severalKeys(count: 0)),
    (#"{"accountCount":1,"accounts":[{"npub":null,"nsec":null}]}"#, .file(.amber, "npub")),
    ("KEEPBACK", .file(.keep, "its length")), ("KEEPBACK" + String(repeating: "\u{0}", count: 300), .file(.keep, "version")),
    ("KEEPBACK\u{1}" + String(repeating: "\u{0}", count: 300), .costOutOfRange(.keep)),
  ]

  @Test("An export that cannot be read is refused with its fault", arguments: rubbish) func rubbishIsNamed(
    text: String, fault: KeyTextError
  ) throws {
    #expect(throws: IdentityError.badKey(fault)) { try take(Array(text.utf8), password: "x") }
  }

  @Test("A file that is too long is refused") func aFileThatIsTooLongIsNotRead() throws {
    #expect(throws: IdentityError.badKey(.tooLong(limit: 256 << 10))) {
      try take(Array(#"{"privateKey":""#.utf8) + [UInt8](repeating: 0x61, count: 256 << 10))
    }
  }

  // The key check, on every way in: 0 and n are no keys; 1 and n - 1 are, and anybody can guess them.

  private static let order = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"

  private static let edges: [(String, Bool)] = [
    (zeros, false), (String(zeros.dropLast()) + "1", true), (String(order.dropLast()) + "0", true), (order, false),
    (String(order.dropLast()) + "2", false), (String(repeating: "f", count: 64), false),
  ]
  private static let zeros = String(repeating: "0", count: 64)

  @Test("Keys out of range are refused in every form, and so are those that anybody can guess", arguments: edges)
  func keysAreFromOneToTheOrderLessOne(hex: String, isKey: Bool) throws {
    let bytes = try #require(Hex.decode(hex))
    for (number, text) in try Self.everyForm(of: bytes, hex).enumerated() {
      do {
        _ = try take(text, password: "pw", name: "k")
        Issue.record("form \(number) was taken")
      } catch IdentityError.badKey(let fault) {
        let isOutOfRange = if case .notAKey = fault { true } else { false }
        #expect(isKey ? fault == .guessable : isOutOfRange, "form \(number): \(fault)")
      }
    }
  }

  private static func everyForm(of bytes: [UInt8], _ hex: String) throws -> [[UInt8]] {
    let nsec = bytes.withUnsafeBytes { bytes -> [UInt8] in
      var text = [UInt8](repeating: 0, count: 63)
      text.withUnsafeMutableBytes { Bech32.encode(bytes, prefix: "nsec", into: $0) }
      return text
    }
    var file = KeyFile(cost: .floor, hint: "", createdAt: 0)
    var inside = Array(#"{"secretKey":"\#(hex)"}"#.utf8)
    try file.seal(SecretBytes(wiping: &inside), under: box(Array("pw".utf8)))
    return [
      nsec, Array(hex.utf8), file.text, Array(#"{"privateKey":"\#(hex)"}"#.utf8), try ncryptsec(of: bytes),
      Array(#"{"nostr":{},"keys":{"a":{"key":"\#(String(decoding: nsec, as: UTF8.self))"}}}"#.utf8),
    ]
  }

  /// By hand, since no encoder takes what is no key.
  private static func ncryptsec(of bytes: [UInt8]) throws -> [UInt8] {
    let (salt, nonce) = ([UInt8](repeating: 1, count: 16), [UInt8](repeating: 2, count: 24))
    let key = try Array("pw".utf8).withUnsafeBytes { SecretBox(try Scrypt.key(password: $0, salt: salt, logN: 4, count: 32)) }
    let sealed = try key.withBytes { key in
      try bytes.withUnsafeBytes { try ChaChaPoly.seal($0, key: key, nonce: nonce, associated: [0]) }
    }
    let all: [UInt8] = [[2, 4], salt, nonce, [0], sealed].flatMap { $0 }
    return all.withUnsafeBytes { all in
      var text = [UInt8](repeating: 0, count: Bech32.encodedLength(prefix: "ncryptsec", count: all.count))
      text.withUnsafeMutableBytes { Bech32.encode(all, prefix: "ncryptsec", into: $0) }
      return text
    }
  }

  @Test("The security byte of an ncryptsec is kept with the identity", arguments: NIP49.Security.all)
  func allThreeSecurityBytesAreKeptWithTheIdentity(security: NIP49.Security) throws {
    let key = try SecretKey.random()
    let text = try NIP49.encrypt(key, password: secret("pw"), logN: 4, security: security)
    let identity = try take(text, password: "pw")
    #expect(identity.keySecurity == security.rawValue && identity.exportSecurity == security)
    vault.close()
    #expect(try Identities(home.open()).all.first?.exportSecurity == security)
  }
}

extension NIP49.Security {
  fileprivate static let all: [NIP49.Security] = [.handledInsecurely, .notKnownInsecure, .untracked]
}
