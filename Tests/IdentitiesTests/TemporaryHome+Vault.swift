import Ciphers
import SecretMemory
import TestSupport

@testable import Identities
@testable import Vault

extension TemporaryHome {
  func create(_ words: String = "open sesame") throws -> Vault {
    try Vault.create(home: path, passphrase: secret(words), cost: .floor, kinds: .tests)
  }

  func open(_ words: String = "open sesame", now: Int64 = 1_000_000) throws -> Vault {
    try Vault.open(home: path, passphrase: secret(words), now: now, kinds: .tests)
  }

  /// Changes the closed file through SQL, as somebody with an editor would.
  func edit(_ body: (Database) throws -> Void) throws {
    let database = try Database(path: file)
    database.foldOnClose()
    try body(database)
  }
}

extension RecordKinds {
  static let tests = RecordKinds(adding: Identities.recordKinds)
}

/// A passkey without its device.
struct FixedPasskey: SlotOpener {
  let type = SlotType.passkey

  func secret(of slot: SlotDescription) throws(KeyStoreError) -> SecretBytes? {
    slot.type == type ? try? SecretBytes(count: 32) { for index in 0..<32 { $0[index] = UInt8(index) } } : nil
  }

  /// Adds it to a vault, proven by the usual passphrase.
  func add(to vault: Vault) throws {
    let output = try SecretBytes(count: 32) { for index in 0..<32 { $0[index] = UInt8(index) } }
    _ = try vault.addSlot(
      SlotEnrolment(type: type, parameters: [1], secret: output), label: "passkey",
      provenBy: PassphraseOpener(SecretBox(TestSupport.secret("open sesame"))), now: 5)
  }
}

extension ImportHelp {
  /// The examples of the standards are keys that everybody knows.
  static let published = ImportHelp(takesPublished: true)
}
