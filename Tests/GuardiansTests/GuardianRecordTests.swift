import AuditLog
import DaemonSupport
import Identities
import JSON
import OwnerAPI
import SecretMemory
import TestSupport
import Testing
import Vault

@testable import EntrustedShares
@testable import Guardians
@testable import OwnerOperations
@testable import Signer

/// What changes with guardians is stored together with what the log says of it: while the log takes nothing, its entries wait in the vault.
@Suite("Guardians: the vault and the log agree") struct GuardianRecordTests {
  typealias Scene = GuardianBookTests.Scene

  private func waiting(_ signer: Signer) throws -> [AuditEntry] {
    try signer.core.vault.records(.outbox).map { try unwrap(OutboxRow($0)).entry }
  }

  /// The kinds of the entries that a step leaves waiting where the log takes none.
  private func recorded(by signer: Signer, _ step: () throws -> Void) throws -> [AuditEntry.Kind] {
    signer.core.outbox.clear(isEnd: true)
    signer.core.log.close()
    try step()
    return try waiting(signer).map(\.kind)
  }

  @Test("The log records a stored share, and an offered one once it is accepted")
  func keeping() throws {
    let scene = try Scene()
    let kinds = try recorded(by: scene.guardian) {
      try scene.handOver(scene.shares[1])
      #expect(try waiting(scene.guardian).isEmpty, "nobody has accepted it")
      try scene.acceptAll()
    }
    #expect(kinds == [.shareKept])
    #expect(try waiting(scene.guardian).first?.client == scene.owner.identity.publicKey)
    scene.close()
    let first = try Scene()
    first.guardian.settle()
    #expect(try first.guardian.entries(.shareKept).count == 1, "the first share of a kit needs no consent")
    first.close()
  }

  @Test("The log records the guardian's approval") func yes() throws {
    let scene = try Scene()
    try scene.ask()
    #expect(try recorded(by: scene.guardian) { try scene.release() } == [.guardianAllowed])
    #expect(try waiting(scene.guardian).first?.client == scene.stranger)
    scene.close()
  }

  @Test("The log records the owner's refusal") func ownersNo() throws {
    let scene = try Scene()
    try scene.ask(code: try scene.code())
    let book = scene.owner.operations.services.guardians
    let notice = try unwrap(book.requests(.owner).first)
    #expect(try recorded(by: scene.owner) { _ = try book.cancel(notice.name) } == [.guardianCancelled])
    #expect(try waiting(scene.owner).first?.code == GuardianBook.cancelledHere)
    scene.close()
  }

  @Test("The log records a new request code once, not each time it is shown") func codes() throws {
    let scene = try Scene()
    let book = scene.owner.operations.services.guardians
    let kinds = try recorded(by: scene.owner) {
      let old = try unwrap(book.tellCode(scene.note.kit, isNew: false)).0
      #expect(try waiting(scene.owner).isEmpty)
      #expect(try unwrap(book.tellCode(scene.note.kit, isNew: true)).0 != old)
    }
    #expect(kinds == [.requestCodeChanged])
    scene.close()
  }

  @Test("Giving a share is recorded once, before its envelope can leave") func giving() throws {
    let scene = try Scene(delay: 100)
    let book = scene.guardian.operations.services.guardians
    try scene.ask()
    try scene.release()
    let kinds = try recorded(by: scene.guardian) {
      #expect(try scene.due(99).isEmpty && waiting(scene.guardian).isEmpty)
      #expect(try scene.due(100).count == 1)
      #expect(try waiting(scene.guardian).map(\.kind) == [.guardianReleased])
      // No relay took it: it is given again, also after a restart.
      #expect(try scene.due(101).count == 1 && scene.requests().map(\.state) == [.giving])
      for given in try book.due(at: scene.moment(102)) { try book.gave(given.request) }
    }
    #expect(kinds == [.guardianReleased])
    #expect(try scene.due(200).isEmpty)
    scene.close()
  }

  @Test("A share is not recorded as given while its envelope cannot be made") func keyOutOfReach() throws {
    let scene = try Scene(delay: 1)
    try scene.ask()
    try scene.release()
    let kinds = try recorded(by: scene.guardian) {
      let due = try scene.guardian.operations.services.guardians.due(at: scene.moment(100)) { _ in false }
      #expect(due.isEmpty)
    }
    #expect(try kinds.isEmpty && scene.requests().map(\.state) == [.approved])
    scene.close()
  }

  @Test("A share that cannot be recorded is not given") func unrecordable() throws {
    let scene = try Scene(delay: 1)
    try scene.ask()
    try scene.release()
    let book = scene.guardian.operations.services.guardians
    scene.guardian.core.log.close()
    scene.guardian.fillOutbox()
    #expect(failure { _ = try book.due(at: scene.moment(100)) }?.exit == .failed)
    #expect(try scene.requests().map(\.state) == [.approved])
    scene.close()
  }

  @Test("The owner's refusal stops a share that no relay has accepted yet") func noWhileGiving() throws {
    let scene = try Scene(delay: 1)
    try scene.ask(code: try scene.code())
    try scene.release()
    #expect(try scene.due(100).count == 1)
    let notice = try unwrap(scene.owner.operations.services.guardians.requests(.owner).first)
    for letter in try scene.owner.operations.services.guardians.cancel(notice.name) { try scene.deliver(letter) }
    #expect(try scene.requests().map(\.state) == [.cancelled] && scene.due(200).isEmpty)
    scene.close()
  }
}

extension GuardianBook {
  /// Where every letter can be written.
  func due(at moment: Moment) throws -> [(request: ShareRequest, envelopes: [GuardianEnvelope])] {
    try due(at: moment) { _ in true }
  }
}
