import Ciphers
import Encodings
import Foundation
import SecretMemory
import TestSupport
import TestVectors
import Testing

@testable import Threshold

@Suite("FROST(Ed25519, SHA-512) of RFC 9591") struct EdDSATests {
  /// RFC 9591's own vector, ZF FROST's, and one of 257 members.
  private static let files = [
    "frost-rfc9591/frost-ed25519-sha512.json", "frost-zf/frost-ed25519/vectors.json",
    "frost-zf/frost-ed25519/vectors-big-identifier.json",
  ]

  @Test("The published signatures are made, and every value on the way", .vectors("RFC 9591"), arguments: files)
  func published(file: String) throws {
    let vector = try EdDSAVector(file)
    let nonces = try vector.nonces()
    var signers: [EdDSASession.Signer] = []
    for (share, output) in nonces {
      let nonce = try share.nonce(randomness: output.randomness)
      #expect(
        nonce.hiding.withBytes { [UInt8]($0) } == output.hiding && nonce.binding.withBytes { [UInt8]($0) } == output.binding)
      #expect(nonce.commitment.bytes == output.commitment)
      signers.append(.init(identifier: share.identifier, publicShare: share.publicShare, commitment: nonce.commitment))
    }
    let session = try EdDSASession(signers.reversed(), publicKey: vector.publicKey, message: vector.message)
    var parts: [UInt32: Bytes32] = [:]
    for (share, output) in nonces {
      parts[share.identifier] = try session.sign(try share.nonce(randomness: output.randomness), share: share)
      #expect(parts[share.identifier]?.array == vector.parts[share.identifier])
    }
    let signature = try session.finish(parts)
    #expect(signature == vector.signature && Ed25519.isValid(signature, of: vector.message, by: vector.publicKey))
  }

  @Test("The published shares are dealt", .vectors("RFC 9591"), arguments: files) func dealing(file: String) throws {
    let vector = try EdDSAVector(file)
    let coefficients = try vector.coefficients.map { bytes in
      try EdDSADealer.Coefficient(EdwardsSecret(try secret(bytes)))
    }
    let dealing = try EdDSADealer.split(coefficients, members: vector.shares.count)
    #expect(dealing.publicKey == vector.publicKey)
    for share in dealing.shares { #expect(share.secret.withBytes { [UInt8]($0) } == vector.shares[share.identifier]) }
  }

  @Test("ZF FROST's points are taken, and its invalid one is not", .vectors("ZF FROST")) func points() throws {
    func point(_ text: Any?) throws -> EdwardsPoint? {
      let text = try #require(text as? String)
      return EdwardsPoint(try #require(Bytes32(hex: text)))
    }
    let bad = try #require(try Vectors.object("frost-zf/frost-ed25519/elements.json")["elements"] as? [String: Any])
    #expect(try point(bad["invalid_element"]) == nil)
    let good = try Vectors.object("frost-zf/frost-ed25519/samples.json")
    #expect(try point(good["element1"]) != nil && point(good["element2"]) != nil)
  }

  @Test("Every choice of members signs", arguments: [(1, 1), (1, 2), (2, 3), (3, 5)])
  func everyChoice(threshold: Int, members: Int) throws {
    let dealing = try EdDSADealer.generate(threshold: threshold, members: members)
    for count in threshold...members {
      for identifiers in choices(count, of: members) {
        let round = try EdDSARound(dealing, identifiers.map { $0 + 1 })
        #expect(Ed25519.isValid(try round.session.finish(round.parts), of: [1, 2, 3], by: dealing.publicKey))
      }
    }
  }

  @Test("A member that lies is named") func liar() throws {
    var round = try EdDSARound(try EdDSADealer.generate(threshold: 3, members: 5), [1, 3, 5])
    round.parts[3] = EdwardsScalar(7).bytes
    #expect(error { _ = try round.session.finish(round.parts) } == .wrongContribution(.partialSignature, place: 1))
    round.parts[3] = Bytes32([UInt8](repeating: 0xff, count: 32))
    #expect(error { _ = try round.session.finish(round.parts) } == .wrongContribution(.partialSignature, place: 1))
    round.parts[3] = nil
    #expect(error { _ = try round.session.finish(round.parts) } == .unequalCounts)
  }

  @Test("A coordinator that changes a commitment gets no signature for it") func changedCommitment() throws {
    let dealing = try EdDSADealer.generate(threshold: 2, members: 2)
    let (own, other) = (dealing.shares[0], dealing.shares[1])
    let signers = [
      EdDSASession.Signer(identifier: 1, publicShare: own.publicShare, commitment: try own.nonce().commitment),
      EdDSASession.Signer(identifier: 2, publicShare: other.publicShare, commitment: try other.nonce().commitment),
    ]
    let session = try EdDSASession(signers, publicKey: dealing.publicKey, message: [])
    #expect(error { _ = try session.sign(try own.nonce(), share: own) } == .wrongContribution(.aggregateNonce, place: nil))
  }

  @Test("Too few members, repeated ones and strange shares make no session") func sessions() throws {
    let dealing = try EdDSADealer.generate(threshold: 2, members: 3)
    func signer(_ place: Int, as identifier: UInt32) throws -> EdDSASession.Signer {
      let share = dealing.shares[place]
      return .init(identifier: identifier, publicShare: share.publicShare, commitment: try share.nonce().commitment)
    }
    func refused(_ signers: [EdDSASession.Signer], _ key: Bytes32? = nil) -> ThresholdError? {
      error { _ = try EdDSASession(signers, publicKey: key ?? dealing.publicKey, message: []) }
    }
    #expect(refused([]) == .signerCount)
    #expect(try refused([signer(0, as: 1)]) == .keyMaterialInconsistent)
    #expect(try refused([signer(0, as: 2), signer(1, as: 1)]) == .keyMaterialInconsistent)
    #expect(try refused([signer(0, as: 1), signer(0, as: 1)]) == .identifierRepeated)
    #expect(try refused([signer(0, as: 0), signer(1, as: 2)]) == .identifierOutOfRange(place: 0))
    #expect(try refused([signer(0, as: 1), signer(1, as: 2)], Bytes32()) == .publicKeyInvalid)
    for threshold in [(0, 3), (4, 3), (2, 256)] {
      #expect(error { _ = try EdDSADealer.generate(threshold: threshold.0, members: threshold.1) } == .thresholdOutOfRange)
    }
  }

  @Test("Points that are no points of the group, and numbers that are too large, are refused") func encodings() throws {
    let base = EdwardsPoint(EdwardsScalar.one).bytes.array
    let order = bytes("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010")
    let wrong = [
      "123456f9e9d319cad973b84cc4c835c8ee73281f5e2638d2d2b352c09edccbfb",  // ZF FROST: no point
      "0100000000000000000000000000000000000000000000000000000000000000",  // the neutral element
      "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",  // of order 2
      "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",  // of order 8
      "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",  // not canonical
    ].map { bytes($0) }
    for point in wrong {
      #expect(EdDSACommitment(point + base) == nil && EdDSACommitment(base + point) == nil)
    }
    #expect(EdDSACommitment(base + base) != nil && EdDSACommitment(base) == nil && EdDSACommitment([]) == nil)
    #expect(EdwardsScalar(Bytes32(order)!) == nil)
    for share in [order, [UInt8](repeating: 0, count: 32), [UInt8](repeating: 0xff, count: 32), [1]] {
      #expect(error { _ = try EdDSAShare(try secret(share), identifier: 1) } == .secretShareOutOfRange)
    }
    #expect(error { _ = try EdDSAShare(try secret(base), identifier: 0) } == .identifierOutOfRange(place: 0))
  }

  @Test("A share shows nothing of itself") func silence() throws {
    let share = try EdDSADealer.generate(threshold: 2, members: 2).shares[0]
    var dumped = ""
    dump(share, to: &dumped)
    #expect(!"\(share)\(String(reflecting: share))\(dumped)".contains(share.secret.withBytes { Hex.encode($0) }))
  }
}
