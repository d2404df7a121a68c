import Curve
import Encodings
import Testing

@testable import EntrustedShares

/// The code that an owner gives with a share, so that the guardian knows who asks for it.
@Suite struct RequestCodeTests {
  private static let code = RequestCode("qpzr-y9x8-gf2t-vdw0")!  // a code as it is written: sixteen letters of the alphabet

  @Test(
    "A request code is read in capitals, with spaces or dashes, and a wrong code is refused",
    arguments: [
      ("qpzry9x8gf2tvdw0", true), ("QPZR Y9X8 GF2T VDW0", true), ("qpzr-y9x8-gf2t-vdw", false), ("qpzr-y9x8-gf2t-vdw1", false),
      ("", false),
      (String(repeating: "q", count: 100), false), (String(repeating: "-", count: 16), false),
    ])
  func aCodeIsReadAsPeopleTypeIt(text: String, isCode: Bool) {
    #expect((RequestCode(text) != nil) == isCode)
    if isCode { #expect(RequestCode(text) == Self.code && RequestCode(text)?.text == "qpzr-y9x8-gf2t-vdw0") }
  }

  @Test("A proof made with a request code is valid for one kit, one guardian and one requester")
  func aProofIsForOnePairAndOneKit() {
    let (me, asker) = (PublicKey(Bytes32()), PublicKey(Bytes32 { $0[0] = 1 }))
    let proof = Self.code.proof(kit: "0d3f", guardian: me, asker: asker)
    #expect(Self.code.isProved(by: proof, kit: "0d3f", guardian: me, asker: asker))
    #expect(!Self.code.isProved(by: proof, kit: "0d3e", guardian: me, asker: asker))
    #expect(!Self.code.isProved(by: proof, kit: "0d3f", guardian: asker, asker: me))
    #expect(!Self.code.isProved(by: proof, kit: "0d3f", guardian: me, asker: me))
    #expect(RequestCode("pqzr-y9x8-gf2t-vdw0")?.isProved(by: proof, kit: "0d3f", guardian: me, asker: asker) == false)
    #expect("\(Self.code)" == "<request code>")
  }
}
