import Ciphers
import Encodings
import SecretMemory
import TestSupport
import Testing

/// Values from FIPS 180-4's examples (NIST), RFC 4231, RFC 5869 and BIP-340.
@Suite struct HashTests {
  static let twoBlocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"

  @Test(
    "SHA-256 gives the published digests",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (twoBlocks, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
      (String(repeating: "a", count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ])
  func sha256(text: String, digest: String) {
    #expect(SHA256.digest(of: Array(text.utf8)).hex == digest)
  }

  @Test(
    "SHA-512 gives the published digests",
    arguments: [
      (
        "",
        "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"
      ),
      (
        "abc",
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
      ),
    ])
  func sha512(text: String, digest: String) {
    #expect(Array(text.utf8).withUnsafeBytes { SHA512.digest(of: $0) }.hex == digest)
  }

  @Test("A text that is hashed in pieces has the same digest as the whole") func piecesHashAsTheWhole() {
    let seed: UInt64 = 256
    var random = Repeatable(seed: seed)
    for _ in 0..<50 {
      let bytes = random.bytes(Int.random(in: 0...300, using: &random))
      let cut = Int.random(in: 0...bytes.count, using: &random)
      var hash = SHA256()
      hash.update(Array(bytes[..<cut]))
      hash.update([])
      hash.update(Array(bytes[cut...]))
      #expect(hash.finish() == SHA256.digest(of: bytes), "seed \(seed)")
      let key = random.bytes(Int.random(in: 0...140, using: &random))
      let whole = HMACSHA256.code(key: raw(key), raw(bytes))
      let pieces = HMACSHA256.code(key: raw(key), raw(Array(bytes[..<cut])), raw(Array(bytes[cut...])))
      #expect(whole == pieces, "seed \(seed)")
    }
  }

  @Test("A tagged hash is made as BIP-340 defines it") func taggedHashIsThatOfBIP340() {
    let tag = SHA256.digest(of: Array("BIP0340/challenge".utf8)).array
    let expected = SHA256.digest(of: tag + tag + [1, 2, 3])
    #expect([UInt8]([1, 2, 3]).withUnsafeBytes { SHA256.tagged("BIP0340/challenge", $0) } == expected)
  }

  // RFC 4231, cases 1, 2, 3, 4, 6 and 7: HMAC-SHA-256 and HMAC-SHA-512.
  static let hmacs: [(key: [UInt8], data: [UInt8], sha256: String, sha512: String)] = [
    (
      [UInt8](repeating: 0x0b, count: 20), Array("Hi There".utf8),
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
      "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cdedaa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854"
    ),
    (
      Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
      "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"
    ),
    (
      [UInt8](repeating: 0xaa, count: 20), [UInt8](repeating: 0xdd, count: 50),
      "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe",
      "fa73b0089d56a284efb0f0756c890be9b1b5dbdd8ee81a3655f83e33b2279d39bf3e848279a722c806b485a47e67c807b946a337bee8942674278859e13292fb"
    ),
    (
      Array(1...25), [UInt8](repeating: 0xcd, count: 50), "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b",
      "b0ba465637458c6990e5a8c5f61d4af7e576d97ff94b872de76f8050361ee3dba91ca5c11aa25eb4d679275cc5788063a5f19741120c4f2de2adebeb10a298dd"
    ),
    (
      [UInt8](repeating: 0xaa, count: 131), Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
      "80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f3526b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598"
    ),
  ]

  @Test("HMAC gives the published codes", arguments: hmacs.indices)
  func hmac(index: Int) throws {
    let example = Self.hmacs[index]
    #expect(HMACSHA256.code(key: raw(example.key), raw(example.data)).hex == example.sha256)
    #expect(try SHA512.hmac(key: raw(example.key), raw(example.data)).hex() == example.sha512)
  }

  // RFC 5869, appendix A.1 to A.3.
  @Test(
    "HKDF gives the published keys",
    arguments: [
      (
        String(repeating: "0b", count: 22), "000102030405060708090a0b0c", "f0f1f2f3f4f5f6f7f8f9",
        "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5",
        "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
      ),
      (
        String(repeating: "0b", count: 22), "", "", "19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04",
        "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
      ),
    ])
  func hkdf(input: String, salt: String, info: String, pseudorandomKey: String, output: String) throws {
    let key = try HKDFSHA256.extract(salt: raw(bytes(salt)), inputKey: raw(bytes(input)))
    #expect(key.hex() == pseudorandomKey)
    #expect(try HKDFSHA256.expand(pseudorandomKey: key, info: bytes(info), count: output.utf8.count / 2).hex() == output)
  }

  @Test("A longer HKDF output begins with the shorter one") func longerOutputsOfHKDFBeginWithTheShorterOnes() throws {
    let key = try secret([UInt8](repeating: 7, count: 32))
    let longest = try HKDFSHA256.expand(pseudorandomKey: key, info: [1], count: 255 * 32).array()
    #expect(longest.count == 8160)
    for count in [1, 31, 32, 33, 64, 76, 8159] {
      #expect(try HKDFSHA256.expand(pseudorandomKey: key, info: [1], count: count).array() == Array(longest[..<count]))
    }
  }

  // RIPEMD-160 of SHA-256: of nothing, and of the generator's compressed key (the address of private key 1).
  @Test(
    "HASH160 gives the published digests",
    arguments: [
      ("", "b472a266d0bd89c13706a4132ccfb16f7c3b9fcb"),
      ("0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798", "751e76e8199196d454941c45d1b3a323f1433bd6"),
    ])
  func hash160(hex: String, digest: String) throws {
    #expect(try Hash160.digest(of: raw(bytes(hex))).hex == digest)
  }
}
