import AuditLog
import Ciphers
import DaemonSupport
import Encodings
import Foundation
import JSON
import Mnemonics
import OwnerAPI
import Platform
import SecretMemory
import TestSupport
import Testing
import Vault

@testable import Backups
@testable import EntrustedShares
@testable import Guardians
@testable import OwnerOperations
@testable import Signer
@testable import VaultRepair

/// A guardian's vault that comes back from a backup: nobody knows what he said since.
@Suite struct GuardianRestoreTests {
  typealias Scene = GuardianBookTests.Scene

  private func backup(_ scene: Scene, _ place: Place, _ name: String = "one") throws -> String {
    let file = place.path + "/\(name).hfb"
    try scene.guardian.operations.ask("backup/create", ["file": .string(file)])
    return file
  }

  private func restore(_ file: String, _ home: TestHome) throws -> JSONValue {
    let backup = try RestorableBackup(ReadableBackup(file: file), .passphrase(box(TestHome.passphrase)))
    return BackupRestore.Response(try backup.restore(to: home.home, newPassphrase: nil, cost: .floor)).json
  }

  @Test("After a restore, refused requests and removed shares do not return")
  func nothingComesBackAfterARestore() throws {
    let scene = try Scene(now: Clock.seconds)
    let (refused, refusedLater, allowed) = (scene.id(), scene.id(), scene.id())
    let kept = try unwrap(scene.guardian.operations.services.guardians.held().first)
    let letter = try scene.letter(scene.shares[0])
    for id in [refused, refusedLater, allowed] { try scene.ask(by: scene.somebody(), id: id) }
    func name(_ id: Bytes32) throws -> String { try unwrap(scene.requests().first { $0.request == id }).name }
    _ = try scene.guardian.operations.services.guardians.refuse(name(refused))
    try scene.release(try unwrap(scene.requests().first { $0.request == allowed }))
    #expect(try scene.guardian.operations.services.guardians.remove(kept.name, now: scene.now))
    let place = try Place()
    let file = try backup(scene, place)
    _ = try scene.guardian.operations.services.guardians.refuse(name(refusedLater))
    let home = TestHome()
    #expect(try restore(file, home)["dropped"]?.integer ?? 0 >= 2)
    let core = try home.core()
    let book = Services(core).guardians
    // What the relays send again, one that came and was refused after the backup among it.
    let sent = scene.now
    scene.now += 100
    for id in [refused, refusedLater, allowed, scene.id()] {
      _ = try scene.take(try scene.asking(), id: id, sent: sent, by: book)
    }
    _ = try scene.take(letter, sent: sent, by: book)
    #expect(try book.requests().filter(\.isOpen).isEmpty && book.heldAndOffered().isEmpty)
    #expect(try book.due(at: scene.moment(100_000)).isEmpty)
    core.close()
    scene.close()
  }

  @Test("A share removed after a backup is not kept when that backup is restored", arguments: [false, true])
  func aShareRemovedSinceIsNotHeld(isListed: Bool) throws {
    let scene = try Scene(now: Clock.seconds)
    let place = try Place()
    let file = try backup(scene, place)
    let kept = try unwrap(scene.guardian.operations.services.guardians.held().first)
    #expect(try scene.guardian.operations.services.guardians.remove(kept.name, now: Clock.seconds))
    // Each backup brings the list of what ended to its folder.
    if isListed { _ = try backup(scene, place, "two") }
    let home = TestHome()
    let result = try restore(file, home)
    #expect(result["offered"]?.integer == (isListed ? 0 : 1))
    let core = try home.core()
    let book = Services(core).guardians
    scene.now += 100
    _ = try scene.take(try scene.asking(), sent: scene.now, by: book)
    #expect(try book.held().isEmpty && book.requests(.guardian).isEmpty, "nobody who asks is given it, or heard")
    #expect(try book.heldAndOffered().count == (isListed ? 0 : 1))
    #expect(try core.vault.ids(.heldShare).count == (isListed ? 0 : 1), "its words are gone, too")
    _ = try scene.take(try scene.letter(scene.shares[0]), sent: scene.now - 200, by: book)
    #expect(try book.heldAndOffered().count == (isListed ? 0 : 1), "nor does its old letter bring it back")
    core.close()
    scene.close()
  }

  @Test("A share accepted again after its removal waits for consent after a restore")
  func aShareAcceptedAgainWaits() throws {
    let scene = try Scene(now: Clock.seconds)
    let book = scene.guardian.operations.services.guardians
    #expect(try book.remove(try unwrap(book.held().first).name, now: scene.now))
    scene.now += 10
    _ = try scene.take(try scene.letter(scene.shares[0]), sent: scene.now)
    try scene.acceptAll()
    #expect(try book.held().count == 1)
    let place = try Place()
    let home = TestHome()
    #expect(try restore(try backup(scene, place), home)["offered"]?.integer == 1)
    let core = try home.core()
    #expect(try Services(core).guardians.held().isEmpty && Services(core).guardians.heldAndOffered().count == 1)
    core.close()
    scene.close()
  }

  @Test("After a restore, kept shares and older envelopes with shares wait for consent, and new requests are heard")
  func aRestoredGuardianHears() throws {
    let scene = try Scene(now: Clock.seconds)
    let place = try Place()
    let file = try backup(scene, place)
    let home = TestHome()
    #expect(try restore(file, home)["offered"]?.integer == 1)
    let core = try home.core()
    let book = Services(core).guardians
    scene.now += 100
    let other = try SharedSecret.split(try secret([UInt8](0..<16)), into: try SharePlan(threshold: 2, count: 2))[0][0]
    _ = try scene.take(try scene.letter(other), sent: scene.now - 1000, by: book)
    #expect(try book.held().isEmpty)
    #expect(try Set(book.heldAndOffered().filter(\.isOffered).map(\.kit)) == [other.numbers.kit, scene.note.kit])
    let kept = try unwrap(book.heldAndOffered().first { $0.kit == scene.note.kit })
    #expect(try unwrap(book.accept(kept.name)).to == scene.note.identity, "its owner is told")
    _ = try scene.take(try scene.asking(), sent: scene.now - 1000, by: book)
    #expect(try book.requests(.guardian).isEmpty, "what was asked before may have been refused since")
    _ = try scene.take(try scene.asking(), sent: scene.now, by: book)
    #expect(try book.requests(.guardian).map(\.isOpen) == [true])
    core.close()
    scene.close()
  }

  @Test(
    "An accepted older vault gives no share that was refused since, and holds none that was removed", arguments: [false, true])
  func anAcceptedVaultGivesNothing(isLogBroken: Bool) throws {
    let scene = try Scene(now: Clock.seconds)
    let home = scene.guardian.home
    try scene.ask()
    try scene.release(try unwrap(scene.requests().first))
    scene.guardian.close()
    let file = home.path + "/vault.db"
    let yesterday = try unwrap(FileManager.default.contents(atPath: file))
    let core = try home.core()
    _ = try Services(core).guardians.refuse(try unwrap(Services(core).guardians.requests(.guardian).first).name)
    #expect(try Services(core).guardians.remove(try unwrap(Services(core).guardians.held().first).name, now: scene.now))
    core.close()
    try yesterday.write(to: URL(fileURLWithPath: file))
    if isLogBroken { _ = try DamagedLog(of: home) }
    let credential = ShownCredential(passphrase: try box(TestHome.passphrase))
    let found = isLogBroken ? nil : failure { try home.core() }
    #expect(isLogBroken || found?.error.contains("requests for shares stopped") == true)
    #expect(isLogBroken || found?.error.contains("kept shares removed") == true)
    let accepted =
      isLogBroken
      ? try Opening.renewLog(home: home.home, credential: credential).accepted?.offered
      : try Opening.acceptVault(home: home.home, credential: credential).offered
    #expect(accepted == 1)
    let again = try home.core()
    let book = Services(again).guardians
    #expect(try book.requests().filter(\.isOpen).isEmpty && book.held().isEmpty && book.heldAndOffered().count == 1)
    #expect(try book.due(at: scene.moment(100_000)).isEmpty, "nothing is given without a new yes")
    _ = try book.accept(try unwrap(book.heldAndOffered().first).name)
    _ = try scene.take(try scene.asking(), sent: scene.now - 10, by: book)
    #expect(try book.requests(.guardian).filter(\.isOpen).isEmpty, "what was asked before is not heard again")
    again.close()
    scene.owner.close()
  }

  @Test("The log records refusals and removals") func refusalsAreRecorded() throws {
    let scene = try Scene(now: Clock.seconds)
    let book = scene.guardian.operations.services.guardians
    try scene.ask()
    _ = try book.refuse(try unwrap(scene.requests().first).name)
    #expect(try book.remove(try unwrap(book.held().first).name, now: scene.now))
    scene.guardian.settle()
    let entries = try scene.guardian.core.log.read(from: 1, limit: 1000).map(\.entry)
    #expect(entries.first { $0.kind == .guardianCancelled }?.code == GuardianBook.refused)
    #expect(entries.first { $0.kind == .guardianRemoved }?.code == GuardianBook.shareRemoved)
    scene.close()
  }
}
