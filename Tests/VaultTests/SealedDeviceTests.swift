import Ciphers
import Encodings
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import Vault

/// A chip for the tests. Two with different keys are two chips. One with a fault answers every call with it.
struct TestChip: DeviceSealer {
  var key: UInt8 = 0x5a
  var fault: DeviceSealError?
  /// Whether it gives back another secret than it was given.
  var forgets = false
  let place = "a chip of the tests"
  let isOfThisMachine = true

  func seal(_ secret: SecretBox) throws(DeviceSealError) -> [UInt8] {
    if let fault { throw fault }
    return [key] + secret.withBytes { $0.map { $0 ^ 0x5a } }
  }

  func unseal(_ sealed: [UInt8]) throws(DeviceSealError) -> SecretBytes {
    if let fault { throw fault }
    guard sealed.first == key else { throw .anotherChip }
    var bytes = sealed.dropFirst().map { forgets ? 0 : $0 ^ 0x5a }
    do { return try SecretBytes(wiping: &bytes) } catch { throw .refused(code: 0) }
  }
}

/// The device secret, sealed by a chip.
@Suite struct SealedDeviceTests {
  private static let bound = ProtectionClass.whenUnlockedThisDeviceOnly

  private func open(_ home: TemporaryHome, _ chip: TestChip?) throws -> Vault {
    try Vault.open(home: home.path, with: Owner.passphrase(), now: 1_000_000, sealer: chip, kinds: .tests)
  }

  /// A vault with one record of this device and one that may leave it.
  private func filledHome(_ chip: TestChip?) throws -> TemporaryHome {
    let home = TemporaryHome()
    let vault = try Vault.create(
      home: home.path, passphrase: secret("open sesame"), cost: .floor, sealer: chip, kinds: .tests)
    try vault.transaction([.put(.itemValue, [1], try box([7]), Self.bound), .put(.itemValue, [2], try box([8]), .whenUnlocked)])
    vault.close()
    return home
  }

  private func isSealed(_ home: TemporaryHome) throws -> Bool { SealedDeviceKey.isOne(try home.bytes(of: "device.key")) }

  @Test("A new vault's device secret is sealed when a TPM works, and no plain copy is left")
  func newOnesAreSealed() throws {
    let home = try filledHome(TestChip())
    #expect(try isSealed(home) && home.mode("device.key") == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path).sorted() == ["device.key", "lock", "vault.db"])
    let vault = try open(home, TestChip())
    #expect(try vault.secret(kind: .itemValue, id: [1]).array() == [7])
    #expect(try vault.deviceBinding == .chip(place: "a chip of the tests", isOfThisMachine: true))
    vault.close()
    let plain = try filledHome(TestChip(fault: .noAnswer))
    #expect(try !isSealed(plain))
    let opened = try open(plain, TestChip())
    #expect(try opened.deviceBinding == .file, "a chip that is there has sealed nothing yet")
    opened.close()
  }

  @Test(
    "A device secret that cannot be unsealed closes only the classes of this device",
    arguments: [DeviceSealError.noChip, .notPermitted, .noLibrary, .noAnswer, .anotherChip, .damaged, .refused(code: 0x1df)])
  func aChipThatDoesNotOpenItKeepsOnlyItsOwnClosed(fault: DeviceSealError) throws {
    let home = try filledHome(TestChip())
    let file = try home.bytes(of: "device.key")
    let chip = fault == .noChip ? nil : TestChip(fault: fault)
    let vault = try open(home, chip)
    #expect(try vault.deviceBinding == .closed(fault))
    #expect(try vault.secret(kind: .itemValue, id: [2]).array() == [8])
    #expect(throws: VaultError.deviceSealed(fault)) { _ = try vault.secret(kind: .itemValue, id: [1]) }
    #expect(throws: VaultError.deviceSealed(fault)) { try vault.transaction([.put(.itemValue, [3], try box([1]), Self.bound)]) }
    vault.close()
    #expect(try home.bytes(of: "device.key") == file, "nothing is given up by itself")
    let back = try open(home, TestChip())
    #expect(try back.secret(kind: .itemValue, id: [1]).array() == [7])
    back.close()
  }

  @Test("A plain device secret opens nothing after a sealed one replaced it")
  func aPlainSecretThatSomebodyKeptIsOfNoUse() throws {
    let home = try filledHome(nil)
    let plain = try home.bytes(of: "device.key")
    let vault = try open(home, TestChip())
    let classKey = { (vault: Vault) throws in
      try vault.withOpen { open throws(VaultError) in try open.keys.key(Self.bound) }.withBytes { Array($0) }
    }
    let before = try classKey(vault)
    try vault.renewDeviceSecret(sealed: true, provenBy: [Owner.passphrase()], now: 2)
    #expect(try classKey(vault) != before, "what an older copy of the vault gives with it")
    #expect(try vault.deviceBinding == .chip(place: "a chip of the tests", isOfThisMachine: true))
    #expect(try vault.secret(kind: .itemValue, id: [1]).array() == [7])
    vault.close()
    let sealed = try home.bytes(of: "device.key")
    #expect(SealedDeviceKey.isOne(sealed) && !home.files().contains("device.key.new"))
    let again = try open(home, TestChip())
    #expect(try again.secret(kind: .itemValue, id: [1]).array() == [7])
    again.close()
    try home.write(plain, to: "device.key")
    let stale = try open(home, TestChip())
    #expect(throws: VaultError.otherDevice) { _ = try stale.secret(kind: .itemValue, id: [1]) }
    stale.close()
    // And back, for who moves the disk.
    try home.write(sealed, to: "device.key")
    let moving = try open(home, TestChip())
    try moving.renewDeviceSecret(sealed: false, provenBy: [Owner.passphrase()], now: 3)
    moving.close()
    let moved = try open(home, nil)
    #expect(try moved.secret(kind: .itemValue, id: [1]).array() == [7])
    moved.close()
  }

  @Test("The old device secret is overwritten on disk")
  func theOldBytesAreOverwritten() throws {
    let home = try filledHome(nil)
    // Opened before: it reads the same bytes on the disk after their name is another file's.
    let old = try FileHandle(forReadingFrom: URL(fileURLWithPath: home.path + "/device.key"))
    let vault = try open(home, TestChip())
    try vault.renewDeviceSecret(sealed: true, provenBy: [Owner.passphrase()], now: 2)
    vault.close()
    #expect(try old.readToEnd() == Data(count: 32))
  }

  @Test("The owner's file that is linked in place of the device secret is not overwritten")
  func aLinkedFileIsNotOverwritten() throws {
    let home = try filledHome(nil)
    let precious = Array("a file of the owner, elsewhere on the same disk".utf8)
    let vault = try open(home, nil)
    try FileManager.default.removeItem(atPath: home.path + "/device.key")
    try home.write(precious, to: "elsewhere")
    try FileManager.default.linkItem(atPath: home.path + "/elsewhere", toPath: home.path + "/device.key")
    try vault.renewDeviceSecret(sealed: false, provenBy: [Owner.passphrase()], now: 2)
    vault.close()
    #expect(try home.bytes(of: "elsewhere") == precious)
    #expect(try home.bytes(of: "device.key").count == 32)
  }

  @Test("A lock file that is a link does not change the file it points to")
  func aLinkedLockIsNotOverwritten() throws {
    let home = try filledHome(nil)
    let precious = Array("a file of the owner, elsewhere on the same disk".utf8)
    try FileManager.default.removeItem(atPath: home.path + "/lock")
    try home.write(precious, to: "elsewhere")
    try FileManager.default.linkItem(atPath: home.path + "/elsewhere", toPath: home.path + "/lock")
    try open(home, nil).close()
    #expect(try home.bytes(of: "elsewhere") == precious)
  }

  @Test("Nothing changes when the TPM fails while it seals a new secret", arguments: [true, false])
  func aFailingChangeLeavesTheOldOne(isChipThere: Bool) throws {
    let home = try filledHome(nil)
    let plain = try home.bytes(of: "device.key")
    let vault = try open(home, isChipThere ? TestChip(fault: .noAnswer) : nil)
    let fault = VaultError.deviceSealed(isChipThere ? .noAnswer : .noChip)
    #expect(throws: KeyStoreError.vault(fault)) {
      try vault.renewDeviceSecret(sealed: true, provenBy: [Owner.passphrase()], now: 2)
    }
    #expect(throws: KeyStoreError.self) {
      try vault.renewDeviceSecret(sealed: false, provenBy: [Owner.passphrase("wrong")], now: 3)
    }
    #expect(try vault.secret(kind: .itemValue, id: [1]).array() == [7])
    vault.close()
    #expect(try home.bytes(of: "device.key") == plain && !home.files().contains("device.key.new"))
  }

  @Test("A sealed secret is used only if the TPM can unseal it")
  func aSecretIsReadBackFirst() throws {
    let home = try filledHome(nil)
    let plain = try home.bytes(of: "device.key")
    let vault = try open(home, TestChip(forgets: true))
    #expect(throws: KeyStoreError.self) {
      try vault.renewDeviceSecret(sealed: true, provenBy: [Owner.passphrase()], now: 2)
    }
    vault.close()
    #expect(try home.bytes(of: "device.key") == plain && !home.files().contains("device.key.new"))
  }

  @Test("The device secret is not replaced while keys exist that no shown credential opens")
  func everythingInUseMustBeShown() throws {
    let home = try filledHome(nil)
    let vault = try open(home, TestChip())
    try vault.add(Owner.passkey)
    let presence = try vault.present(Owner.passkey, now: 2)
    try vault.transaction([.put(.itemValue, [4], try box([9]), .biometricAnyThisDeviceOnly)], by: presence)
    #expect(throws: KeyStoreError.vault(.notEntitled(.biometricAnyThisDeviceOnly))) {
      try vault.renewDeviceSecret(sealed: true, provenBy: [Owner.passphrase()], now: 3)
    }
    #expect(!home.files().contains("device.key.new"))
    try vault.renewDeviceSecret(sealed: true, provenBy: [Owner.passphrase(), Owner.passkey], now: 4)
    let shown = try vault.present(Owner.passkey, now: 5)
    #expect(try vault.secret(kind: .itemValue, id: [4], by: shown).array() == [9])
    vault.close()
  }

  @Test("After its TPM was cleared, a vault can be bound again and says what was lost")
  func aClearedChipCanBeTakenAnew() throws {
    let home = try filledHome(TestChip())
    let cleared = TestChip(key: 1)
    let vault = try open(home, cleared)
    #expect(try vault.deviceBinding == .closed(.anotherChip) && vault.isOfAnotherDevice)
    try vault.bindToThisDevice(provenBy: Owner.passphrase(), now: 2)
    #expect(throws: VaultError.notFound) { _ = try vault.secret(kind: .itemValue, id: [1]) }
    try vault.transaction([.put(.itemValue, [1], try box([6]), Self.bound)])
    vault.close()
    let again = try open(home, cleared)
    #expect(try again.secret(kind: .itemValue, id: [1]).array() == [6])
    #expect(try again.secret(kind: .itemValue, id: [2]).array() == [8])
    again.close()
    #expect(try isSealed(home))
  }

  @Test("A truncated or altered sealed file is refused by name")
  func damageIsNamed() throws {
    let home = try filledHome(TestChip())
    let file = try home.bytes(of: "device.key")
    let key = DeviceKeyFile(folder: HomeFolder(path: home.path), machine: .current(sealing: TestChip()))
    let path = HomeFolder(path: home.path).deviceKey
    for count in 0..<file.count {
      try home.write(Array(file.prefix(count)), to: "device.key")
      let found = try key.look(path)
      // Of 32 bytes is a plain one: another secret, which binds nothing.
      if count != 32 { #expect(found.secret == nil, "cut to \(count)") }
    }
    for index in file.indices {
      var changed = file
      changed[index] ^= 0x10
      try home.write(changed, to: "device.key")
      let found = try key.look(path)
      #expect(found.secret == nil, "changed at \(index)")
      if index >= 6 { #expect(found.fault == .damaged, "changed at \(index)") }
    }
    for longer in [
      file + [0], [UInt8](repeating: 0x48, count: 1 << 20), Array("HFSEAL".utf8) + [UInt8](repeating: 0, count: 5000),
    ] {
      try home.write(longer, to: "device.key")
      #expect(try key.look(path).secret == nil)
    }
    try home.write(Array("HFSEAL\u{2}".utf8) + [1, 2, 3], to: "device.key")
    #expect(try key.look(path).fault == .damaged)
    let newer = Array("HFSEAL\u{2}".utf8) + [1, 2, 3]
    try home.write(newer + SHA256.digest(of: newer).array, to: "device.key")
    #expect(try key.look(path).fault == .newerVersion)
  }

  @Test("A plain secret that somebody else sealed later is not bound to the vault") func sealedAfterwards() throws {
    let home = try filledHome(nil)
    let plain = try home.bytes(of: "device.key")
    let sealed = try TestChip().seal(try box(plain))
    try home.write(try #require(SealedDeviceKey.framed(sealed)), to: "device.key")
    let vault = try open(home, TestChip())
    #expect(try vault.deviceBinding != .chip(place: "a chip of the tests", isOfThisMachine: true))
    #expect(throws: VaultError.otherDevice) { _ = try vault.secret(kind: .itemValue, id: [1]) }
    vault.close()
  }

  @Test("A new device secret that could not be renamed yet is kept by the next change") func aStagedSecretIsKept() throws {
    let home = try filledHome(nil)
    let vault = try open(home, nil)
    let name = home.path + "/device.key"
    // Its name cannot be given: a folder has it.
    try FileManager.default.removeItem(atPath: name)
    try FileManager.default.createDirectory(atPath: name + "/in the way", withIntermediateDirectories: true)
    try vault.renewDeviceSecret(sealed: false, provenBy: [Owner.passphrase()], now: 2)
    #expect(home.files().contains("device.key.new"))
    #expect(throws: (any Error).self) { try vault.renewDeviceSecret(sealed: true, provenBy: [Owner.passphrase()], now: 3) }
    #expect(home.files().contains("device.key.new"))
    try FileManager.default.removeItem(atPath: name)
    vault.close()
    let again = try open(home, nil)
    #expect(try again.secret(kind: .itemValue, id: [1]).array() == [7])
    again.close()
  }

  @Test("A pipe in place of the device secret blocks nothing") func pipe() throws {
    let home = try filledHome(nil)
    try FileManager.default.removeItem(atPath: home.path + "/device.key")
    #expect(mkfifo(home.path + "/device.key", 0o600) == 0)
    #expect(throws: (any Error).self) { try open(home, nil).close() }
  }

  @Test("A pipe in place of the device secret does not stop its replacement")
  func aPipeHoldsNoChangeUp() throws {
    let home = try filledHome(nil)
    let vault = try open(home, nil)
    try FileManager.default.removeItem(atPath: home.path + "/device.key")
    #expect(mkfifo(home.path + "/device.key", 0o600) == 0)
    try vault.renewDeviceSecret(sealed: false, provenBy: [Owner.passphrase()], now: 2)
    #expect(try vault.secret(kind: .itemValue, id: [1]).array() == [7])
    vault.close()
    #expect(try home.bytes(of: "device.key").count == 32)
  }
}
