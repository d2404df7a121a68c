/// The table in the vectors folder's README.md: a row for each file, with the number of its cases. Every test that reads a file takes the
/// count from here, so that another set of the same form runs through the same tests.
public struct VectorManifest: Sendable {
  /// A row: one file, or several of one folder.
  public struct Row: Sendable {
    /// As the table has it: `nip06/vectors.json`, `frost-zf/frost-ed25519/*.json`.
    public let pattern: String
    /// How many cases there are, in all files of the row together.
    public let count: Int

    /// A row of one's own, to see what it covers.
    public init(pattern: String, count: Int) { (self.pattern, self.count) = (pattern, count) }
  }

  /// In the table's order.
  public let rows: [Row]

  /// - Parameter readme: the text of README.md. Rows are those of the table whose heading has the columns `file` and `cases`.
  public init(readme: String) throws(VectorFault) {
    var (rows, columns): ([Row], (file: Int, cases: Int)?) = ([], nil)
    for line in readme.split(separator: "\n") where line.hasPrefix("|") {
      let cells = Self.cells(line)
      if let file = cells.firstIndex(of: "file"), let cases = cells.firstIndex(of: "cases") {
        columns = (file, cases)
      } else if let columns, cells.indices.contains(max(columns.file, columns.cases)), cells[columns.file].hasPrefix("`") {
        let pattern = cells[columns.file].filter { $0 != "`" }
        guard let count = Int(cells[columns.cases].prefix { $0.isNumber }) else {
          throw VectorFault(description: "the manifest has no number of cases for \(pattern)")
        }
        rows.append(Row(pattern: pattern, count: count))
      }
    }
    try Vectors.require(Set(rows.map(\.pattern)).count == rows.count, "a file stands twice in the manifest")
    self.rows = rows
  }

  /// The number of cases of one file.
  public func count(_ path: String) throws(VectorFault) -> Int {
    guard let row = rows.first(where: { $0.pattern == path }) else {
      throw VectorFault(description: "\(path) is not in the manifest")
    }
    return row.count
  }

  /// Cells are split at bars, but not at `\|`.
  private static func cells(_ line: Substring) -> [String] {
    line.split(separator: "\\|", omittingEmptySubsequences: false).joined(separator: "\u{0}")
      .split(separator: "|", omittingEmptySubsequences: false)
      .map { String($0.replacing("\u{0}", with: "|").trimmingPrefix { $0 == " " }).trimmed }
  }
}

extension String {
  fileprivate var trimmed: String { String(reversed().drop { $0 == " " }.reversed()) }
}

extension VectorManifest.Row {
  /// Whether the row is about this file. A star stands for any name in its folder.
  public func covers(_ path: String) -> Bool {
    guard let star = pattern.firstIndex(of: "*") else { return pattern == path }
    let (head, tail) = (pattern[..<star], pattern[pattern.index(after: star)...])
    guard path.count >= head.count + tail.count, path.hasPrefix(head), path.hasSuffix(tail) else { return false }
    return !path.dropFirst(head.count).dropLast(tail.count).contains("/")
  }
}

extension Vectors {
  /// The manifest of the folder.
  public static func manifest() throws -> VectorManifest { try VectorManifest(readme: try text("README.md")) }
}
