import Encodings
import JSON
import Mnemonics
import SecretMemory
import TestSupport
import Testing
import Vault

@testable import Daemon

/// What a program at the owner's socket cannot do without the owner.
@Suite struct GuardianProofTests {
  typealias Scene = GuardianBookTests.Scene

  @Test("Removing what is kept for somebody takes the proof of the person here", arguments: [false, true])
  func removingTakesProof(isGuardian: Bool) throws {
    let scene = try Scene()
    let signer = isGuardian ? scene.guardian : scene.owner
    let book = signer.core.guardians
    let name = try unwrap((isGuardian ? book.held() : book.guardians()).first).name
    let given: JSONValue = ["id": .string(name)]
    #expect(exit(signer.operations, "guardian/remove", given) == .usage)
    #expect(exit(signer.operations, "guardian/remove", given, secrets: ["passphrase": try box("wrong")]) == .locked)
    #expect(try (book.held() + book.guardians()).map(\.name) == [name])
    try signer.operations.ask("guardian/remove", given, secrets: try owner)
    #expect(try (book.held() + book.guardians()).isEmpty)
    scene.close()
  }

  @Test("Agreeing to keep a share takes the proof of the person here") func acceptingTakesProof() throws {
    let scene = try Scene()
    try scene.handOver(scene.shares[1])
    let name = try unwrap(scene.guardian.core.guardians.heldAndOffered().first(where: \.isOffered)).name
    let given: JSONValue = ["id": .string(name)]
    #expect(exit(scene.guardian.operations, "guardian/accept", given) == .usage)
    #expect(exit(scene.guardian.operations, "guardian/accept", given, secrets: ["passphrase": try box("wrong")]) == .locked)
    #expect(try scene.guardian.core.guardians.held().count == 1)
    scene.close()
  }

  @Test("The shares that came back are shown with the owner's proof only") func showingTakesProof() throws {
    let scene = try Scene()
    let (book, me) = (scene.owner.core.guardians, try scene.owner.identity.publicKey)
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
