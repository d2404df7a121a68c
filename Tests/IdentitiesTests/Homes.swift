import Ciphers
import Foundation
import SecretMemory

@testable import Identities
@testable import Vault

/// A home folder that is gone when its last owner is.
final class TemporaryHome: Sendable {
  let path: String

  init() {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("holdfast-vault-\(UUID().uuidString)").path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var file: String { path + "/vault.db" }

  func bytes(of name: String = "vault.db") throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)))
  }

  func write(_ bytes: [UInt8], to name: String = "vault.db") throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name))
  }

  /// The names of what lies in it.
  func files() -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }

  func mode(_ name: String = "") throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path + "/" + name)[.posixPermissions] as? Int
  }

  func create(_ words: String = "open sesame") throws -> Vault {
    try Vault.create(home: path, passphrase: passphrase(words), cost: .floor, kinds: .tests)
  }

  func open(_ words: String = "open sesame", now: Int64 = 1_000_000) throws -> Vault {
    try Vault.open(home: path, passphrase: passphrase(words), now: now, kinds: .tests)
  }

  /// Changes the closed file through SQL, as somebody with an editor would.
  func edit(_ body: (Database) throws -> Void) throws {
    let database = try Database(path: file)
    database.foldOnClose()
    try body(database)
  }
}

func passphrase(_ words: String) throws -> SecretBytes {
  var bytes = Array(words.utf8)
  return try SecretBytes(wiping: &bytes)
}

func box(_ bytes: [UInt8]) throws -> SecretBox {
  var copy = bytes
  return SecretBox(try SecretBytes(wiping: &copy))
}

func array(_ secret: borrowing SecretBytes) -> [UInt8] { secret.withBytes { [UInt8]($0) } }

/// A small generator for tests: the seed is in the test's name or message.
struct TestRandom: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
    return z ^ z >> 31
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
      provenBy: PassphraseOpener(SecretBox(passphrase("open sesame"))), now: 5)
  }
}
