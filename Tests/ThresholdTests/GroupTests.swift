import Curve
import Encodings
import SecretMemory
import TestSupport
import Testing

@testable import Threshold

@Suite("Groups of a dealt key") struct GroupTests {
  private static let message = [UInt8](repeating: 7, count: 32)

  @Test(
    "Every choice of members signs for the key that was split",
    arguments: [(1, 1), (1, 3), (2, 2), (2, 3), (3, 3), (3, 5), (5, 7)])
  func everyChoice(threshold: Int, members: Int) throws {
    let group = try Group(threshold: threshold, members: members)
    for count in threshold...members {
      for identifiers in choices(count, of: members) {
        let round = try group.round(identifiers.reversed(), Self.message)
        let signature = try round.session.finish(round.partials, nonces: round.nonces)
        #expect(round.session.publicKey == group.key.publicKey)
        #expect(Schnorr.isValid(signature, of: Bytes32(Self.message)!, by: group.key.publicKey), "\(identifiers)")
      }
    }
  }

  @Test("Fifteen of twenty sign") func large() throws {
    let group = try Group(threshold: 15, members: 20)
    let round = try group.round(Array(5..<20), Self.message)
    #expect(Schnorr.isValid(try round.session.aggregate(round.partials), of: Bytes32(Self.message)!, by: group.key.publicKey))
  }

  @Test("Keys of either parity keep their public key") func parity() throws {
    var prefixes: Set<UInt8> = []
    while prefixes.count < 2 {
      let group = try Group(threshold: 2, members: 3)
      prefixes.insert(group.dealing.commitment.publicKey[0])
      #expect(group.dealing.commitment.publicKey == (try group.key.secretKey().compressedPublicKey().bytes))
      let round = try group.round([0, 2], Self.message)
      #expect(Schnorr.isValid(try round.session.aggregate(round.partials), of: Bytes32(Self.message)!, by: group.key.publicKey))
    }
  }

  @Test("A member that lies is named, and the others are not") func liar() throws {
    let group = try Group(threshold: 3, members: 5)
    var round = try group.round([0, 2, 4], Self.message)
    for place in 0..<3 { #expect(round.session.isValid(round.partials[place], place: place, nonce: round.nonces[place])) }
    round.partials[1] = Bytes32(bytes("00000000000000000000000000000000000000000000000000000000000000ff"))!
    #expect(!Schnorr.isValid(try round.session.aggregate(round.partials), of: Bytes32(Self.message)!, by: group.key.publicKey))
    #expect(
      error { _ = try round.session.finish(round.partials, nonces: round.nonces) }
        == .wrongContribution(.partialSignature, place: 1))
    let right = (0..<3).filter { round.session.isValid(round.partials[$0], place: $0, nonce: round.nonces[$0]) }
    #expect(right == [0, 2])
    #expect(!round.session.isValid(round.partials[0], place: 0, nonce: round.nonces[1]))
    #expect(!round.session.isValid(round.partials[0], place: 3, nonce: round.nonces[0]))
    #expect(!round.session.isValid(round.partials[0], place: -1, nonce: round.nonces[0]))
  }

  @Test("A wrong part never leaves: not with another member's number, not with a strange share") func miscomputed() throws {
    let group = try Group(threshold: 2, members: 3)
    let round = try group.round([0, 1], Self.message)
    func refused(_ share: KeyShare, as identifier: UInt32) throws -> ThresholdError? {
      let bytes = SecretBox(try share.withBytes { try SecretBytes(copying: $0) })
      return error {
        _ = try round.session.sign(try share.nonce(), share: try SecretKey(try bytes.duplicate()), identifier: identifier)
      }
    }
    #expect(try refused(group.dealing.shares[0], as: 1) == .miscomputed)
    #expect(try refused(group.dealing.shares[0], as: 2) == .identifierMissing)
    #expect(try refused(group.dealing.shares[2], as: 0) == .publicShareMissing)
  }

  @Test("Too few shares say nothing about the key") func tooFew() throws {
    let key = try KeyPair.random()
    let (one, another) = (try Group(key, threshold: 2, members: 3), try Group(key, threshold: 2, members: 3))
    #expect(one.dealing.shares[0].publicShare != another.dealing.shares[0].publicShare)
    #expect(error { _ = try one.signers([0]) } == .signerCount)
    let mixed = [one.dealing.shares[0], another.dealing.shares[1]]
    let found = error {
      _ = try SignerSet(
        members: 3, threshold: 2, identifiers: [0, 1], publicShares: mixed.map(\.publicShare),
        publicKey: one.dealing.commitment.publicKey)
    }
    #expect(found == .keyMaterialInconsistent)
  }

  @Test("Shares are checked with the commitment, and a false one is found") func commitments() throws {
    let group = try Group(threshold: 3, members: 5)
    let commitment = try #require(SharingCommitment(group.dealing.commitment.bytes))
    #expect(commitment == group.dealing.commitment && commitment.threshold == 3 && commitment.bytes.count == 99)
    for share in group.dealing.shares { #expect(share.isConsistent(with: commitment)) }
    let other = try Group(threshold: 3, members: 5).dealing.commitment
    #expect(!group.dealing.shares[0].isConsistent(with: other))
    for bytes in [[], [UInt8](repeating: 0, count: 33), [2], commitment.bytes + [0]] { #expect(SharingCommitment(bytes) == nil) }
  }

  @Test("Only sensible groups are dealt", arguments: [(0, 3), (4, 3), (1, 0), (2, 256), (-1, 3)])
  func sizes(threshold: Int, members: Int) throws {
    #expect(error { _ = try Group(threshold: threshold, members: members) } == .thresholdOutOfRange)
  }

  @Test("A share and a nonce show nothing of themselves") func silence() throws {
    let share = try Group(threshold: 2, members: 3).dealing.shares[0]
    let hex = share.withBytes { Hex.encode($0) }
    var dumped = ""
    dump(share, to: &dumped)
    #expect(!"\(share)\(String(reflecting: share))\(dumped)".contains(hex))
  }
}
