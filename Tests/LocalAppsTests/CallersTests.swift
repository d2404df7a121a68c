import AuditLog
import Curve
import DaemonSupport
import Encodings
import Identities
import Platform
import RemoteSigning
import Testing

@testable import LocalApps
@testable import Signer

@Suite struct CallersTests {
  private static func program(_ number: UInt8) -> LocalCaller {
    LocalCaller(user: 1000, path: "/opt/notes", digest: Bytes32(filling: { $0[0] = number }))
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

  @Test("The log names the program's file") func theLogNamesTheFile() throws {
    let signer = try Signer()
    let identity = try #require(signer.core.identities.defaultIdentity).publicKey
    _ = try Callers(signer.core, trust: .full).pairing(of: Self.program(7), for: identity)
    signer.settle()
    let rule = try #require(try signer.entries(.paired).last?.rule?.description)
    #expect(rule.hasPrefix("full trust, file 07000000"))
    signer.close()
  }
}
