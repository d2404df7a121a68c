import Curve
import Encodings
import Foundation
import Mnemonics
import SecretMemory
import TestSupport
import TestVectors
import Testing

@Suite struct ExtendedKeyTests {
  // BIP-32, test vector 1.
  static let seed = "000102030405060708090a0b0c0d0e0f"
  static let master =
    "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi"
  static let masterPublic =
    "xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8"
  static let child =
    "xprv9wTYmMFdV23N2TdNG573QoEsfRrWKQgWeibmLntzniatZvR9BmLnvSxqu53Kw1UmYPxLgboyZQaXwTCg8MSY3H2EU4pWcQDnRnrVA1xe8fs"

  @Test("The published BIP-32 example is reproduced") func publishedExample() throws {
    let key = try ExtendedKey(seed: try secret(hex: Self.seed))
    #expect(try key.serialized().text() == Self.master)
    #expect(try key.publicKey().serialized().text() == Self.masterPublic)
    #expect(try key.fingerprint() == 0x3442_193e)
    #expect(try key.descendant(at: try DerivationPath(parsing: "m/0'/1")).serialized().text() == Self.child)
  }

  @Test("Three spellings of a derivation path mean the same") func theSamePathInThreeSpellings() throws {
    let paths = try ["m/44'/1237'/0'/0/0", "m/44h/1237h/0h/0/0", "m/44H/1237'/0h/0/0"].map { try DerivationPath(parsing: $0) }
    #expect(Set(paths).count == 1)
    #expect(paths[0].description == "m/44'/1237'/0'/0/0")
    #expect(paths[0].steps.map(\.rawValue) == [0x8000_002c, 0x8000_04d5, 0x8000_0000, 0, 0])
    #expect(try DerivationPath(parsing: "m").steps.isEmpty)
  }

  @Test(
    "A malformed derivation path is refused with the position of the fault",
    arguments: [
      ("", 0), ("/", 0), ("M/1", 0), ("44'/0", 0), (" m/1", 0), ("m/", 1), ("m//1", 1), ("m/1/", 2), ("m/'", 1), ("m/1''", 1),
      ("m/-1", 1), ("m/+1", 1), ("m/01", 1), ("m/0x1", 1), ("m/1 ", 1), ("m/2147483648", 1), ("m/2147483648'", 1),
      ("m/0/4294967296", 2), ("m/0/99999999999", 2), ("m/１", 1), ("m/0/1'h", 2), ("m/*", 1),
    ])
  func malformedPathsAreRefusedByPosition(text: String, component: Int) {
    #expect(throws: ExtendedKeyError.malformedPath(component: component)) { try DerivationPath(parsing: text) }
  }

  @Test("A derivation path has at most 255 steps") func pathsHaveAtMost255Steps() throws {
    let longest = "m" + String(repeating: "/2147483647'", count: 255)
    #expect(try DerivationPath(parsing: longest).steps.count == 255)
    #expect(throws: ExtendedKeyError.tooDeep) { try DerivationPath(parsing: longest + "/0") }
    #expect(throws: ExtendedKeyError.tooDeep) { try DerivationPath(parsing: "m" + String(repeating: "/0", count: 256)) }
    #expect(throws: ExtendedKeyError.tooDeep) { try DerivationPath(parsing: String(repeating: "m", count: 1 << 20)) }
  }

  @Test("No key is derived below depth 255") func nothingIsBelowDepth255() throws {
    let path = try DerivationPath([ChildIndex](repeating: ChildIndex(rawValue: 0), count: 255))
    let deepest = try ExtendedKey(seed: try secret(hex: Self.seed)).descendant(at: path)
    #expect(deepest.origin.depth == 255)
    #expect(throws: ExtendedKeyError.tooDeep) { _ = try deepest.child(ChildIndex(rawValue: 0)) }
    #expect(throws: ExtendedKeyError.tooDeep) { _ = try deepest.publicKey().child(ChildIndex(rawValue: 0)) }
  }

  @Test("An index of more than 31 bits is refused") func indexesEndAt31Bits() {
    #expect(ChildIndex(normal: 0x7fff_ffff)?.rawValue == 0x7fff_ffff)
    #expect(ChildIndex(hardened: 0x7fff_ffff)?.rawValue == 0xffff_ffff)
    #expect(ChildIndex(normal: 0x8000_0000) == nil)
    #expect(ChildIndex(hardened: 0x8000_0000) == nil)
  }

  @Test("A seed of the wrong length is refused", arguments: [1, 15, 65])
  func seedsOfAnotherLengthAreRefused(count: Int) {
    #expect(throws: ExtendedKeyError.seedLength(count)) { _ = try ExtendedKey(seed: try SecretBytes(randomCount: count)) }
  }

  @Test("Public and private derivation give the same public key") func publicDerivationAgreesWithPrivate() throws {
    let seed: UInt64 = 32
    var random = Repeatable(seed: seed)
    let parent = try ExtendedKey(seed: try secret(random.bytes(32)))
    for _ in 0..<20 {
      let index = ChildIndex(rawValue: UInt32.random(in: 0..<ChildIndex.hardenedStart, using: &random))
      let fromPrivate = try parent.child(index).publicKey()
      let fromPublic = try parent.publicKey().child(index)
      #expect(try fromPrivate.serialized().text() == fromPublic.serialized().text(), "seed \(seed)")
      #expect(try parent.child(index).secretKey().compressedPublicKey() == fromPublic.key, "seed \(seed)")
    }
  }

  @Test("A hardened child cannot be derived from a public key") func publicKeysHaveNoHardenedChildren() throws {
    let key = try ExtendedKey(seed: try secret(hex: Self.seed)).publicKey()
    #expect(throws: ExtendedKeyError.hardenedChildOfPublicKey) { _ = try key.child(ChildIndex(rawValue: 0x8000_0000)) }
  }

  @Test("Keys of the test network keep their prefix") func testNetworkKeysKeepTheirPrefix() throws {
    let key = try ExtendedKey(seed: try secret(hex: Self.seed), network: .test)
    let secretText = try key.serialized()
    let publicText = try key.publicKey().serialized()
    #expect(secretText.text().hasPrefix("tprv") && publicText.text().hasPrefix("tpub"))
    #expect(try ExtendedKey(parsing: secretText).serialized().text() == secretText.text())
    #expect(try ExtendedPublicKey(parsing: publicText).serialized().text() == publicText.text())
  }

  @Test("A public extended key is not read as a private one") func oneKindIsNotReadAsTheOther() {
    #expect(throws: ExtendedKeyError.unknownVersion) { _ = try ExtendedKey(parsing: try secret(Self.masterPublic)) }
    #expect(throws: ExtendedKeyError.unknownVersion) { _ = try ExtendedPublicKey(parsing: try secret(Self.master)) }
  }

  @Test(
    "A malformed extended key is refused",
    arguments: [
      (master + "1", ExtendedKeyError.checksum), (String(master.dropLast()), .checksum),
      ("0" + master.dropFirst(), .notBase58(offset: 0)),
      (master + "\n", .notBase58(offset: 111)), (master.replacingOccurrences(of: "xprv9s2", with: "xprv9s3"), .checksum),
      ("1", .checksum), ("3QJmnh", .checksum), (String(repeating: "z", count: 182), .textLength(182)),
      (String(repeating: "1", count: 181), .checksum), ("1Wh4bh", .payloadLength(1)),
    ])
  func malformedTextIsRefused(text: String, fault: ExtendedKeyError) {
    #expect(throws: fault) { _ = try ExtendedKey(parsing: try secret(text)) }
    #expect(throws: fault) { _ = try ExtendedPublicKey(parsing: try secret(text)) }
  }

  @Test("An extended key with a changed character is refused") func anyChangedCharacterIsRefused() throws {
    let seed: UInt64 = 58
    var random = Repeatable(seed: seed)
    let alphabet = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".utf8)
    for position in 0..<Self.master.utf8.count {
      var text = Array(Self.master.utf8)
      let old = text[position]
      repeat { text[position] = alphabet.randomElement(using: &random) ?? 0 } while text[position] == old
      #expect(throws: ExtendedKeyError.self, "seed \(seed), position \(position)") {
        _ = try ExtendedKey(parsing: try secret(text))
      }
    }
  }
}

@Suite("BIP-32 test vectors", .vectors("BIP-32"))
struct ExtendedKeyVectorTests {
  @Test("The published chains of BIP-32 are derived") func everyChain() throws {
    for chain in try Vectors.cases("bip32/vectors.json", "valid[].chains") {
      func text(_ name: String) throws -> String { try #require(chain[name] as? String) }
      let (xprv, xpub) = (try text("xprv"), try text("xpub"))
      let master = try ExtendedKey(seed: try secret(hex: try text("seed")))
      let key = try master.descendant(at: try DerivationPath(parsing: try text("path")))
      #expect(try key.serialized().text() == xprv)
      #expect(try key.publicKey().serialized().text() == xpub)
      #expect(try ExtendedKey(parsing: try secret(xprv)).publicKey().serialized().text() == xpub)
      #expect(try ExtendedPublicKey(parsing: try secret(xpub)).serialized().text() == xpub)
    }
  }

  @Test("Each published invalid key is refused for its reason") func everyInvalidKeyIsRefusedForItsReason() throws {
    let expected: [String: ExtendedKeyError] = [
      "pubkey version / prvkey mismatch": .malformedPublicKey, "prvkey version / pubkey mismatch": .malformedPrivateKey,
      "invalid pubkey prefix 04": .malformedPublicKey, "invalid prvkey prefix 04": .malformedPrivateKey,
      "invalid pubkey prefix 01": .malformedPublicKey, "invalid prvkey prefix 01": .malformedPrivateKey,
      "zero depth with non-zero parent fingerprint": .masterKeyWithParent, "zero depth with non-zero index": .masterKeyWithParent,
      "unknown extended key version": .unknownVersion, "private key 0 not in 1..n-1": .malformedPrivateKey,
      "private key n not in 1..n-1": .malformedPrivateKey,
      "invalid pubkey 020000000000000000000000000000000000000000000000000000000000000007": .malformedPublicKey,
      "invalid checksum": .checksum,
    ]
    for example in try Vectors.cases("bip32/vectors.json", "invalid", as: [String: String].self) {
      let (text, reason) = (try #require(example["key"]), try #require(example["reason"]))
      let fault = #expect(throws: ExtendedKeyError.self, "\(reason)") {
        if text.hasPrefix("xpub") {
          _ = try ExtendedPublicKey(parsing: try secret(text))
        } else {
          _ = try ExtendedKey(parsing: try secret(text))
        }
      }
      if let named = expected[reason] { #expect(fault == named, "\(reason)") }
    }
  }
}

@Suite struct Base58CheckTests {
  // The genesis block's address: version 0 and the hash of its key.
  @Test("The published Base58Check address is reproduced") func publishedAddress() throws {
    let payload = "0062e907b15cbf27d5425399ebf6f0fb50ebb88f18"
    let text = "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"
    #expect(try secret(hex: payload).withBytes { try Base58Check.encode($0).text() } == text)
    #expect(try secret(text).withBytes { try Base58Check.decode($0).hex() } == payload)
  }

  @Test("Written Base58Check reads back the same") func everyPayloadReadsBack() throws {
    let seed: UInt64 = 4
    var random = Repeatable(seed: seed)
    for length in 1...Base58Check.longestPayload where length < 20 || length % 7 == 2 {
      let payload = [UInt8](repeating: 0, count: Int.random(in: 0...min(3, length), using: &random)) + random.bytes(length)
      let kept = Array(payload.prefix(length))
      let text = try secret(kept).withBytes { try Base58Check.encode($0) }
      #expect(try text.withBytes { try Base58Check.decode($0).array() } == kept, "seed \(seed), length \(length)")
    }
    let longest = [UInt8](repeating: 0xff, count: Base58Check.longestPayload)
    #expect(try longest.withUnsafeBytes { try Base58Check.encode($0).count } <= Base58Check.longestText)
  }

  @Test("A Base58Check payload that is empty or too long is refused") func payloadsOutsideTheLimitAreRefused() {
    for count in [0, Base58Check.longestPayload + 1] {
      let bytes = [UInt8](repeating: 1, count: count)
      #expect(throws: ExtendedKeyError.payloadLength(count)) { try bytes.withUnsafeBytes { try Base58Check.encode($0).count } }
    }
  }
}
