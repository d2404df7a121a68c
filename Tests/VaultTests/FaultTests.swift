import Ciphers
import Foundation
import Platform
import SecretMemory
import TestSupport
import Testing

@testable import Vault

@Suite(.serialized) struct FaultTests {
  /// A file system of 512 KiB in a temporary folder; nil when this process may not mount.
  final class SmallDisk {
    let home = TemporaryHome()
    init?() {
      mkdir(home.path, 0o700)
      guard mount("tmpfs", home.path, "tmpfs", 0, "size=512k,mode=0700") == 0 else { return nil }
    }
    deinit { umount2(home.path, 2) }  // 2: MNT_DETACH
  }

  @Test("A full disk changes nothing in the vault") func aFullDiskChangesNothing() async throws {
    guard let disk = SmallDisk() else { return await aFileSizeLimitChangesNothing() }
    let vault = try disk.home.create()
    let ballast = disk.home.path + "/ballast"
    try disk.home.write([UInt8](repeating: 1, count: 300 << 10), to: "ballast")
    try Self.check(vault, disk.home, code: ENOSPC) { unlink(ballast) }
  }

  /// The same through a limit on the length of a file, in a process of its own.
  @Test("A limit on the file's size changes nothing in the vault") func aFileSizeLimitChangesNothing() async {
    await #expect(processExitsWith: .success) {
      let home = TemporaryHome()
      let vault = try home.create()
      signal(SIGXFSZ, SIG_IGN)
      var old = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &old)
      var small = rlimit(rlim_cur: 150_000, rlim_max: old.rlim_max)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &small)
      try Self.check(vault, home, code: nil) { setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &old) }
    }
  }

  private static func check(_ vault: Vault, _ home: TemporaryHome, code: Int32?, makeSpace: () -> Int32) throws {
    var written = 0
    var fault: VaultError?
    while fault == nil {
      do {
        try vault.transaction([
          .put(.setting, [UInt8(written)], [UInt8](repeating: 7, count: 20_000)), .put(.link, [UInt8(written)], [1]),
        ])
        written += 1
      } catch { fault = error }
      try #require(written < 100)
    }
    guard case .io(_, let found) = fault else {
      Issue.record("\(String(describing: fault))")
      return
    }
    if let code { #expect(found == code) }
    #expect(written > 2)
    #expect(try vault.records(.setting).count == written && vault.records(.link).count == written)
    _ = makeSpace()
    try vault.transaction([.put(.link, [200], [1])])
    vault.close()
    let again = try home.open()
    #expect(try again.records(.setting).count == written && again.records(.link).count == written + 1)
  }

  @Test("A full disk during the creation of a vault leaves none") func aFullDiskWhileAVaultIsMadeLeavesNone() throws {
    guard let disk = SmallDisk() else { return }
    try disk.home.write([UInt8](repeating: 1, count: 500 << 10), to: "ballast")
    #expect(throws: VaultError.self) { try disk.home.create() }
    #expect(!Vault.exists(home: disk.home.path))
    unlink(disk.home.path + "/ballast")
    try disk.home.create().close()
  }

  /// Slots and class keys on a disk that is full: as they were, and the session goes on.
  @Test("A full disk changes no slot and no class key") func aFullDiskChangesNoSlotAndNoClassKey() throws {
    guard let disk = SmallDisk() else { return }
    let vault = try disk.home.create()
    try vault.add(Owner.token)
    for number in 0..<6 {
      try vault.transaction([.put(.itemValue, [UInt8(number)], try box([UInt8](repeating: 3, count: 20_000)), .whenUnlocked)])
    }
    vault.close()
    let again = try disk.home.open()
    let size = 512 << 10
    let used = try FileManager.default.contentsOfDirectory(atPath: disk.home.path)
      .reduce(0) { try $0 + disk.home.bytes(of: $1).count }
    try disk.home.write([UInt8](repeating: 1, count: size - used - (40 << 10)), to: "ballast")
    let before = try again.slots
    #expect {
      try again.rotateClassKeys(provenBy: [Owner.token], now: 9)
    } throws: { error in
      if case KeyStoreError.vault(.io) = error { return true }
      return false
    }
    for number in 0..<6 { #expect(try again.secret(kind: .itemValue, id: [UInt8(number)]).count == 20_000) }
    #expect(try again.slots.map(\.id) == before.map(\.id))
    unlink(disk.home.path + "/ballast")
    try again.rotateClassKeys(provenBy: [Owner.token], now: 10)
    again.close()
    let last = try disk.home.open()
    for number in 0..<6 { #expect(try last.secret(kind: .itemValue, id: [UInt8(number)]).count == 20_000) }
    last.close()
  }
}
