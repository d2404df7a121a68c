import Curve
import Encodings
import SecretMemory
import TestSupport
import Testing

@testable import Threshold

@Suite("Shared secrets behind a split key") struct SharedSecretTests {
  @Test("Members make the same secret as the whole key", arguments: [(1, 1), (2, 3), (3, 5)])
  func sameSecret(threshold: Int, members: Int) throws {
    let peer = try KeyPair.random()
    let group = try Group(threshold: threshold, members: members)
    let whole = try group.key.sharedX(with: peer.publicKey)
    for identifiers in choices(threshold, of: members) {
      let signers = try group.signers(identifiers)
      let parts = try identifiers.map {
        try SharedSecretPart(for: peer.publicKey, share: group.dealing.shares[Int($0)], signers: signers).bytes
      }
      #expect(parts.allSatisfy { $0.count == SharedSecretPart.length })
      let secret = try SharedSecretPart.combine(
        parts.map { try #require(SharedSecretPart($0)) }, for: peer.publicKey, signers: signers)
      let isSame = secret.equals(whole)
      #expect(isSame)
    }
  }

  @Test("A member that lies about its part is named") func liar() throws {
    let peer = try KeyPair.random().publicKey
    let group = try Group(threshold: 3, members: 5)
    let signers = try group.signers([0, 2, 4])
    func part(_ identifier: Int, for peer: PublicKey, _ signers: SignerSet) throws -> SharedSecretPart {
      try SharedSecretPart(for: peer, share: group.dealing.shares[identifier], signers: signers)
    }
    let right = try [0, 2, 4].map { try part($0, for: peer, signers) }
    let others: [SharedSecretPart] = [
      try part(2, for: try KeyPair.random().publicKey, signers),  // for somebody else
      try part(2, for: peer, try group.signers([1, 2, 3])),  // for another set of members
      right[0],  // another member's
      try #require(SharedSecretPart(right[0].point.bytes + right[1].proof.bytes)),  // another point with the right proof
    ]
    for wrong in others {
      let found = error { _ = try SharedSecretPart.combine([right[0], wrong, right[2]], for: peer, signers: signers) }
      #expect(found == .wrongContribution(.sharedSecret, place: 1))
    }
    #expect(error { _ = try SharedSecretPart.combine([right[0]], for: peer, signers: signers) } == .unequalCounts)
    #expect(error { _ = try part(1, for: peer, signers) } == .identifierMissing)
    let noPoint = PublicKey(Bytes32([UInt8](repeating: 0xff, count: 32))!)
    #expect(error { _ = try part(0, for: noPoint, signers) } == .peerInvalid)
    #expect(error { _ = try SharedSecretPart.combine(right, for: noPoint, signers: signers) } == .peerInvalid)
  }

  @Test("Bytes that are no part are none") func parsing() {
    for bytes in [[], [UInt8](repeating: 0, count: 97), [UInt8](repeating: 2, count: 96), [4] + [UInt8](repeating: 1, count: 96)]
    {
      #expect(SharedSecretPart(bytes) == nil)
    }
  }

  // BIP-374, test vectors 5 to 7 of generation: those with the curve's own generator. The last two were made by version 0.1.0, which left the
  // message out of the nonce: they hold, and are not reproduced.
  private static let proofs: [(secret: String, base: String, randomness: String, message: String, proof: String)] = [
    (
      "c08ca8e0bb59769fc6a4e078456284e00ea34f65add988c246e1bba85824ccdc",
      "034bccb1c570ac1f3bc42d61fe35de605b99626501ccb20297e1acbbf2d7152aa1",
      "c8d7056abd4726eb5a0f198740af14d6c1f0c16e5d7a37eaec621b661e669ac4", "",
      "503562d36910cd2d61a4d07c8ff680265c713e63dde0dcb88e6ea3c58597bdc05b86db9af95eccc475ce2177f941c118fefed20227d4ce8ce9557cb008758de6"
    ),
    (
      "8e641ba6bf7f64eec76005a29585a5035376375f33e331215aedfe03b8e80e7a",
      "0231c64e3efa506fdad6aad0f6084d5f6739de7f448d7e66f9d22f842638f41d60",
      "02a7b2e2f5a5e9b1078dbb160502a32491fe80a091e91dd92cf77b0b7d90970f",
      "35841ca532846e1cdd23a3d107824343584f88eff580929469865eae8355ee3c",
      "50ae4ff80a6b339253f69f5eb6fd9d013dc9a02aef001cec08c48638c72bee5a137d150e0bb4de81b67582a992910d94df80d2f537491270026a90b56ec2b128"
    ),
    (
      "cfb9a7ecc49bea4f2e2ee34c38a6f48b5cd5bd06f4e4d4ffb45905b3d26db842",
      "021cb81121a00f89769903305a367ad3cc02d5b402b12c026e06ac94bde28cd608",
      "d38466b77484154a3fcb3151094c1c8a845c73a3c036b3a8ebffd8ef62c9047f",
      "22616bb5fb2d7c68270f305122f2a09e833239c4b1c9a04e285119fb606ac794",
      "bce6dfda12af1b86c1cf6c1ed627053224b6c78175eddadbe01ead836bb7772101cb330a91ef06a3f63f8254c1ac5b76e312d9dada45841ea6a9b44373819939"
    ),
  ]

  @Test("BIP-374's proofs hold, and for nothing else", arguments: proofs.indices) func published(index: Int) throws {
    let one = Self.proofs[index]
    let key = try SecretKey(try secret(bytes(one.secret)))
    let (own, base, message) = (try key.groupElement(), try #require(GroupElement(bytes(one.base))), bytes(one.message))
    let made = try key.multiplied(base)
    let ours = try EqualLogarithms(of: key, base: base, made: made, message: message, randomness: Bytes32(hex: one.randomness)!)
    #expect((ours.bytes == bytes(one.proof)) == message.isEmpty)
    #expect(ours.holds(own: own, base: base, made: made, message: message))
    let proof = try #require(EqualLogarithms(bytes(one.proof)))
    #expect(proof.holds(own: own, base: base, made: made, message: message))
    for (own, base, made) in [(own, made, base), (base, own, made), (made, base, own), (own, base, own), (.infinity, base, made)]
    {
      #expect(!proof.holds(own: own, base: base, made: made, message: message))
    }
    #expect(!proof.holds(own: own, base: base, made: made, message: message + [0]))
    for place in proof.bytes.indices {
      var changed = proof.bytes
      changed[place] ^= 1
      #expect(!EqualLogarithms(changed)!.holds(own: own, base: base, made: made, message: message))
    }
  }
}
