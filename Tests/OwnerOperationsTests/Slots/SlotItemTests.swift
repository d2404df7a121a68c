import AuditLog
import DaemonSupport
import Encodings
import JSON
import OwnerAPI
import Testing
import Unlocking
import Vault

@testable import OwnerOperations
@testable import Signer

/// Keyring slots whose item is given out, for credentials.
@Suite struct SlotItemTests {
  private static let wanted: JSONValue = ["type": "keyring", "item": true]

  private func add(_ signer: Signer, _ given: JSONValue, via channel: OwnerChannel = .command) throws -> ControlResult {
    try signer.operations.perform(
      ControlRequest("slot/add", given, secrets: ["passphrase": box(TestHome.passphrase)]), via: channel)
  }

  @Test("A slot's item opens the slot, and is in the log nowhere") func itemOpens() throws {
    let signer = try Signer()
    let item = try signer.operations.ask("slot/add", Self.wanted, secrets: ["passphrase": box(TestHome.passphrase)])["item"]
    let bytes = try unwrap(item?.string.flatMap { Base64.decode($0) })
    #expect(try signer.core.vault.testSlot(with: KeyringOpener(item: bytes), now: 5).type == .keyring)
    #expect(try signer.entries(.slotAdded).count == 1)
    signer.close()
  }

  @Test("A browser does not get the item of a slot") func itemFromAfar() throws {
    let signer = try Signer()
    #expect(failure { try add(signer, Self.wanted, via: .console) } == .itemFromAfar)
    #expect(try signer.core.vault.slots.count == 1)
    signer.close()
  }

  @Test("Other slots give no item", arguments: [(NewSlotKind.token, nil), (.keyring, "login")])
  func ofOthers(_ kind: NewSlotKind, _ pamService: String?) throws {
    let signer = try Signer()
    var request = SlotAdd.Request()
    (request.kind, request.pamService, request.givesItem) = (kind, pamService, true)
    #expect(failure { try add(signer, SlotAdd.call(request).parameters) } == .itemOfAnother)
    signer.close()
  }
}
