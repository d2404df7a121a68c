import Foundation
import TestVectors
import Testing

@Suite("Manifest of the test vectors")
struct ManifestTests {
  private static let table = """
    | file | standard | cases | format |
    |---|---|---|---|
    | `a/one.json` | A \\| B | 12 | JSON {a\\|b} |
    | `b/*.json` | B | 6 | 2 files |
    | `c/words.txt` | C | 2048 words | one a line |
    """

  @Test("The manifest's counts are read even when other cells contain bars") func counts() throws {
    let manifest = try VectorManifest(readme: Self.table)
    #expect(manifest.rows.map(\.pattern) == ["a/one.json", "b/*.json", "c/words.txt"])
    #expect(manifest.rows.map(\.count) == [12, 6, 2048])
    #expect(try manifest.count("a/one.json") == 12)
    #expect(throws: VectorFault.self) { try manifest.count("a/two.json") }
  }

  @Test("A row without a number, or a repeated row, is an error") func faults() {
    #expect(throws: VectorFault.self) { try VectorManifest(readme: Self.table.replacing("| 12 |", with: "| many |")) }
    #expect(throws: VectorFault.self) { try VectorManifest(readme: Self.table + "\n| `a/one.json` | A | 12 | |") }
  }

  @Test(
    "A star in the manifest stands for any name in its folder",
    arguments: [
      ("b/x.json", true), ("b/.json", true), ("b/x.txt", false), ("b/c/x.json", false), ("a/x.json", false), ("b/json", false),
    ])
  func star(path: String, isCovered: Bool) throws {
    let row = try VectorManifest(readme: Self.table).rows[1]
    #expect(row.covers(path) == isCovered)
  }
}

@Suite("Folder of the test vectors", .vectors("the manifest"))
struct FolderTests {
  @Test("Every file is in the manifest once, and every row has its files") func files() throws {
    let rows = try Vectors.manifest().rows
    let files = try Self.files()
    for file in files { #expect(rows.filter { $0.covers(file) }.count == 1, "\(file)") }
    for row in rows { #expect(files.contains { row.covers($0) }, "\(row.pattern)") }
  }

  @Test("Each file has as many cases as the manifest says", arguments: VectorLists.all.keys.sorted())
  func listsAreCounted(path: String) throws {
    for list in try #require(VectorLists.all[path]) {
      #expect(throws: Never.self) { try Vectors.cases(path, list, as: Any.self) }
    }
  }

  @Test("Every case is read by a test, or Tests/README.md says why not") func allIsReadOrNamed() throws {
    let (named, sources) = (try Self.named(), try Self.sources())
    for file in try Self.files() {
      let isNamed = named.contains { row($0[...]).covers(file) }
      let isRead = sources.contains("\"\(file)\"")
      #expect(isNamed != isRead, "\(file): \(isNamed ? "is read, and named as not read" : "is neither read nor named")")
      for list in VectorLists.all[file] ?? [] where isRead {
        let isListNamed = named.contains("\(file) \(list)")
        let isListRead = sources.contains("\"\(file)\", \"\(list)\"")
        #expect(isListNamed != isListRead, "\(file), \(list): \(isListNamed ? "is read, and named as not read" : "is neither")")
      }
    }
    for name in named {
      let path = name.prefix { $0 != " " }
      #expect(try Self.files().contains { row(path).covers($0) }, "Tests/README.md names what is not there: \(name)")
    }
  }

  private func row(_ pattern: Substring) -> VectorManifest.Row { .init(pattern: String(pattern), count: 0) }

  /// The first cells of the table in Tests/README.md: `file`, `folder/*.json`, or `file` `list`.
  private static func named() throws -> [String] {
    let text = try String(contentsOf: tests.appendingPathComponent("README.md"), encoding: .utf8)
    return text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
      line.dropFirst(2).prefix { $0 != "|" }.filter { $0 != "`" }.split(separator: " ").joined(separator: " ")
    }
  }

  private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

  /// All files of the folder but its README.md, named from the folder.
  private static func files() throws -> [String] {
    let folder = try #require(Vectors.folder)
    let all = try #require(FileManager.default.enumerator(atPath: folder)).compactMap { $0 as? String }
    return all.sorted().filter { path in
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: "\(folder)/\(path)", isDirectory: &isFolder) && !isFolder.boolValue
        && path != "README.md" && !path.hasPrefix(".")
    }
  }

  /// The text of all Swift tests, without this helper.
  private static func sources() throws -> String {
    let all = try #require(FileManager.default.enumerator(atPath: tests.path)).compactMap { $0 as? String }
    return try all.filter { $0.hasSuffix(".swift") && !$0.hasPrefix("TestVectors") }.map {
      try String(contentsOf: tests.appendingPathComponent($0), encoding: .utf8)
    }.joined(separator: "\n")
  }
}
