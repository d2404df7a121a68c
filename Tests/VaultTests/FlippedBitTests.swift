import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import Vault

/// A small vault's file with one bit changed: refused by a name that says so, or exactly what was written.
///
/// Opened by a slot without a passphrase function, in memory, on all cores. Every byte of the file is tried, all eight bits of those
/// of the header, and of the others one, another one with each byte. With `HOLDFAST_EVERY_BIT=1` all eight of every byte are: that is
/// what `make test` does.
@Suite struct FlippedBitTests {
  /// Where one worker writes a changed file and opens it: in memory, where the system has such a place.
  private final class Bench: Sendable {
    let folder: String

    init(copying home: TemporaryHome) throws {
      let place =
        FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : FileManager.default.temporaryDirectory.path
      folder = place + "/holdfast-bits-\(UUID().uuidString)"
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      try Data(try home.bytes(of: "device.key")).write(to: URL(fileURLWithPath: folder + "/device.key"))
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// - Returns: what is wrong with the outcome; nil when all is well.
    func outcome(of bytes: [UInt8]) throws -> String? {
      unlink(folder + "/vault.db-wal")
      try Data(bytes).write(to: URL(fileURLWithPath: folder + "/vault.db"))
      do {
        let vault = try Vault.open(home: folder, with: Owner.token, now: 1, kinds: .tests)
        defer { vault.close() }
        let key = try vault.secret(kind: .identityKey, id: [1]).array()
        let setting = try vault.value(.setting, id: [2])
        return key == [7] && setting == [8] ? nil : "gives another key"
      } catch let error as VaultError { return Self.authenticationError("\(KeyStoreError(error))") } catch let error
        as KeyStoreError
      {
        return Self.authenticationError("\(error)")
      } catch { return "an unnamed fault" }
    }

    /// A changed file is never said to be a wrong PIN: the owner would look for another one, and lock the token.
    private static func authenticationError(_ error: String) -> String? { error.contains("authenticationFailed") ? error : nil }
  }

  @Test("No flipped bit in the vault file gives another key") func noFlippedBitOfTheFileGivesAnotherKey() throws {
    let home = TemporaryHome()
    let vault = try home.create()
    try vault.add(Owner.token)
    try vault.removeSlot(1, now: 6)
    try vault.transaction([.put(.identityKey, [1], try box([7]), .whenUnlocked), .put(.setting, [2], [8])])
    vault.close()
    // The smallest pages that hold the header whole: in the room between records a flipped bit is nothing.
    try home.edit { try $0.run("PRAGMA journal_mode = DELETE; PRAGMA page_size = 2048; VACUUM;") }
    let original = try home.bytes()
    #expect(original.count < 16_384, "a small one")
    let header = try place(ofHeaderIn: original, home)
    let isEveryBit = ProcessInfo.processInfo.environment["HOLDFAST_EVERY_BIT"] == "1"
    let tries = original.indices.flatMap { index in
      (isEveryBit || header.contains(index) ? Array(0..<8) : [index % 8]).map { (index, $0) }
    }
    let workers = max(1, ProcessInfo.processInfo.activeProcessorCount)
    let benches = try (0..<workers).map { _ in try Bench(copying: home) }
    #expect(try benches[0].outcome(of: original) == nil)
    let faults = Collected()
    DispatchQueue.concurrentPerform(iterations: workers) { worker in
      var bytes = original
      for number in stride(from: worker, to: tries.count, by: workers) {
        let (index, bit) = tries[number]
        bytes[index] ^= 1 << bit
        do {
          if let fault = try benches[worker].outcome(of: bytes) { faults.add("byte \(index), bit \(bit): \(fault)") }
        } catch { faults.add("byte \(index), bit \(bit): \(error)") }
        bytes[index] ^= 1 << bit
      }
    }
    #expect(tries.count > original.count + 7 * 1000)
    #expect(faults.all.isEmpty, "of \(tries.count)")
  }

  /// Two rows change places on their page: no look-up finds them any more, and all of them are still there to be counted. A record
  /// of what an app may not do would be gone so.
  @Test("Rows out of order in the vault file are detected") func rowsOutOfTheirOrderAreFound() throws {
    let home = TemporaryHome()
    let vault = try home.create()
    try vault.transaction((1...6).map { .put(.setting, [$0], [8]) })
    vault.close()
    var bytes = try home.bytes()
    let size = 4096
    // A leaf of an index, which is what the table of records is (SQLite file format, section 1.6), and the places of its cells.
    let page = try #require(Array(stride(from: size, to: bytes.count, by: size)).last { bytes[$0] == 0x0A && bytes[$0 + 4] > 4 })
    let cells = page + 8
    for offset in 0..<2 { bytes.swapAt(cells + 4 + offset, cells + 6 + offset) }
    try home.write(bytes)
    #expect(throws: VaultError.corrupt(what: "the vault file")) { try home.open() }
  }

  /// The bytes of `header.body` in the file.
  private func place(ofHeaderIn file: [UInt8], _ home: TemporaryHome) throws -> Range<Int> {
    var body: [UInt8] = []
    let database = try Database(path: home.file)
    let row = try database.prepare("SELECT body FROM header")
    #expect(try row.step())
    body = row.bytes(0)
    row.reset()
    let start = try #require(Data(file).firstRange(of: Data(body))?.lowerBound)
    return start..<start + body.count
  }
}

/// Texts of several threads.
private final class Collected: @unchecked Sendable {  // behind its lock
  private let lock = NSLock()
  private var texts: [String] = []
  func add(_ text: String) { lock.withLock { texts.append(text) } }
  var all: [String] { lock.withLock { texts } }
}
