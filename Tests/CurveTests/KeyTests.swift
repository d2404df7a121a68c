import Curve
import Encodings
import SecretMemory
import TestSupport
import Testing

@Suite struct SecretKeyTests {
  @Test("The smallest and the largest secret key are accepted") func keysFromOneToTheOrderLessOneAreTaken() throws {
    #expect(try secretKey(scalar(1)).withBytes { $0.count } == 32)
    #expect(try secretKey(order(plus: -1)).withBytes { $0.count } == 32)
  }

  @Test(
    "A secret key out of range is refused",
    arguments: [scalar(0), groupOrder, order(plus: 1), [UInt8](repeating: 0xff, count: 32)])
  func keysOutOfRangeAreRefused(key: [UInt8]) {
    #expect(throws: CurveError.secretKeyOutOfRange) { _ = try secretKey(key) }
  }

  @Test("A secret key of another length is refused", arguments: [1, 31, 33, 64])
  func keysOfAnotherLengthAreRefused(count: Int) {
    #expect(throws: CurveError.secretKeyLength(count)) { _ = try secretKey([UInt8](repeating: 1, count: count)) }
  }

  @Test("The public keys of small numbers match the published ones") func publicKeysOfSmallNumbers() throws {
    // The generator, twice and three times it (SEC 2; BIP-340's test vector 0).
    #expect(
      try secretKey(scalar(1)).compressedPublicKey().bytes.hex
        == "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798")
    #expect(
      try secretKey(scalar(2)).compressedPublicKey().bytes.hex
        == "02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5")
    #expect(
      try secretKey(order(plus: -1)).compressedPublicKey().bytes.hex
        == "0379be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798")
  }

  @Test("New keys differ from each other") func freshKeysDiffer() throws {
    let keys = try (0..<20).map { _ in try KeyPair.random().publicKey }
    #expect(Set(keys).count == 20)
    #expect(keys.allSatisfy { $0.isOnCurve })
  }

  @Test("Copies and pairs hold the same secret key") func duplicatesAndPairsKeepTheKey() throws {
    let key = try secretKey(Array(1...32))
    let copy = try key.duplicate()
    #expect(copy.withBytes { Hex.encode($0) } == Hex.encode(Array(1...32)))
    let pair = try KeyPair(key)
    #expect(try pair.secretKey().withBytes { Hex.encode($0) } == Hex.encode(Array(1...32)))
    #expect(pair.publicKey == (try key.compressedPublicKey().x))
  }
}

@Suite struct TweakTests {
  private func tweaked(_ key: [UInt8], _ tweak: [UInt8]) throws -> String {
    try tweak.withUnsafeBytes { try secretKeyText(try secretKey(key).adding(tweak: $0)) }
  }

  private func secretKeyText(_ key: borrowing SecretKey) throws -> String { key.withBytes { Hex.encode($0) } }

  @Test("Added keys wrap around the group order") func sumsGoAroundTheOrder() throws {
    #expect(try tweaked(scalar(1), scalar(2)) == scalar(3).hex)
    #expect(try tweaked(scalar(5), scalar(0)) == scalar(5).hex)
    #expect(try tweaked(order(plus: -1), scalar(2)) == scalar(1).hex)
    #expect(try tweaked(scalar(3), order(plus: -1)) == scalar(2).hex)
  }

  @Test(
    "A tweak that gives no valid key is refused",
    arguments: [
      (scalar(1), order(plus: -1)),  // the sum is zero
      (scalar(1), groupOrder), (scalar(1), order(plus: 1)), (scalar(1), [UInt8](repeating: 0xff, count: 32)),
      (scalar(1), []), (scalar(1), Array(1...31)), (scalar(1), Array(1...33)),
    ])
  func tweaksThatLeadNowhereAreRefused(key: [UInt8], tweak: [UInt8]) throws {
    #expect(throws: CurveError.tweakOutOfRange) { try tweaked(key, tweak) }
    let point = try secretKey(key).compressedPublicKey()
    #expect(throws: CurveError.tweakOutOfRange) { try tweak.withUnsafeBytes { try point.adding(tweak: $0) } }
  }

  @Test("A tweak gives the same result on the public and the secret key") func publicTweaksAgreeWithPrivateOnes() throws {
    let seed: UInt64 = 32
    var random = Repeatable(seed: seed)
    for _ in 0..<20 {
      let (key, tweak) = (random.bytes(32), random.bytes(32))
      let sum = try secretKey(bytes(try tweaked(key, tweak))).compressedPublicKey()
      let point = try secretKey(key).compressedPublicKey()
      #expect(try tweak.withUnsafeBytes { try point.adding(tweak: $0) } == sum, "seed \(seed)")
    }
  }
}

@Suite struct PointTests {
  static let generatorX = "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
  static let generatorY = "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8"

  @Test("A public key is read from its compressed and its uncompressed form") func readsBothForms() throws {
    let short = try CompressedPublicKey(bytes("02" + Self.generatorX))
    #expect(short.bytes.hex == "02" + Self.generatorX)
    #expect(try CompressedPublicKey(uncompressed: bytes("04" + Self.generatorX + Self.generatorY)) == short)
    #expect(try CompressedPublicKey(bytes("03" + Self.generatorX)) != short)
  }

  @Test(
    "Bytes that are not a compressed public key are refused",
    arguments: [
      "", "02", "00" + generatorX, "01" + generatorX, "04" + generatorX, "05" + generatorX, generatorX, "02" + generatorX + "00",
      "04" + generatorX + generatorY,
    ])
  func otherFormsAreNotCompressed(hex: String) {
    #expect(throws: CurveError.notOnCurve) { try CompressedPublicKey(bytes(hex)) }
  }

  @Test(
    "Bytes that are not an uncompressed public key are refused",
    arguments: [
      "", "04", "02" + generatorX, "06" + generatorX + generatorY, "07" + generatorX + generatorY, "04" + generatorY + generatorX,
      "04" + generatorX + generatorX, "04" + generatorX + generatorY + "00", "02" + generatorX + generatorY,
    ])
  func otherFormsAreNotUncompressed(hex: String) {
    #expect(throws: CurveError.notOnCurve) { try CompressedPublicKey(uncompressed: bytes(hex)) }
  }

  @Test("Public keys sort in the order of their hex text") func publicKeysAreOrderedAsTheirHex() {
    var random = Repeatable(seed: 3)
    let keys = (0..<50).map { _ in PublicKey(bytes32(random.bytes(32))) }
    #expect(keys.sorted().map(\.hex) == keys.map(\.hex).sorted())
  }

  @Test("A signature has 64 bytes", arguments: [0, 1, 63, 65, 128])
  func signaturesHave64Bytes(count: Int) {
    #expect(Signature([UInt8](repeating: 1, count: count)) == nil)
    #expect(Signature(hex: [UInt8](repeating: 0x31, count: count == 128 ? 127 : count * 2)) == nil)
    #expect(Signature(Array(1...64))?.array == Array(1...64))
    #expect(Signature(hex: [UInt8](repeating: 0x67, count: 128)) == nil)
  }
}

/// The key of a pair that signs, shares and goes.
@Suite struct KeySilenceTests {
  @Test("A printed key pair shows its public key only") func pairShowsItsPublicKeyOnly() throws {
    let pair = try keyPair(Array(1...32))
    var dumped = ""
    dump(pair, to: &dumped)
    for text in ["\(pair)", String(reflecting: pair), dumped, "\([pair])", pair.description, pair.debugDescription] {
      #expect(text.contains(pair.publicKey.hex))
      #expect(!text.contains("0102030405") && !text.contains("1, 2, 3") && !text.contains("SecretBytes"))
    }
    #expect(Mirror(reflecting: pair).children.isEmpty)
  }

  @Test("A key that signed leaves no copy in memory") func nothingIsLeftOfAKeyThatSigned() throws {
    let canary = Canary(0x5ec9)
    #expect(canary.byte(0) != 0xff)  // so that it is a key
    let peer = try KeyPair.random().publicKey
    func useAndCount() throws -> Int {
      let pair = try KeyPair(try SecretKey(try SecretBytes(count: 32) { canary.plant(in: $0) }))
      for _ in 0..<3 {
        #expect(try Schnorr.isValid(pair.sign(Bytes32()), of: Bytes32(), by: pair.publicKey))
        _ = try pair.sharedX(with: peer).hex()
      }
      return withExtendedLifetime(pair) { MemoryScan.occurrences(of: canary) }
    }
    #expect(try useAndCount() == 1)
    #expect(MemoryScan.occurrences(of: canary) == 0)
  }

  @Test("A key that signed with ECDSA leaves no copy in memory") func nothingIsLeftOfAKeyThatSignedECDSA() throws {
    let canary = Canary(0x5ecb)
    #expect(canary.byte(0) != 0xff)
    func useAndCount() throws -> Int {
      let key = try SecretKey(try SecretBytes(count: 32) { canary.plant(in: $0) })
      _ = try ECDSA.sign(Bytes32(), with: key)
      _ = try ECDSA.signRecoverable(Bytes32(), with: key)
      return key.withBytes { _ in MemoryScan.occurrences(of: canary) }
    }
    #expect(try useAndCount() >= 1)
    #expect(MemoryScan.occurrences(of: canary) == 0)
  }
}
