import Ciphers
import Foundation
import Platform
import SecretMemory
import TestSupport
import Testing

@testable import Vault

/// Killed at every single call that changes the disk: the old state or the new, and always one that opens.
@Suite(.serialized) struct InterruptionTests {
  private static let token = ByteSlot(type: .token, byte: 1)
  private static let passkey = ByteSlot(type: .passkey, byte: 3)

  /// As FaultWriter's openers.
  struct ByteSlot: SlotOpener {
    let type: SlotType
    let byte: UInt8

    func secret(of slot: SlotDescription) throws(KeyStoreError) -> SecretBytes? {
      guard slot.type == type, slot.parameters == [byte] else { return nil }
      return try? SecretBytes(count: 32) { for index in 0..<32 { $0[index] = byte } }
    }

    func enrolment() throws -> SlotEnrolment {
      SlotEnrolment(
        type: type, parameters: [byte], secret: try SecretBytes(count: 32) { for index in 0..<32 { $0[index] = byte } })
    }
  }

  /// A vault opened by passphrase, token and passkey, with a record of four classes.
  private static func filledHome() throws -> TemporaryHome {
    let home = TemporaryHome()
    let vault = try home.create("kill")
    let passphrase = try Owner.passphrase("kill")
    _ = try vault.addSlot(token.enrolment(), label: "token", provenBy: passphrase, now: 1)
    _ = try vault.addSlot(passkey.enrolment(), label: "passkey", provenBy: passphrase, now: 1)
    let presence = try vault.present(passkey, now: 1)
    for protection in [ProtectionClass.afterFirstUnlock, .whenUnlocked, .whenUnlockedThisDeviceOnly, .biometricAny] {
      for number in 0..<6 {
        try vault.transaction(
          [.put(.itemValue, [protection.rawValue, UInt8(number)], try box([7, UInt8(number)]), protection)], by: presence)
      }
    }
    vault.close()
    return home
  }

  private static func copy(_ home: TemporaryHome) throws -> TemporaryHome {
    let copy = TemporaryHome()
    mkdir(copy.path, 0o700)
    for name in ["vault.db", "device.key"] where FileManager.default.fileExists(atPath: home.path + "/" + name) {
      try copy.write(home.bytes(of: name), to: name)
    }
    return copy
  }

  /// - Returns: whether the change was done before the n-th call came.
  private static func run(_ step: String, _ home: TemporaryHome, _ call: Int) throws -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("FaultWriter")
    process.arguments = [step, home.path, "\(call)"]
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationReason == .uncaughtSignal else {
      try #require(process.terminationStatus == 0, "\(step) failed at call \(call)")
      return true
    }
    try #require(process.terminationStatus == SIGKILL)
    return false
  }

  private static func readsAll(_ vault: Vault) throws {
    let presence = try vault.present(passkey, now: 3)
    for protection in [ProtectionClass.afterFirstUnlock, .whenUnlocked, .whenUnlockedThisDeviceOnly, .biometricAny] {
      for number in 0..<6 {
        let id = [protection.rawValue, UInt8(number)]
        #expect(try vault.secret(kind: .itemValue, id: id, by: presence).array() == [7, UInt8(number)])
      }
    }
  }

  @Test("An interrupted change of slots is done completely or not at all", arguments: ["add", "remove", "passphrase", "rotate"])
  func aChangeIsDoneWhollyOrNotAtAll(step: String) throws {
    let home = try Self.filledHome()
    var (old, new) = (0, 0)
    for call in 1...400 {
      let copy = try Self.copy(home)
      let isDone = try Self.run(step, copy, call)
      let vault = try Vault.open(home: copy.path, with: Self.token, now: 3, kinds: .tests)
      try Self.readsAll(vault)
      let isNew: Bool
      switch step {
      case "add": isNew = try vault.slots.count == 4
      case "remove": isNew = try vault.slots.count == 2
      case "passphrase": isNew = try vault.slots.first { $0.id == 1 }?.made == 2
      default: isNew = try vault.withOpen { $0.header.slot(2)?.generation } != 2
      }
      // What the passphrase opens is what the header says.
      if step != "remove" || !isNew {
        try vault.verify(with: Owner.passphrase(step == "passphrase" && isNew ? "new" : "kill"), now: 4)
      }
      vault.close()
      #expect(isNew || !isDone, "\(step) was promised at call \(call)")
      if isNew { new += 1 } else { old += 1 }
      if isDone { break }
      try #require(call < 400)
    }
    #expect(old >= 1 && new >= 2, "\(step): \(old) old, \(new) new")
  }

  @Test("An interrupted backup is there completely or not at all") func aBackupIsThereWhollyOrNotAtAll() throws {
    let home = try Self.filledHome()
    var (none, whole) = (0, 0)
    for call in 1...400 {
      let copy = try Self.copy(home)
      let file = copy.path + ".hfb"
      defer { for name in [file, file + ".part"] { unlink(name) } }
      let isDone = try Self.run("backup", copy, call)
      if FileManager.default.fileExists(atPath: file) {
        whole += 1
        let found = try BackupFile(path: file).open(with: Self.passkey).examine(knowing: .tests)
        #expect(found.summary.number == 2 && found.opened >= 18)
      } else {
        none += 1
        #expect(!isDone)
      }
      let vault = try Vault.open(home: copy.path, with: Self.token, now: 3, kinds: .tests)
      try Self.readsAll(vault)
      // What was left of it is in nobody's way.
      if !FileManager.default.fileExists(atPath: file) { try vault.writeBackup(to: file, number: 3, now: 3) }
      vault.close()
      if isDone { break }
      try #require(call < 400)
    }
    #expect(none >= 3 && whole >= 2, "\(none) none, \(whole) whole")
  }

  @Test("An interrupted restore is done completely or not at all") func aRestoredHomeIsThereWhollyOrNotAtAll() throws {
    let home = try Self.filledHome()
    let file = home.path + ".hfb"
    defer { unlink(file) }
    let vault = try Vault.open(home: home.path, with: Self.token, now: 2, kinds: .tests)
    try vault.writeBackup(to: file, number: 2, now: 2)
    vault.close()
    var (none, whole) = (0, 0)
    for call in 1...600 {
      let (restored, files) = (home.path + ".restored", FileManager.default)
      defer { for name in [restored, restored + ".restoring"] { try? files.removeItem(atPath: name) } }
      let isDone = try Self.run("restore", home, call)
      if files.fileExists(atPath: restored) {
        whole += 1
      } else {
        none += 1
        #expect(!isDone && !Vault.exists(home: restored))
        try Restoration(of: BackupFile(path: file).open(with: Self.token), into: restored, kinds: .tests).commit()
      }
      #expect(!files.fileExists(atPath: restored + ".restoring"))
      let vault = try Vault.open(home: restored, with: Self.token, now: 3, kinds: .tests)
      for number in 0..<6 {
        let id = [ProtectionClass.whenUnlocked.rawValue, UInt8(number)]
        #expect(try vault.secret(kind: .itemValue, id: id).array() == [7, UInt8(number)])
      }
      vault.close()
      if isDone { break }
      try #require(call < 600)
    }
    #expect(none >= 10 && whole >= 2, "\(none) none, \(whole) whole")
  }

  @Test("An interrupted rewrite of an old vault is done completely or not at all")
  func anOldVaultIsRewrittenWhollyOrNotAtAll() throws {
    let home = try VersionOneVault.home()
    var (old, new) = (0, 0)
    for call in 1...400 {
      let copy = try Self.copy(home)
      let isDone = try Self.run("rewrite", copy, call)
      let vault = try copy.open(VersionOneTests.words)
      #expect(try vault.records(.setting) == [Record(id: [1], value: [2, 3])])
      #expect(try vault.secret(kind: .identityKey, id: [2]).array() == [6, 6])
      if vault.generation > 2 || isDone { new += 1 } else { old += 1 }
      vault.close()
      if isDone { break }
      try #require(call < 400)
    }
    #expect(old + new > 10)
  }

  @Test("A vault killed at any moment while its device secret is being sealed loses nothing")
  func sealingTheDeviceSecretIsDoneWhollyOrNotAtAll() throws {
    let home = try Self.filledHome()
    let plain = try home.bytes(of: "device.key")
    var (old, new, mended) = (0, 0, 0)
    for call in 1...400 {
      let copy = try Self.copy(home)
      let isDone = try Self.run("seal", copy, call)
      let isUnfinished = copy.files().contains("device.key.new")
      let vault = try Vault.open(home: copy.path, with: Self.token, now: 3, sealer: TestChip(key: 1), kinds: .tests)
      try Self.readsAll(vault)
      let isNew = try vault.deviceBinding != .file
      #expect(try isNew ? SealedDeviceKey.isOne(copy.bytes(of: "device.key")) : copy.bytes(of: "device.key") == plain)
      #expect(!copy.files().contains("device.key.new"), "left at call \(call)")
      #expect(isNew || !isDone)
      if isNew && isUnfinished { mended += 1 }
      if isNew { new += 1 } else { old += 1 }
      vault.close()
      if isDone { break }
      try #require(call < 400)
    }
    #expect(old >= 5 && new >= 2 && mended >= 1, "\(old) old, \(new) new, \(mended) mended")
  }

  @Test("An interrupted creation gives a complete vault or none") func aVaultAndItsDeviceSecretAreThereWhollyOrNotAtAll() throws {
    var (none, whole) = (0, 0)
    for call in 1...400 {
      let home = TemporaryHome()
      let isDone = try Self.run("create", home, call)
      if Vault.exists(home: home.path) {
        whole += 1
      } else {
        none += 1
        #expect(!isDone)
        try home.create("kill").close()
      }
      let vault = try home.open("kill")
      try vault.transaction([.put(.itemValue, [1], try box([1]), .whenUnlockedThisDeviceOnly)])
      vault.close()
      #expect(try home.bytes(of: "device.key").count == 32)
      if isDone { break }
      try #require(call < 400)
    }
    #expect(none > 5 && whole >= 1, "\(none) none, \(whole) whole")
  }
}
