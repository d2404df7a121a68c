import Curve
import Encodings
import Mnemonics
import Nostr
import SecretMemory
import TestVectors
import Testing

@Suite("NIP-06")
struct NIP06Tests {
  private func key(_ words: String, account: UInt32 = 0) throws -> KeyPair {
    var bytes = words.bytes
    let mnemonic = try Mnemonic(words: try SecretBytes(wiping: &bytes))
    return try KeyPair(try NIP06.secretKey(seed: try mnemonic.seed(), account: account))
  }

  // From NIP-06's own text.
  @Test("The keys of the standard's examples are derived") func derivesTheStandardsExample() throws {
    let words = "leader monkey parrot ring guide accident before fence cannon height naive bean"
    #expect(try key(words).publicKey.npub == "npub1zutzeysacnf9rru6zqwmxd54mud0k44tst6l70ja5mhv8jjumytsd2x7nu")
    #expect(try key(words, account: 1).publicKey != key(words).publicKey)
  }

  @Test("The account is the third step of the derivation path") func theAccountIsTheThirdStep() throws {
    #expect(try NIP06.path(account: 7).description == "m/44'/1237'/7'/0/0")
    #expect(throws: ExtendedKeyError.malformedPath(component: 3)) { try NIP06.path(account: 1 << 31) }
  }

  @Test("The published words give the published keys", .vectors("NIP-06")) func vectors() throws {
    for item in try Vectors.cases("nip06/vectors.json", "vectors") {
      let pair = try key(try #require(item["mnemonic"] as? String))
      #expect(pair.publicKey.hex == item["public_key"] as? String)
      #expect(pair.publicKey.npub == item["npub"] as? String)
      let secret = try pair.secretKey()
      let hex = secret.withBytes { Hex.encode($0) }
      #expect(hex == item["private_key"] as? String)
    }
  }
}
