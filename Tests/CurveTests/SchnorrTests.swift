import Curve
import Encodings
import TestSupport
import TestVectors
import Testing

@Suite struct SchnorrTests {
  // BIP-340, test vectors 0 and 1.
  static let examples: [(secret: String, key: String, auxiliary: String, message: String, signature: String)] = [
    (
      "0000000000000000000000000000000000000000000000000000000000000003",
      "F9308A019258C31049344F85F89D5229B531C845836F99B08601F113BCE036F9",
      "0000000000000000000000000000000000000000000000000000000000000000",
      "0000000000000000000000000000000000000000000000000000000000000000",
      "E907831F80848D1069A5371B402410364BDF1C5F8307B0084C55F1CE2DCA821525F66A4A85EA8B71E482A74F382D2CE5EBEEE8FDB2172F477DF4900D310536C0"
    ),
    (
      "B7E151628AED2A6ABF7158809CF4F3C762E7160F38B4DA56A784D9045190CFEF",
      "DFF1D77F2A671C5F36183726DB2341BE58FEAE1DA2DECED843240F7B502BA659",
      "0000000000000000000000000000000000000000000000000000000000000001",
      "243F6A8885A308D313198A2E03707344A4093822299F31D0082EFA98EC4E6C89",
      "6896BD60EEAE296DB48A229FF71DFE071BDE413E6D43F917DC8DCF8C78DE33418906D11AC976ABCCB20B091292BFF4EA897EFCB639EA871CFA95F6DE339E4B0A"
    ),
  ]

  @Test("The published Schnorr signatures are reproduced", arguments: examples.indices)
  func publishedExamples(index: Int) throws {
    let example = Self.examples[index]
    let pair = try keyPair(bytes(example.secret))
    #expect(pair.publicKey.hex == example.key.lowercased())
    let signature = try pair.sign(.hex(example.message), auxiliary: .hex(example.auxiliary))
    #expect(signature.hex == example.signature.lowercased())
    #expect(Schnorr.isValid(signature, of: .hex(example.message), by: pair.publicKey))
  }

  @Test("A flipped bit in the signature, message or key is detected") func anyFlippedBitIsRefused() throws {
    let seed: UInt64 = 340
    var random = Repeatable(seed: seed)
    let pair = try keyPair(random.bytes(32))
    let message = random.bytes(32)
    let signature = try pair.sign(bytes32(message)).array
    let all = signature + message + pair.publicKey.bytes.array
    for bit in 0..<all.count * 8 where bit % 5 == 0 {
      var changed = all
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      let isValid = Signature(changed[..<64]).map {
        Schnorr.isValid($0, of: bytes32(Array(changed[64..<96])), by: PublicKey(bytes32(Array(changed[96...]))))
      }
      #expect(isValid == false, "seed \(seed), bit \(bit)")
    }
  }

  @Test("Each signature uses new randomness") func freshRandomnessGivesAnotherSignature() throws {
    let pair = try KeyPair.random()
    let digest = Bytes32.fresh()
    let signatures = try (0..<3).map { _ in try pair.sign(digest) }
    #expect(Set(signatures).count == 3)
    #expect(signatures.allSatisfy { Schnorr.isValid($0, of: digest, by: pair.publicKey) })
  }

  @Test("Messages of any length can be signed", arguments: [0, 1, 31, 33, 100_000])
  func messagesOfAnyLengthAreSigned(count: Int) throws {
    let pair = try keyPair(scalar(7))
    let message = [UInt8](repeating: 0x61, count: count)
    let signature = try pair.sign(message: message, auxiliary: Bytes32())
    #expect(message.withUnsafeBytes { Schnorr.isValid(signature, ofMessage: $0, by: pair.publicKey) })
    #expect((message + [0]).withUnsafeBytes { !Schnorr.isValid(signature, ofMessage: $0, by: pair.publicKey) })
  }
}

@Suite("BIP-340 test vectors", .vectors("BIP-340"))
struct SchnorrVectorTests {
  @Test("Every published Schnorr case is verified") func everyPublishedCase() throws {
    for row in try Vectors.lines("bip340/test-vectors.csv", headings: 1) {
      let fields = row.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      let (key, message) = (PublicKey(.hex(fields[2])), bytes(fields[4]))
      let signature = try #require(Signature(hex: fields[5].utf8))
      let isValid = message.withUnsafeBytes { Schnorr.isValid(signature, ofMessage: $0, by: key) }
      #expect(isValid == (fields[6] == "TRUE"), "case \(fields[0]), \(fields[7])")
      guard !fields[1].isEmpty else { continue }
      let pair = try keyPair(bytes(fields[1]))
      #expect(pair.publicKey == key)
      #expect(try pair.sign(message: message, auxiliary: .hex(fields[3])) == signature, "case \(fields[0])")
      if message.count == 32 { #expect(try pair.sign(bytes32(message), auxiliary: .hex(fields[3])) == signature) }
    }
  }

  @Test("Every generated case is signed and verified as expected") func everyGeneratedCase() throws {
    for example in try Vectors.cases("bip340/generated.json", "cases") {
      func text(_ name: String) -> String { example[name] as? String ?? "" }
      let pair = try keyPair(bytes(text("secret_key")))
      #expect(pair.publicKey.hex == text("public_key"))
      let message = Bytes32.hex(text("message"))
      let signature = try #require(Signature(hex: text("signature").utf8))
      let isValid = try #require(example["valid"] as? Bool)
      #expect(Schnorr.isValid(signature, of: message, by: pair.publicKey) == isValid)
      #expect((try pair.sign(message, auxiliary: .hex(text("aux_rand"))) == signature) == isValid)
    }
  }
}
