import Curve
import DaemonSupport
import Encodings
import Identities
import JSON
import Mnemonics
import OwnerAPI
import SecretMemory
import TestSupport
import Testing
import Vault

@testable import EntrustedShares
@testable import Guardians
@testable import OwnerOperations
@testable import Signer

/// What a program at the owner's socket cannot do without the owner.
@Suite struct GuardianProofTests {
  typealias Scene = GuardianBookTests.Scene

  @Test("Removing a guardian, or a share kept for someone, requires proof from the person here", arguments: [false, true])
  func removingTakesProof(isGuardian: Bool) throws {
    let scene = try Scene()
    let signer = isGuardian ? scene.guardian : scene.owner
    let book = signer.operations.services.guardians
    let name = try unwrap((isGuardian ? book.held() : book.guardians()).first).name
    let given: JSONValue = ["id": .string(name)]
    #expect(exit(signer.operations, "guardian/remove", given) == .usage)
    #expect(exit(signer.operations, "guardian/remove", given, secrets: ["passphrase": try box("wrong")]) == .locked)
    #expect(try (book.held() + book.guardians()).map(\.name) == [name])
    try signer.operations.ask("guardian/remove", given, secrets: try owner)
    #expect(try (book.held() + book.guardians()).isEmpty)
    scene.close()
  }

  @Test("Accepting a share to keep requires proof from the person here") func acceptingTakesProof() throws {
    let scene = try Scene()
    try scene.handOver(scene.shares[1])
    let name = try unwrap(scene.guardian.operations.services.guardians.heldAndOffered().first(where: \.isOffered)).name
    let given: JSONValue = ["id": .string(name)]
    #expect(exit(scene.guardian.operations, "guardian/accept", given) == .usage)
    #expect(exit(scene.guardian.operations, "guardian/accept", given, secrets: ["passphrase": try box("wrong")]) == .locked)
    #expect(try scene.guardian.operations.services.guardians.held().count == 1)
    scene.close()
  }

  @Test("A code is valid for one kit, one guardian and one requester only") func aCodeProvesOneQuestion() throws {
    var random = SystemRandomNumberGenerator()
    let (code, other) = (RequestCode(using: &random), RequestCode(using: &random))
    let (guardian, asker) = (try KeyPair.random().publicKey, try KeyPair.random().publicKey)
    let proof = code.proof(kit: "12345", guardian: guardian, asker: asker)
    #expect(code.isProved(by: proof, kit: "12345", guardian: guardian, asker: asker))
    #expect(!code.isProved(by: proof, kit: "12346", guardian: guardian, asker: asker))
    #expect(!code.isProved(by: proof, kit: "12345", guardian: asker, asker: guardian))
    #expect(!code.isProved(by: proof, kit: "12345", guardian: guardian, asker: try KeyPair.random().publicKey))
    #expect(!other.isProved(by: proof, kit: "12345", guardian: guardian, asker: asker))
    #expect(!code.isProved(by: Bytes32(), kit: "12345", guardian: guardian, asker: asker))
  }

  @Test("Envelopes are opened at a limited rate") func lettersAreOpenedAtAPace() {
    var pace = EnvelopeLimiter()
    func taken(_ most: Int, at time: Int64) -> Int { (0..<most).count { _ in pace.take(at: time) } }
    #expect(taken(EnvelopeLimiter.most + 10, at: 1_000) == EnvelopeLimiter.most)
    #expect(taken(EnvelopeLimiter.most, at: 2_000) == Int(EnvelopeLimiter.perSecond))
  }

  @Test("The shares kept from one sender are limited to the size of a kit") func aGuardianFillsNoVault() throws {
    let scene = try Scene()
    let (book, me) = (scene.owner.operations.services.guardians, try scene.owner.identity.publicKey)
    for (shares, taken) in [(SharePlan.most - 1, 1), (SharePlan.most, 1)] {
      var request = ShareRequest(
        part: .asker, request: scene.id(), identity: me, other: scene.note.other, third: nil, kit: scene.note.kit, note: "",
        at: scene.now, until: 0, state: .given, relays: [])
      request.shares = shares
      try book.asked(request)
      let share = try scene.shares[shares == SharePlan.most ? 1 : 0].words().text()
      _ = try book.take(
        .give(request: request.request, share: share), id: scene.id(), from: request.other, to: me, sent: scene.now,
        at: scene.moment())
      #expect(try book.sharesReceived(kit: nil).count == taken)
    }
    scene.close()
  }

  @Test("Returned shares are shown only with the owner's proof") func showingTakesProof() throws {
    let scene = try Scene()
    let (book, me) = (scene.owner.operations.services.guardians, try scene.owner.identity.publicKey)
    let request = ShareRequest(
      part: .asker, request: scene.id(), identity: me, other: scene.note.other, third: nil, kit: scene.note.kit, note: "",
      at: scene.now, until: 0, state: .waiting, relays: [])
    try book.asked(request)
    _ = try book.take(
      .give(request: request.request, share: try scene.shares[0].words().text()), id: scene.id(), from: request.other, to: me,
      sent: scene.now, at: scene.moment())
    #expect(exit(scene.owner.operations, "guardian/shares") == .usage)
    #expect(exit(scene.owner.operations, "guardian/shares", secrets: ["passphrase": try box("wrong")]) == .locked)
    let shown = try scene.owner.operations.ask("guardian/shares", secrets: try owner)
    #expect(shown["shares"]?.array?.count == 1)
    scene.close()
  }
}
