import Curve
import Mnemonics
import SecretMemory
import TestSupport
import TestVectors
import Testing

@Suite("BIP-49, BIP-84 and BIP-86 test vectors", .vectors("BIP-49, BIP-84, BIP-86"))
struct AccountPathVectorTests {
  private func key(_ example: [String: Any]) throws -> ExtendedKey {
    let words = try Mnemonic(words: try secret(try #require(example["mnemonic"] as? String)))
    #expect(example["passphrase"] as? String == "")
    let path = try DerivationPath(parsing: try #require(example["path"] as? String))
    return try ExtendedKey(seed: try words.seed()).descendant(at: path)
  }

  /// After the four bytes that say which kind of address a key is for.
  private func payload(_ text: String) throws -> [UInt8] {
    Array(try secret(text).withBytes { try Base58Check.decode($0).array() }.dropFirst(4))
  }

  @Test("The keys of BIP-84 are derived") func bip84() throws {
    for example in try Vectors.cases("bip84-86/vectors.json", "bip84.derived") {
      let key = try key(example)
      if let extended = example["xpriv"] as? String {
        #expect(try payload(key.serialized().text()) == payload(extended))
        #expect(try payload(key.publicKey().serialized().text()) == payload(#require(example["xpub"] as? String)))
      } else {
        try check(key, private: #require(example["privkey"] as? String), public: #require(example["pubkey"] as? String))
      }
    }
  }

  @Test("The keys of BIP-86 are derived") func bip86() throws {
    for example in try Vectors.cases("bip84-86/vectors.json", "bip86.derived") {
      let key = try key(example)
      #expect(try key.serialized().text() == example["xprv"] as? String)
      #expect(try key.publicKey().serialized().text() == example["xpub"] as? String)
      guard let x = example["internal_key"] as? String else { continue }  // an account has none
      let secretKey = try key.secretKey()
      #expect(try secretKey.compressedPublicKey().x.hex == x)
    }
  }

  @Test("The keys of BIP-49 are derived") func bip49() throws {
    for example in try Vectors.cases("bip84-86/vectors.json", "bip49_testnet") {
      let key = try key(example)
      let (text, point) = (example["private_key_wif"] as? String, example["public_key"] as? String)
      try check(key, private: #require(text), public: #require(point))
    }
  }

  /// - Parameter text: a private key for import: a version byte, the key, and 1 for a compressed public key.
  private func check(_ key: borrowing ExtendedKey, private text: String, public point: String) throws {
    let secretKey = try key.secretKey()
    let own = secretKey.withBytes { [UInt8]($0) }
    let imported = try secret(text).withBytes { try Base58Check.decode($0).array() }
    #expect(imported.dropFirst() == (own + [1])[...])
    #expect(try secretKey.compressedPublicKey().bytes.hex == point)
  }
}
