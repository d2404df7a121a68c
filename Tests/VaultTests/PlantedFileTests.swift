import Ciphers
import Foundation
import Platform
import SecretMemory
import TestSupport
import Testing

@testable import Vault

/// Files that somebody put into the vault's folder, or a vault file that somebody made: nothing is done for them before they are refused.
@Suite struct PlantedFileTests {
  private static let journalMagic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]

  private static func integer(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }

  /// An empty rollback journal that names another file as its super-journal. SQLite deletes that file after the rollback.
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
    try Salvage(
      of: home.path, with: PassphraseOpener(copying: secret("open sesame")), known: [], now: 2_000_000, kinds: .tests)
  }

  /// Expects that no way to open the file goes on with it.
  private static func expectRefused(_ home: TemporaryHome, _ words: String = "open sesame") throws {
    let before = try home.bytes()
    #expect(throws: VaultError.corrupt(what: "a file beside vault.db")) { _ = try home.open(words) }
    #expect(throws: KeyStoreError.corrupt("a file beside vault.db")) { _ = try salvage(home) }
    #expect(throws: VaultError.corrupt(what: "a file beside vault.db")) {
      _ = try Vault.examine(home: home.path, passphrase: secret(words), now: 1, kinds: .tests)
    }
    #expect(try home.bytes() == before)
  }

  @Test("A planted journal cannot delete the owner's files", arguments: ["open sesame", "wrong"]) func superJournal(
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
    "An invalid file in place of a journal or write-ahead log is refused", arguments: ["-journal", "-wal"],
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

  @Test("A journal longer than this vault could make is refused") func hugeJournal() throws {
    let home = TemporaryHome()
    try home.create().close()
    try home.write([], to: "vault.db-journal")
    #expect(truncate(home.file + "-journal", 1 << 40) == 0)
    try Self.expectRefused(home)
  }

  @Test("A journal beside a database of the maximum length does no harm") func longestFile() throws {
    let home = TemporaryHome()
    // A file system that takes such a file.
    #expect(mkdir(home.path, 0o700) == 0)
    guard mount("tmpfs", home.path, "tmpfs", 0, "size=32m,mode=700") == 0 else { return }
    defer { umount2(home.path, 2) }  // 2: MNT_DETACH
    try home.create().close()
    try home.write(Self.journalMagic, to: "vault.db-journal")
    try #require(truncate(home.file, .max) == 0)
    #expect(throws: VaultError.self) { _ = try home.open() }
  }

  @Test("A journal that lies where a new vault is made is not applied to it", arguments: ["-journal", "-wal"])
  func newVault(suffix: String) throws {
    let home = TemporaryHome()
    #expect(mkdir(home.path, 0o700) == 0)
    try home.write(Self.journalMagic, to: "vault.db" + suffix)
    #expect(throws: VaultError.corrupt(what: "a file beside vault.db")) { _ = try home.create() }
  }

  @Test("Reading the vault's device binding leaves no file beside it") func looking() throws {
    let home = TemporaryHome()
    try home.create().close()
    let files = home.files().sorted()
    #expect(try Vault.deviceMark(home: home.path) != nil)
    #expect(home.files().sorted() == files)
  }

  @Test("A valid journal left by a power cut is rolled back") func honestJournal() throws {
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

  // MARK: a file whose tables are others

  /// A new vault in whose file somebody ran these statements.
  private static func edited(_ statements: StaticString...) throws -> TemporaryHome {
    let home = TemporaryHome()
    try home.create().close()
    try home.edit { database in for statement in statements { try database.run(statement) } }
    return home
  }

  private static func expectForeign(_ home: TemporaryHome) throws {
    #expect(throws: VaultError.corrupt(what: "the vault file")) { _ = try home.open() }
    #expect(throws: KeyStoreError.corrupt("the vault file")) { _ = try salvage(home) }
  }

  @Test(
    "A database with foreign tables is refused before anything is read from it",
    arguments: [
      "CREATE TABLE other (one)", "CREATE INDEX other ON attempts (failures)", "CREATE VIEW other AS SELECT 1",
      "CREATE TRIGGER other AFTER UPDATE ON attempts BEGIN UPDATE attempts SET failures = 0; END",
    ] as [StaticString])
  func otherTables(sql: StaticString) throws {
    try Self.expectForeign(Self.edited(sql))
  }

  @Test("An attempts table that cannot count is refused") func uncountedAttempts() throws {
    let home = try Self.edited(
      "DROP TABLE attempts",
      """
      CREATE TABLE attempts (
        one INTEGER PRIMARY KEY CHECK (one = 1 OR one = 2), failures INTEGER NOT NULL UNIQUE ON CONFLICT IGNORE,
        failed_at INTEGER NOT NULL
      )
      """,
      "INSERT INTO attempts VALUES (1, 0, 0), (2, 1, 0)")
    for _ in 0..<9 { #expect(throws: VaultError.corrupt(what: "the vault file")) { _ = try home.open("wrong") } }
    try Self.expectForeign(home)
  }

  @Test("A vault file with a computed column is refused") func computedHeader() throws {
    try Self.expectForeign(
      Self.edited(
        "DROP TABLE header",
        """
        CREATE TABLE header (
          one INTEGER PRIMARY KEY, body BLOB GENERATED ALWAYS AS (zeroblob(9000000)) VIRTUAL, digest BLOB, mac BLOB
        )
        """,
        "INSERT INTO header (one, digest, mac) VALUES (1, zeroblob(32), zeroblob(32))"))
  }

  @Test("A value longer than any record is refused without allocating memory for it") func longValue() throws {
    let home = TemporaryHome()
    try home.create().close()
    let database = try Database(path: home.file)
    #expect(throws: VaultError.self) { try database.run("UPDATE header SET body = zeroblob(20000000)") }
  }

  // MARK: pages that are shared

  /// An interior page of the table of records, whose cells all lead to one page.
  private static func interior(_ child: UInt32, _ cell: [UInt8]) -> [UInt8] {
    var page = [UInt8](repeating: 0, count: 4096)
    let count = 70
    var offset = 4096
    for index in 0..<count {
      offset -= cell.count + 4
      page.replaceSubrange(offset..<offset + cell.count + 4, with: integer(child) + cell)
      page[12 + 2 * index] = UInt8(offset >> 8)
      page[13 + 2 * index] = UInt8(offset & 0xff)
    }
    page.replaceSubrange(0..<12, with: [2, 0, 0, 0, UInt8(count), UInt8(offset >> 8), UInt8(offset & 0xff), 0] + integer(child))
    return page
  }

  @Test("Pages that are referenced many times are read once") func sharedPages() throws {
    let home = TemporaryHome()
    try home.create().close()
    var bytes = try home.bytes()
    let (pages, root) = (UInt32(bytes.count / 4096), 3)
    // One row of an unknown kind: header of 7 bytes, kind 30000, a name of 32 bytes, the rest empty.
    let row: [UInt8] = [7, 2, 76, 9, 9, 12, 12, 0x75, 0x30] + [UInt8](repeating: 0x11, count: 32)
    let cell = [UInt8(row.count)] + row
    #expect([2, 10].contains(bytes[root * 4096]), "the root of the table of records")
    bytes.replaceSubrange(root * 4096..<(root + 1) * 4096, with: Self.interior(pages + 1, cell))
    for level in 1...2 { bytes += Self.interior(pages + UInt32(level) + 1, cell) }
    var leaf = [UInt8](repeating: 0, count: 4096)
    let offset = 4096 - cell.count
    leaf.replaceSubrange(offset..., with: cell)
    leaf.replaceSubrange(
      0..<10, with: [10, 0, 0, 0, 1, UInt8(offset >> 8), UInt8(offset & 0xff), 0, UInt8(offset >> 8), UInt8(offset & 0xff)])
    bytes += leaf
    bytes.replaceSubrange(28..<32, with: Self.integer(UInt32(bytes.count / 4096)))
    bytes.replaceSubrange(92..<96, with: Array(bytes[24..<28]))
    try home.write(bytes)
    let database = try Database(path: home.file)
    var scan = RowScan(database, .tests)
    #expect(scan.isCut)
    #expect(scan.unknown().count < 2)
  }

  @Test("A flood of rows of unknown kinds is not all loaded") func manyUnknownRows() throws {
    let home = TemporaryHome()
    try home.create().close()
    try home.edit {
      try $0.run(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO records SELECT 30000, randomblob(32), 1, 1, x'', x'' FROM n"
      )
    }
    var scan = RowScan(try Database(path: home.file), .tests)
    #expect(scan.unknown().count == RowScan.mostUnknown && scan.isCut)
  }

  // MARK: the revision

  @Test("A revision beyond the largest number is refused and does not wrap around") func lastRevision() throws {
    let home = TemporaryHome()
    let vault = try home.create()
    let mark = try #require(vault.mark)
    #expect(throws: VaultError.corrupt(what: "revision")) { try vault.raiseRevision(above: .max) }
    #expect(vault.mark == mark)
    vault.close()
    try home.open().close()
  }
}
