import Ciphers
import Curve
import DaemonSupport
import Identities
import JSON
import OwnerAPI
import SecretMemory
import Testing
import Vault

@testable import OwnerOperations
@testable import Signer

/// What is taken away for good is said before, and takes the owner's proof.
@Suite struct SlotRemovalTests {
  private let proof: [String: SecretBox]
  init() throws { proof = ["passphrase": try box(TestHome.passphrase)] }

  /// A passkey without a browser.
  private func addPasskey(_ signer: Signer, credential: [UInt8]) throws -> UInt32 {
    let output = try box("a passkey's output of 32 bytes !!")
    let parameters = PasskeyParameters(input: [UInt8](repeating: 1, count: 32), credential: credential)
    let short = SecretBox(try output.withBytes { try SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0.prefix(32))) })
    return try signer.core.vault.addSlot(
      .passkey(parameters, output: short), label: "phone", provenBy: PassphraseOpener(try box(TestHome.passphrase)), now: 3)
  }

  private func kit(_ signer: Signer) throws -> (slot: Int64, shares: String) {
    let made = try signer.operations.ask("recovery/create", ["threshold": 2, "shares": 3], secrets: proof)
    let slot = try unwrap(signer.core.vault.slots.last { $0.type == .recovery })
    try signer.operations.ask("recovery/handed-out", ["id": try unwrap(made["kit"]?["id"])])
    return (Int64(slot.id), (made["shares"]?.array ?? []).compactMap(\.string).prefix(2).joined(separator: "\n"))
  }

  @Test("A removal plan shows what is left and changes nothing") func aPlanSaysWhatIsLeftAndChangesNothing() throws {
    let signer = try Signer()
    let (_, shares) = try kit(signer)
    let plan = try signer.operations.ask("slot/remove", ["id": 1, "plan": true])
    #expect(
      plan["warnings"]?.array == [
        "Only this is left: a recovery kit that was never tested. If its sheets are lost, so are your keys."
      ])
    #expect(try signer.core.vault.slots.count == 2 && plan["left"]?.array?.count == 1 && plan["loses"] == .null)
    _ = try signer.operations.ask("recovery/test", secrets: ["shares": box(shares)])
    let after = try signer.operations.ask("slot/remove", ["id": 1, "plan": true])
    #expect(after["warnings"]?.array == ["Only this is left: a recovery kit. If its sheets are lost, so are your keys."])
    #expect(failure { try signer.operations.ask("slot/remove", ["id": 99, "plan": true]) }?.exit == .notFound)
    signer.close()
  }

  @Test("A plan to remove the only slot is refused with the reason") func whatCannotBeRemovedIsSaidInsteadOfAPlan() throws {
    let signer = try Signer()
    #expect(failure { try signer.operations.ask("slot/remove", ["id": 1, "plan": true]) }?.error.contains("only way") == true)
    signer.close()
  }

  @Test(
    "Warnings depend on whether the remaining slots were ever used or tested",
    arguments: [
      ([true], [String]()),
      ([false], ["Only this is left: the passphrase that was never used or tested. If you forget it, your keys are lost."]),
      ([true, false], []), ([false, false], ["Nothing that is left was ever used or tested"]),
    ] as [([Bool], [String])])
  func warningsFollowWhatWasSeenToWork(tried: [Bool], warnings: [String]) throws {
    let signer = try Signer()
    let opener = PassphraseOpener(try box(TestHome.passphrase))
    var ids: [UInt32] = []
    for (index, isTried) in tried.enumerated() {
      let words = "number \(index) of them"
      ids.append(
        try signer.core.vault.addSlot(
          .passphrase(box(words).duplicate(), cost: .floor), label: "", provenBy: opener, now: 5))
      if isTried { _ = try signer.core.vault.verify(with: PassphraseOpener(try box(words)), now: 6) }
    }
    let found = WaysLeft(try signer.core.vault.slots.filter { ids.contains($0.id) }).warnings
    if tried == [true] {
      #expect(found == ["Only this is left: the passphrase. If you forget it, your keys are lost."])
    } else {
      #expect(found.count == warnings.count && zip(found, warnings).allSatisfy { $0.hasPrefix($1) }, "\(found)")
    }
    signer.close()
  }

  @Test("Removing the only slot that opens a key names the key and needs the owner's word and proof")
  func whatOnlyOneSlotOpensIsNamedAndLostByTheOwnersWordAlone() throws {
    let signer = try Signer()
    let slot = try addPasskey(signer, credential: [1, 2, 3])
    try signer.operations.ask("identity/create", ["name": "safe"])
    let identity = try unwrap(signer.core.identities.find("safe"))
    let output = SecretBox(
      try box("a passkey's output of 32 bytes !!").withBytes {
        try SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0.prefix(32)))
      })
    let presence = HeldPresence(try signer.core.sessionLock.present(PasskeyOpener(credential: [1, 2, 3], output: output)))
    _ = try signer.core.identities.reclass(identity.publicKey, to: .biometricAny, by: presence)
    try signer.core.loadIdentities()
    let parameters: JSONValue = ["id": .integer(Int64(slot))]
    let plan = try signer.operations.ask("slot/remove", ["id": .integer(Int64(slot)), "plan": true])
    #expect(plan["lost"]?["identities"]?[0]?["name"] == "safe" && plan["loses"]?.string?.contains("“safe”") == true)
    let refused = try unwrap(failure { try signer.operations.ask("slot/remove", parameters, secrets: proof) })
    #expect(refused.error.contains("“safe” (biometric-any)") && refused.hint?.contains("--accept-loss") == true)
    let accepted: JSONValue = ["id": .integer(Int64(slot)), "accept_loss": true]
    #expect(failure { try signer.operations.ask("slot/remove", accepted) } != nil, "without a proof")
    let done = try signer.operations.ask("slot/remove", accepted, secrets: proof)
    #expect(done["lost"]?.array == ["safe"])
    #expect(signer.core.identities.all.map(\.name) == ["main"])
    // Nothing is left of the class, so that it can be used again.
    #expect(try signer.core.vault.counts(of: [.biometricAny]).isEmpty)
    signer.close()
  }

  @Test("Several proofs together change the class keys that each of them opens")
  func severalProofsChangeTheKeysOfAllTheyOpen() throws {
    let signer = try Signer()
    let (_, shares) = try kit(signer)
    _ = try addPasskey(signer, credential: [9])
    let one = try signer.operations.ask("slot/rotate", secrets: proof)
    #expect(one["shown"]?.array == ["passphrase"])
    let both = try signer.operations.ask("slot/rotate", secrets: proof.merging(["shares": box(shares)]) { $1 })
    #expect(both["shown"]?.array == ["recovery", "passphrase"] && both["kept"]?.array == [] && both["kept_because"]?.array == [])
    let before = signer.core.vault.generation
    let wrong = ["passphrase": try box("wrong"), "shares": try box(shares)]
    #expect(failure { try signer.operations.ask("slot/rotate", secrets: wrong) }?.error.contains("passphrase") == true)
    #expect(signer.core.vault.generation == before)
    #expect(
      failure { try signer.operations.ask("slot/rotate", ["keyring": true], secrets: proof) }?.error.contains("keyring") == true)
    signer.close()
  }

  @Test("A vault on its own device has nothing to bind") func aVaultOnItsOwnDeviceHasNothingToBind() throws {
    let signer = try Signer()
    #expect(try signer.operations.ask("slot/bind", ["plan": true])["needed"] == false)
    #expect(try signer.operations.ask("slot/bind", secrets: proof)["changed"] == false)
    #expect(failure { try signer.operations.ask("slot/bind") } != nil)
    signer.close()
  }
}
