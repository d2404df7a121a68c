import Encodings
import Foundation
import Glibc
import Locks
import Testing

@testable import AuditLog

@Suite(.serialized) struct DiskFullTests {
  /// A file system of 64 KiB in a temporary folder; nil when this process may not mount.
  final class SmallDisk {
    let folder = TemporaryFolder()
    init?() { guard mount("tmpfs", folder.path, "tmpfs", 0, "size=64k") == 0 else { return nil } }
    deinit { umount2(folder.path, 2) }  // 2: MNT_DETACH
  }

  @Test func aFullDiskLosesNothingAndHealsWhenThereIsSpace() async throws {
    guard let disk = SmallDisk() else { return await aFileSizeLimitLosesNothing() }
    let ballast = disk.folder.path + "/ballast"
    try disk.folder.write([UInt8](repeating: 1, count: 36 << 10), to: ballast)
    let log = try AuditLog.open(folder: disk.folder.path, keys: testKeys, now: 0)
    try Self.check(log, in: disk.folder, fault: ENOSPC) { try disk.folder.remove(ballast) }
  }

  /// The same through a limit on the length of a file, in a process of its own.
  @Test func aFileSizeLimitLosesNothing() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
      signal(SIGXFSZ, SIG_IGN)
      var old = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &old)
      var small = rlimit(rlim_cur: 20_000, rlim_max: old.rlim_max)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &small)
      try Self.check(log, in: folder, fault: EFBIG) { _ = setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &old) }
    }
  }

  private static func check(_ log: AuditLog, in folder: TemporaryFolder, fault: Int32, makeSpace: () throws -> Void) throws {
    var last: UInt64 = 0
    let fault = AuditLogError.io(.write, code: fault)
    do { while true { last = try log.appendAndWait(entry(Int(last) + 1)) } } catch { #expect(error == fault) }
    #expect(last > 20)
    // Several that wait for one write that cannot be made: each is told.
    let results = Locked<[Result<UInt64, AuditLogError>]>([])
    for number in 0..<50 { log.append(entry(number)) { result in results.change { $0.append(result) } } }
    let all = results.wait(milliseconds: 20_000) { $0.count == 50 ? $0 : nil }
    #expect(all?.allSatisfy { $0 == .failure(fault) } == true)
    let full = try AuditLog.verify(folder: folder.path, keys: testKeys)
    #expect(full.entries == last && full.fault == nil && full.unfinishedBytes == 0)
    try makeSpace()
    #expect(try log.appendAndWait(entry(1)) == last + 1)
    log.close()
    let after = try AuditLog.verify(folder: folder.path, keys: testKeys)
    #expect(after.entries == last + 1 && after.fault == nil)
  }
}
