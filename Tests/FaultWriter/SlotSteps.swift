import Ciphers
import SecretMemory
import Vault

/// A slot whose secret is one byte, repeated; its parameter is that byte, too.
struct ByteOpener: SlotOpener {
  let type: SlotType
  let byte: UInt8

  func secret(of slot: SlotDescription) throws(KeyStoreError) -> SecretBytes? {
    slot.type == type && slot.parameters == [byte] ? try bytes() : nil
  }

  func enrolment() throws(KeyStoreError) -> SlotEnrolment {
    SlotEnrolment(type: type, parameters: [byte], secret: try bytes())
  }

  private func bytes() throws(KeyStoreError) -> SecretBytes {
    do { return try SecretBytes(count: 32) { (target) throws(Never) in for index in 0..<32 { target[index] = byte } } } catch {
      throw .vault(.outOfMemory)
    }
  }
}

/// A chip that changes each byte.
struct ByteChip: DeviceSealer {
  let place = "a chip of the tests"
  let isOfThisMachine = true

  func seal(_ secret: SecretBox) throws(DeviceSealError) -> [UInt8] { [1] + secret.withBytes { $0.map { $0 ^ 0x5a } } }

  func unseal(_ sealed: [UInt8]) throws(DeviceSealError) -> SecretBytes {
    guard sealed.count == 33 else { throw .damaged }
    var bytes = sealed.dropFirst().map { $0 ^ 0x5a }
    do { return try SecretBytes(wiping: &bytes) } catch { throw .refused(code: 0) }
  }
}

/// One change of slots or class keys, ended at the n-th call that changes the disk.
enum SlotStep: String {
  case add, remove, passphrase, rotate, rewrite, create, backup, restore, seal

  func run(_ home: String, endingAt call: Int) throws {
    let token = ByteOpener(type: .token, byte: 1)
    if self == .rewrite || self == .create {
      let old = SecretBox(try words(self == .create ? "kill" : "an old passphrase"))
      Interruption.left = call
      if self == .rewrite {
        try Vault.open(home: home, with: PassphraseOpener(old), now: 1, kinds: .written).close()
      } else {
        try Vault.create(home: home, passphrase: old.duplicate(), cost: .floor).close()
      }
      return
    }
    if self == .restore {
      let backup = try BackupFile(path: home + ".hfb").open(with: token)
      Interruption.left = call
      try Restoration(of: backup, into: home + ".restored").commit()
      return
    }
    let vault = try Vault.open(home: home, with: token, now: 1, sealer: ByteChip(), kinds: .written)
    Interruption.left = call
    switch self {
    case .add: _ = try vault.addSlot(ByteOpener(type: .token, byte: 2).enrolment(), label: "new", provenBy: token, now: 2)
    case .backup: try vault.writeBackup(to: home + ".hfb", number: 2, now: 2)
    case .remove: try vault.removeSlot(1, now: 2)
    case .passphrase:
      let old = PassphraseOpener(SecretBox(try words("kill")))
      let new = try words("new")
      try vault.changePassphrase(shown: old, to: .passphrase(new, cost: .floor), now: 2)
    case .seal:
      try vault.renewDeviceSecret(sealed: true, provenBy: [token, ByteOpener(type: .passkey, byte: 3)], now: 2)
    default: try vault.rotateClassKeys(provenBy: [token, ByteOpener(type: .passkey, byte: 3)], now: 2)
    }
    vault.close()
  }

  private func words(_ text: String) throws -> SecretBytes {
    var bytes = Array(text.utf8)
    return try SecretBytes(wiping: &bytes)
  }
}
