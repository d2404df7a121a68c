import Ciphers
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import Vault

/// The classes of this device open on no other.
@Suite struct DeviceTests {
  private static let here = Machine(id: Array("here".utf8))
  private static let there = Machine(id: Array("there".utf8))
  private static let kept: [ProtectionClass] = [.afterFirstUnlockThisDeviceOnly, .whenUnlockedThisDeviceOnly]

  private func filledHome() throws -> TemporaryHome {
    let home = TemporaryHome()
    let vault = try Vault.create(
      under: Vault.free(HomeFolder(path: home.path)), first: .passphrase(secret("open sesame"), cost: .floor),
      note: SlotNote(),
      on: Self.here, kinds: .tests)
    for protection in Self.kept { try vault.transaction([.put(.itemValue, [protection.rawValue], try box([7]), protection)]) }
    let presence = try vault.present(Owner.passphrase(), now: 1)
    try vault.transaction([.put(.itemValue, [19], try box([7]), .devicePasscodeThisDeviceOnly)], by: presence)
    try vault.transaction([.put(.itemValue, [1], try box([8]), .whenUnlocked)])
    vault.close()
    return home
  }

  private func open(_ home: TemporaryHome, _ machine: Machine) throws -> Vault {
    try Vault.open(home: home.path, with: Owner.passphrase(), now: 2, on: machine, kinds: .tests)
  }

  enum Loss: CaseIterable { case anotherMachine, noSecret, anotherSecret, shortSecret }

  @Test("A copied home does not open the records bound to a device", arguments: Loss.allCases)
  func aCopiedHomeOpensNoneOfThem(loss: Loss) throws {
    let home = try filledHome()
    switch loss {
    case .anotherMachine: break
    case .noSecret: try FileManager.default.removeItem(atPath: home.path + "/device.key")
    case .anotherSecret: try home.write([UInt8](repeating: 9, count: 32), to: "device.key")
    case .shortSecret: try home.write([UInt8](repeating: 9, count: 31), to: "device.key")
    }
    let vault = try open(home, loss == .anotherMachine ? Self.there : Self.here)
    #expect(try vault.secret(kind: .itemValue, id: [1]).array() == [8])
    for id in [17, 18] as [UInt8] {
      #expect(throws: VaultError.otherDevice) { _ = try vault.secret(kind: .itemValue, id: [id]) }
    }
    let presence = try vault.present(Owner.passphrase(), now: 3)
    #expect(throws: VaultError.otherDevice) { _ = try vault.secret(kind: .itemValue, id: [19], by: presence) }
    #expect(throws: VaultError.otherDevice) { try vault.transaction([.put(.itemValue, [5], try box([1]), Self.kept[0])]) }
    // A change of slots and class keys leaves them as they are, and back on their device they open.
    try vault.add(Owner.token)
    let rotation = try vault.rotateClassKeys(provenBy: [Owner.passphrase()], now: 4)
    #expect(rotation.kept.contains(Self.kept[0]))
    vault.close()
    if loss == .anotherMachine {
      let back = try open(home, Self.here)
      for id in [17, 18] as [UInt8] { #expect(try back.secret(kind: .itemValue, id: [id]).array() == [7]) }
      back.close()
    }
  }

  @Test("All records open on their own device") func onItsOwnDeviceAllOpen() throws {
    let home = try filledHome()
    let vault = try open(home, Self.here)
    for id in [17, 18] as [UInt8] { #expect(try vault.secret(kind: .itemValue, id: [id]).array() == [7]) }
    vault.close()
    #expect(try home.mode("device.key") == 0o600)
  }

  @Test("A vault can be bound to a new device and then forgets what cannot be opened there")
  func anotherDeviceCanBeTakenAndForgetsWhatCannotBeOpened() throws {
    let home = try filledHome()
    let vault = try open(home, Self.there)
    try vault.bindToThisDevice(provenBy: Owner.passphrase(), now: 3)
    #expect(throws: VaultError.notFound) { _ = try vault.secret(kind: .itemValue, id: [17]) }
    try vault.transaction([.put(.itemValue, [17], try box([6]), Self.kept[0])])
    #expect(try vault.secret(kind: .itemValue, id: [1]).array() == [8])
    vault.close()
    let again = try open(home, Self.there)
    #expect(try again.secret(kind: .itemValue, id: [17]).array() == [6])
    again.close()
    let back = try open(home, Self.here)
    #expect(throws: VaultError.otherDevice) { _ = try back.secret(kind: .itemValue, id: [17]) }
    back.close()
  }

  @Test("A device secret can be made after a crash during its creation")
  func aCrashWhileTheSecretIsMadeLeavesNothingInTheWay() throws {
    let home = TemporaryHome()
    try FileManager.default.createDirectory(
      atPath: home.path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    try home.write([1, 2], to: "device.key.new")
    try home.create().close()
    try home.open().close()
    #expect(try home.bytes(of: "device.key").count == 32)
  }

  @Test("A device secret planted in the folder is not used for a new vault and is kept under another name")
  func aPlantedSecretBindsNoNewVault() throws {
    let home = TemporaryHome()
    let planted = [UInt8](repeating: 0x41, count: 32)
    try FileManager.default.createDirectory(
      atPath: home.path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    try home.write(planted, to: "device.key")
    try home.create().close()
    let own = try home.bytes(of: "device.key")
    #expect(own.count == 32 && own != planted)
    #expect(try home.bytes(of: "device.key.kept-1") == planted, "it may be the only secret of a vault that was moved away")
    // Nor does the next one take the first one's place.
    try FileManager.default.removeItem(atPath: home.file)
    try home.create().close()
    #expect(try home.bytes(of: "device.key.kept-1") == planted && home.bytes(of: "device.key.kept-2") == own)
    try home.open().close()
  }

  @Test("Binding a vault again keeps another vault's device secret that lies in its folder")
  func aForeignSecretIsKept() throws {
    let home = try filledHome()
    let foreign = [UInt8](repeating: 9, count: 32)
    try home.write(foreign, to: "device.key")
    let vault = try open(home, Self.here)
    #expect(throws: KeyStoreError.self) { try vault.bindToThisDevice(provenBy: Owner.passphrase("wrong"), now: 3) }
    #expect(try home.bytes(of: "device.key") == foreign && !home.files().contains("device.key.kept-1"))
    try vault.bindToThisDevice(provenBy: Owner.passphrase(), now: 100_000)
    vault.close()
    #expect(try home.bytes(of: "device.key.kept-1") == foreign && home.bytes(of: "device.key") != foreign)
    let again = try open(home, Self.here)
    #expect(try again.deviceBinding == .file)
    again.close()
  }

  @Test("A device secret planted beside a version 1 vault is not bound to it")
  func aPlantedSecretBindsNoOldVault() throws {
    let home = try VersionOneVault.home()
    let planted = [UInt8](repeating: 0x41, count: 32)
    try home.write(planted, to: "device.key")
    try home.open(VersionOneTests.words).close()
    #expect(try home.bytes(of: "device.key") != planted && home.bytes(of: "device.key.kept-1") == planted)
  }
}
