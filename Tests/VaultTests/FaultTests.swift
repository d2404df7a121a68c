import Ciphers
import Foundation
import Glibc
import SecretMemory
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

  @Test func aFullDiskChangesNothing() async throws {
    guard let disk = SmallDisk() else { return await aFileSizeLimitChangesNothing() }
    let vault = try disk.home.create()
    let ballast = disk.home.path + "/ballast"
    try disk.home.write([UInt8](repeating: 1, count: 300 << 10), to: "ballast")
    try Self.check(vault, disk.home, code: ENOSPC) { unlink(ballast) }
  }

  /// The same through a limit on the length of a file, in a process of its own.
  @Test func aFileSizeLimitChangesNothing() async {
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

  @Test func aFullDiskWhileAVaultIsMadeLeavesNone() throws {
    guard let disk = SmallDisk() else { return }
    try disk.home.write([UInt8](repeating: 1, count: 500 << 10), to: "ballast")
    #expect(throws: VaultError.self) { try disk.home.create() }
    #expect(!Vault.exists(home: disk.home.path))
    unlink(disk.home.path + "/ballast")
    try disk.home.create().close()
  }

  /// Twenty kills at random moments (seed 11): what was acknowledged is there, and nothing is there by half.
  @Test func killedWritersLoseNothingTheyPromised() throws {
    let home = TemporaryHome()
    try home.create("kill").close()
    var random = TestRandom(seed: 11)
    var promised = 0
    for round in 0..<20 {
      let child = Process()
      child.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appendingPathComponent("VaultWriter")
      child.arguments = [home.path]
      let pipe = Pipe()
      child.standardOutput = pipe
      try child.run()
      let acknowledged = try readLines(pipe.fileHandleForReading, count: Int.random(in: 0...30, using: &random))
      usleep(UInt32.random(in: 0...3000, using: &random))  // a random moment, not a wait for something
      kill(child.processIdentifier, SIGKILL)
      promised = max(promised, (acknowledged + lines(in: pipe.fileHandleForReading.readDataToEndOfFile())).max() ?? 0)
      child.waitUntilExit()
      let vault = try home.open("kill")
      let found = try vault.records(.setting)
      #expect(found.count >= promised && found.count <= promised + 1, "round \(round): \(found.count) of \(promised)")
      let ids = Set(found.map { String(decoding: $0.id, as: UTF8.self) })
      for number in 1...max(1, promised) where promised > 0 { #expect(ids.contains("\(number)"), "round \(round)") }
      #expect(try vault.ids(.pairingKey) == found.map(\.id))
      promised = found.count
      vault.close()
    }
    #expect(promised > 20)
  }

  private func readLines(_ handle: FileHandle, count: Int) throws -> [Int] {
    var data = Data()
    while lines(in: data).count < count {
      let more = handle.availableData
      try #require(!more.isEmpty, "the child ended on its own")
      data += more
    }
    return lines(in: data)
  }

  /// Whole lines only.
  private func lines(in data: Data) -> [Int] {
    String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).dropLast().compactMap {
      Int($0)
    }
  }
}
