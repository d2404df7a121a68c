import Ciphers
import Encodings
import SecretMemory
import TestSupport
import Testing

@Suite struct PasswordTests {
  // RFC 7914, section 12, the first three.
  @Test(
    "scrypt gives the published keys",
    arguments: [
      (
        "", "", 4, UInt64(1), UInt64(1),
        "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"
      ),
      (
        "password", "NaCl", 10, 8, 16,
        "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"
      ),
      (
        "pleaseletmein", "SodiumChloride", 14, 8, 1,
        "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"
      ),
    ])
  func scrypt(password: String, salt: String, logN: Int, r: UInt64, p: UInt64, key: String) throws {
    let derived = try Scrypt.key(password: raw(password), salt: Array(salt.utf8), logN: logN, r: r, p: p, count: 64)
    #expect(derived.hex() == key)
  }

  @Test(
    "scrypt costs out of range are refused at once",
    arguments: [
      (0, UInt64(8), UInt64(1)), (23, 8, 1), (63, 8, 1), (-1, 8, 1), (Int.max, 8, 1), (Int.min, 8, 1), (16, 0, 1), (16, 65, 1),
      (16, UInt64.max, 1), (16, 8, 0), (16, 8, 65), (16, 8, UInt64.max), (22, 16, 1), (20, 64, 1),
    ] as [(Int, UInt64, UInt64)])
  func scryptCostsOutOfRangeAreRefusedAtOnce(logN: Int, r: UInt64, p: UInt64) {
    #expect(throws: CipherError.costOutOfRange) {
      _ = try Scrypt.key(password: raw("password"), salt: [1], logN: logN, r: r, p: p, count: 32)
    }
  }

  // Computed with the reference implementation (PyPI argon2-cffi), version 1.3, one lane.
  @Test(
    "Argon2id gives the published keys",
    arguments: [
      (
        "password", Array("somesaltsomesalt".utf8), 19 << 20, 2, 32,
        "2b5dc4054886ec957ef59c73b661c54dd6fb274590b278f657c6d96aac8fa6d1"
      ),
      ("", Array(0...15), 20000 << 10, 3, 16, "aebee609da007168d3d00ef5bc47b073"),
    ])
  func argon2id(password: String, salt: [UInt8], memory: Int, passes: Int, count: Int, key: String) throws {
    let cost = try Argon2id.Cost(memory: memory, passes: passes)
    #expect(try Argon2id.key(password: raw(password), salt: salt, cost: cost, count: count).hex() == key)
  }

  @Test(
    "Argon2id costs out of range are refused",
    arguments: [
      (0, 2), ((19 << 20) - 1, 2), (19 << 20, 1), (19 << 20, 0), (19 << 20, -1), ((4 << 30) + 1, 2), (4 << 30, 65), (Int.max, 2),
      (19 << 20, Int.max), (Int.min, 2), (4 << 30, 5), (1 << 30, 17),
    ] as [(Int, Int)])
  func argon2idCostsOutOfRangeAreRefused(memory: Int, passes: Int) {
    #expect(throws: CipherError.costOutOfRange) { try Argon2id.Cost(memory: memory, passes: passes) }
  }

  @Test(
    "Argon2id takes the most passes that its memory allows",
    arguments: [(19 << 20, 64), (256 << 20, 64), (1 << 30, 16), (4 << 30, 4)])
  func argon2idTakesTheMostPasses(memory: Int, passes: Int) throws {
    #expect(Argon2id.Cost.mostPasses(over: memory) == passes)
    #expect(try Argon2id.Cost(memory: memory, passes: passes).passes == passes)
  }

  @Test("Argon2id requires a salt of 16 bytes") func argon2idWantsItsSaltOf16Bytes() {
    #expect(throws: CipherError.wrongLength(expected: 16, got: 8)) {
      _ = try Argon2id.key(password: raw("a"), salt: [UInt8](repeating: 0, count: 8), cost: .floor, count: 32)
    }
  }

  // Widely published values for PBKDF2-HMAC-SHA512; the second was computed again with Python's hashlib.
  @Test(
    "PBKDF2 gives the published keys",
    arguments: [
      (
        Int32(1),
        "867f70cf1ade02cff3752599a3a53dc4af34c7a669815ae5d513554e1c8cf252c02d470a285a0501bad999bfe943c08f050235d7d68b1da55e63f73b60a57fce"
      ),
      (
        4096,
        "d197b1b33db0143e018b12f3d1d1479e6cdebdcc97c5c0f87f6902e072f457b5143f30602641b3d55cd335988cb36b84376060ecd532e039b742a239434af2d5"
      ),
    ])
  func pbkdf2(iterations: Int32, key: String) throws {
    #expect(try SHA512.pbkdf2(password: raw("password"), salt: raw("salt"), iterations: iterations).hex() == key)
  }

  /// A derived key that was used and let go is nowhere in memory.
  @Test("Derived keys are wiped") func derivedKeysAreWiped() throws {
    let salt: [UInt8] = [0x5a, 1, 2]
    // The search needs a canary that follows from a number, so the other way round: a canary sealed, opened and let go.
    let canary = Canary(0xc1f3)
    let key = SystemRandom.bytes(32)
    func sealed() throws -> [UInt8] {
      let held = try SecretBytes(count: Canary.length) { canary.plant(in: $0) }
      return try held.withBytes {
        try ChaChaPoly.seal($0, key: raw(key), nonce: [UInt8](repeating: 1, count: 24), associated: salt)
      }
    }
    let text = try sealed()
    #expect(MemoryScan.occurrences(of: canary) == 0)
    func openAndCount() throws -> Int {
      let opened = try text.withUnsafeBytes {
        SecretBox(try ChaChaPoly.open($0, key: raw(key), nonce: [UInt8](repeating: 1, count: 24), associated: salt))
      }
      return withExtendedLifetime(opened) { MemoryScan.occurrences(of: canary) }
    }
    #expect(try openAndCount() == 1)
    #expect(MemoryScan.occurrences(of: canary) == 0)
  }
}
