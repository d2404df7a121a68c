import Ciphers
import Foundation
import SecretMemory
import Testing

@testable import Vault

/// Files that somebody put into the vault's folder, or a vault file that somebody made: nothing is done for them before they are refused.
@Suite struct PlantedFileTests {
  private static let journalMagic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]

  private static func integer(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }

  /// A rollback journal of no pages that names a super-journal, which SQLite deletes when it has rolled back.
  private static func journal(naming path: String, pages: UInt32) -> [UInt8] {
    var bytes = journalMagic
    for value in [0, 1, pages, 512, 4096] as [UInt32] { bytes += integer(value) }
    bytes += [UInt8](repeating: 0, count: 512 - bytes.count)
    let name = Array(path.utf8)
    let sum = name.reduce(UInt32(0)) { $0 &+ UInt32(bitPattern: Int32(Int8(bitPattern: $1))) }
    bytes += integer(0x4000_0000 / 4096 + 1) + name + integer(UInt32(name.count)) + integer(sum) + journalMagic
    return bytes
  }

  private static func salvage(_ home: TemporaryHome) throws -> Salvage {
    try Salvage(of: home.path, with: PassphraseOpener(copying: passphrase("open sesame")), known: [], now: 2_000_000)
  }

  /// Expects that no way to open the file goes on with it.
  private static func expectRefused(_ home: TemporaryHome, _ words: String = "open sesame") throws {
    let before = try home.bytes()
    #expect(throws: VaultError.corrupt(what: "a file beside vault.db")) { _ = try home.open(words) }
    #expect(throws: KeyStoreError.corrupt("a file beside vault.db")) { _ = try salvage(home) }
    #expect(throws: VaultError.corrupt(what: "a file beside vault.db")) {
      _ = try Vault.examine(home: home.path, passphrase: passphrase(words), now: 1)
    }
    #expect(try home.bytes() == before)
  }

  @Test("A planted journal deletes no file of the owner's", arguments: ["open sesame", "wrong"]) func superJournal(
    words: String
  ) throws {
    let home = TemporaryHome()
    try home.create().close()
    let other = home.path + "/elsewhere"
    try Data("a file of the owner".utf8).write(to: URL(fileURLWithPath: other))
    try home.write(Self.journal(naming: other, pages: UInt32(try home.bytes().count / 4096)), to: "vault.db-journal")
    try Self.expectRefused(home, words)
    #expect(FileManager.default.fileExists(atPath: other))
    try FileManager.default.removeItem(atPath: home.path + "/vault.db-journal")
    try home.open().close()
  }

  enum Planted: CaseIterable { case link, danglingLink, hardLink, pipe, folder }

  @Test(
    "What lies where a journal or write-ahead log would be, and is none, is refused", arguments: ["-journal", "-wal"],
    Planted.allCases)
  func otherFile(suffix: String, planted: Planted) throws {
    let home = TemporaryHome()
    try home.create().close()
    let (path, other) = (home.file + suffix, home.path + "/elsewhere")
    let text = Data("a file of the owner".utf8)
    try text.write(to: URL(fileURLWithPath: other))
    switch planted {
    case .link: #expect(symlink(other, path) == 0)
    case .danglingLink: #expect(symlink(other + ".missing", path) == 0)
    case .hardLink: #expect(link(other, path) == 0)
    case .pipe: #expect(mkfifo(path, 0o600) == 0)
    case .folder: #expect(mkdir(path, 0o700) == 0)
    }
    try Self.expectRefused(home)
    #expect(try Data(contentsOf: URL(fileURLWithPath: other)) == text)
    #expect(!FileManager.default.fileExists(atPath: other + ".missing"))
  }

  @Test("A journal that is longer than any of this vault is refused") func hugeJournal() throws {
    let home = TemporaryHome()
    try home.create().close()
    try home.write([], to: "vault.db-journal")
    #expect(truncate(home.file + "-journal", 1 << 40) == 0)
    try Self.expectRefused(home)
  }

  @Test("A journal that lies where a new vault would be made is not applied to it", arguments: ["-journal", "-wal"])
  func newVault(suffix: String) throws {
    let home = TemporaryHome()
    #expect(mkdir(home.path, 0o700) == 0)
    try home.write(Self.journalMagic, to: "vault.db" + suffix)
    #expect(throws: VaultError.corrupt(what: "the vault file")) { _ = try home.create() }
  }

  @Test("An honest journal that a power cut left is rolled back") func honestJournal() throws {
    let home = TemporaryHome()
    try home.create().close()
    let before = try home.bytes()
    let page = Array(before[4096..<8192])
    var journal = Self.journalMagic
    for value in [1, 1, UInt32(before.count / 4096), 512, 4096] as [UInt32] { journal += Self.integer(value) }
    journal += [UInt8](repeating: 0, count: 512 - journal.count)
    let sum = stride(from: 4096 - 200, to: 0, by: -200).reduce(UInt32(1)) { $0 &+ UInt32(page[$1]) }
    journal += Self.integer(2) + page + Self.integer(sum)
    var torn = before
    for index in 4096..<8192 { torn[index] = 0xa5 }
    try home.write(torn)
    try home.write(journal, to: "vault.db-journal")
    for _ in 0..<2 { try home.open().close() }
  }

  // MARK: the revision

  @Test("A revision beyond the last number is refused, and does not begin anew") func lastRevision() throws {
    let home = TemporaryHome()
    let vault = try home.create()
    let mark = try #require(vault.mark)
    #expect(throws: VaultError.corrupt(what: "revision")) { try vault.raiseRevision(above: .max) }
    #expect(vault.mark == mark)
    vault.close()
    try home.open().close()
  }
}
