import AuditLog
import DaemonSupport
import Identities
import JSON
import OwnerAPI
import OwnerWords
import RemoteSigning
import SecretMemory
import Testing
import Vault

@testable import OwnerOperations
@testable import Signer

/// What looks like the owner, and is not, or comes too late.
@Suite struct NoProofTests {
  /// The right passphrase, while whose secret is made something locks the signer.
  private struct Overtaken: SlotOpener {
    let inner: PassphraseOpener
    let sessionLock: SessionLock
    var type: SlotType { inner.type }

    func secret(of slot: SlotDescription) throws(KeyStoreError) -> SecretBytes? {
      let secret = try inner.secret(of: slot)
      sessionLock.lock("a test")
      return secret
    }
  }

  @Test("An unlock in progress does not undo a lock that came meanwhile") func anOvertakenUnlockingOpensNothing() throws {
    let signer = try Signer()
    let opener = Overtaken(inner: PassphraseOpener(try box(TestHome.passphrase)), sessionLock: signer.core.sessionLock)
    try signer.operations.ask("lock")
    #expect(failure { try signer.core.sessionLock.unlock(opener) } == OperationError(.lockedMeanwhile))
    #expect(signer.core.sessionLock.isLocked && signer.core.engine.isLocked && signer.core.vault.isLocked)
    _ = try SessionLockTests.unlock(signer)
    #expect(!signer.core.sessionLock.isLocked)
    signer.close()
  }

  @Test("The keyring never counts as a proof") func theKeyringIsNoProof() throws {
    let signer = try Signer()
    try TestKeyring.add(to: signer)
    #expect(failure { try signer.core.sessionLock.verify(TestKeyring()) } == .keyringIsNoProof)
    let given: JSONValue = ["keyring": true]
    #expect(failure { try OperationCall(.init("identity/export", given), via: .command).proof() } == .keyringIsNoProof)
    #expect(failure { try OperationCall(.init("slot/rotate", given), via: .command).proofs() } == .keyringIsNoProof)
    signer.close()
  }

  @Test("After a panic, a single-use proof opens no key") func aProofOpensNothingAfterAPanic() throws {
    let signer = try Signer()
    try KeepingTests.reclass(signer, to: .devicePasscode)
    let asked: JSONValue = ["event": ["kind": 1, "content": "x"]]
    let proof = ["passphrase": try box(TestHome.passphrase)]
    _ = try signer.operations.ask("sign", asked, secrets: proof)
    try signer.operations.ask("panic")
    #expect(exit(signer.operations, "sign", asked, secrets: proof) == .locked)
    let (call, identity) = (
      OperationCall(.init("request/approve", [:], secrets: proof), via: .command), try signer.identity.publicKey
    )
    #expect(failure { try signer.operations.keysForOneUse(call, of: [identity]) }?.exit == .locked)
    signer.close()
  }
}
