/// Rows in aligned columns, for people.
///
/// Cells are made printable here: a name that a stranger chose can neither move the cursor nor break the alignment.
public struct TextTable: Sendable {
  /// The widest a cell is shown, in columns; what is longer is cut, unless the column is `whole`.
  private static let widest = 40

  private let titles: [String]
  private let whole: Set<Int>
  private var rows: [[String]] = []

  /// - Parameter whole: columns, counted from 0, whose cells are never cut because they are for copying.
  public init(_ titles: [String], whole: Set<Int> = []) {
    self.titles = titles
    self.whole = whole
  }

  /// Adds a row; missing cells are empty, surplus cells are left out.
  public mutating func add(_ cells: [String]) {
    rows.append(
      titles.indices.map { column in
        guard column < cells.count else { return "" }
        let text = printable(cells[column])
        return whole.contains(column) ? text : fitted(text, width: Self.widest)
      })
  }

  /// The table with its title line; only the title line when there are no rows. No line ends in spaces.
  public var text: String {
    let lines = [titles] + rows
    let widths = titles.indices.map { column in lines.map { columnWidth(of: $0[column]) }.max() ?? 0 }
    return lines.map { cells in
      var line = ""
      for (column, cell) in cells.enumerated() {
        line += cell + String(repeating: " ", count: widths[column] - columnWidth(of: cell) + 2)
      }
      while line.last == " " { line.removeLast() }
      return line
    }.joined(separator: "\n")
  }
}
