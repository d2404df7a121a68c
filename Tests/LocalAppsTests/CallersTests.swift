import AuditLog
import Curve
import DaemonSupport
import Encodings
import Identities
import JSON
import Platform
import RemoteSigning
import Testing

@testable import LocalApps
@testable import Signer

@Suite struct CallersTests {
  private static func program(_ number: UInt8) -> LocalCaller {
    .program(CallingProgram(user: 1000, path: "/opt/notes", digest: Bytes32(filling: { $0[0] = number })))
  }

  @Test("A program has one pairing for each identity, also after a restart") func oneProgramIsOnePairing() throws {
    let signer = try Signer()
    let identity = try #require(signer.core.identities.defaultIdentity).publicKey
    let first = try Callers(signer.core, trust: nil).pairing(of: Self.program(1), for: identity)
    #expect(first.grant.isFirstUse && first.grant.trust == .low && first.name == "notes")
    let other = try Callers(signer.core, trust: nil).pairing(of: Self.program(2), for: identity)
    #expect(other.remoteSigner != first.remoteSigner && other.name == "notes (2)")
    let again = try signer.reopened()
    #expect(try Callers(again.core, trust: nil).pairing(of: Self.program(1), for: identity).remoteSigner == first.remoteSigner)
    again.close()
  }

  @Test("A name that two programs have means neither: the owner names one by its key, or by the name with a number")
  func namesOfTwoPrograms() throws {
    let signer = try Signer()
    let identity = try #require(signer.core.identities.defaultIdentity).publicKey
    let callers = Callers(signer.core, trust: .low)
    let first = try callers.pairing(of: Self.program(1), for: identity)
    try signer.operations.ask("client/suspend", ["client": "notes"])
    try signer.operations.ask("client/resume", ["client": "notes"])
    let second = try callers.pairing(of: Self.program(2), for: identity)
    for operation in ["client/suspend", "client/revoke", "client/show", "local/revoke"] {
      #expect(throws: (any Error).self) { try signer.operations.ask(operation, ["client": "notes"]) }
    }
    try signer.operations.ask("client/suspend", ["client": "notes (2)"])
    try signer.operations.ask("client/revoke", ["client": .string(String(first.client.hex.prefix(16)))])
    #expect(signer.core.engine.pairings.filter { !$0.grant.isFirstUse }.map(\.remoteSigner) == [second.remoteSigner])
    signer.close()
  }

  @Test("Ever new programs cannot fill the vault, nor push out one that was let in or that waits")
  func programsWithoutEnd() throws {
    let signer = try Signer()
    let identity = try #require(signer.core.identities.defaultIdentity).publicKey
    let known = try Callers(signer.core, trust: .low).pairing(of: Self.program(255), for: identity)
    let callers = Callers(signer.core, trust: nil)
    let waiting = try callers.pairing(of: Self.program(254), for: identity)
    #expect(signer.service.take(LocalRequest(.getPublicKey), at: waiting.remoteSigner))
    for number in 0..<UInt8(Callers.mostUnmet + 20) { _ = try callers.pairing(of: Self.program(number), for: identity) }
    let left = signer.core.engine.pairings
    #expect(left.filter(\.grant.isFirstUse).count == Callers.mostUnmet)
    #expect([known, waiting].allSatisfy { kept in left.contains { $0.remoteSigner == kept.remoteSigner } })
    let again = try signer.reopened()
    #expect(again.core.engine.pairings.count == left.count)
    again.close()
  }

  @Test("While the signer is locked, no new program is stored") func noneIsNewWhileLocked() throws {
    let signer = try Signer()
    let identity = try #require(signer.core.identities.defaultIdentity).publicKey
    let callers = Callers(signer.core, trust: .full)
    let known = try callers.pairing(of: Self.program(1), for: identity)
    signer.core.sessionLock.lock("test")
    #expect(try callers.pairing(of: Self.program(1), for: identity).remoteSigner == known.remoteSigner)
    #expect(throws: AppFault.lockedForNew) { try callers.pairing(of: Self.program(2), for: identity) }
    signer.close()
  }

  @Test("A revoked program is replaced in one step: what it asks in that moment does not let it in again")
  func revokedInOneStep() throws {
    let signer = try Signer()
    let identity = try #require(signer.core.identities.defaultIdentity).publicKey
    let callers = Callers(signer.core, trust: .full)
    var trusted = Set<PublicKey>()
    for number in 0..<UInt8(20) {
      let pairing = try callers.pairing(of: Self.program(number), for: identity)
      let (asked, isOver) = (Locked(Set<PublicKey>()), Locked(false))
      let asker = SystemThread.start {
        while !isOver.withLock({ $0 }) {
          guard let met = try? callers.pairing(of: Self.program(number), for: identity), !met.grant.isFirstUse else { continue }
          asked.withLock { _ = $0.insert(met.remoteSigner) }
        }
      }
      #expect(signer.core.expel(pairing.remoteSigner))
      isOver.withLock { $0 = true }
      asker?.join()
      trusted.formUnion(asked.withLock { $0 }.subtracting([pairing.remoteSigner]))
    }
    #expect(trusted.isEmpty)
    #expect(signer.core.engine.pairings.count == 20 && signer.core.engine.pairings.allSatisfy(\.grant.isFirstUse))
    let again = try signer.reopened()
    #expect(again.core.engine.pairings.count == 20 && again.core.engine.pairings.allSatisfy(\.grant.isFirstUse))
    again.close()
  }

  @Test("The log names the program's file") func theLogNamesTheFile() throws {
    let signer = try Signer()
    let identity = try #require(signer.core.identities.defaultIdentity).publicKey
    _ = try Callers(signer.core, trust: .full).pairing(of: Self.program(7), for: identity)
    signer.settle()
    let rule = try #require(try signer.entries(.paired).last?.rule?.description)
    #expect(rule.hasPrefix("full trust, file 07000000"))
    signer.close()
  }

  @Test("The log says “paired” only of a program that was let in, and revoking one adds no first request")
  func onlyWhatAskedIsSaidToHaveAsked() throws {
    let signer = try Signer()
    let identity = try #require(signer.core.identities.defaultIdentity).publicKey
    let pairing = try Callers(signer.core, trust: nil).pairing(of: Self.program(7), for: identity)
    #expect(try signer.entries(.paired).isEmpty)
    #expect(try signer.entries(.firstAsked).map(\.rule?.description).first??.hasPrefix("not let in, file 07000000") == true)
    #expect(signer.core.expel(pairing.remoteSigner))
    #expect(try signer.entries(.firstAsked, .paired).count == 1)
    let known = try #require(signer.core.engine.pairings.first)
    #expect(known.grant.isFirstUse && known.remoteSigner != pairing.remoteSigner && known.lastSeen < known.pairedAt)
    signer.close()
  }
}
