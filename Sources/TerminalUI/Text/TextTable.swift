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
  public var text: String { text(of: Array(titles.indices), width: nil) }

  /// The table for a terminal: without columns in which no row has anything, and with the last column broken between words where
  /// the terminal ends, or below its row where hardly any room is left.
  /// - Parameter width: of the terminal, in columns; nil for no limit.
  public func text(within width: Int?) -> String {
    let filled = titles.indices.filter { column in rows.isEmpty || rows.contains { !$0[column].isEmpty } }
    return text(of: filled, width: width)
  }

  private func text(of columns: [Int], width: Int?) -> String {
    let lines = [titles] + rows
    let widths = columns.map { column in lines.map { columnWidth(of: $0[column]) }.max() ?? 0 }
    let start = widths.dropLast().reduce(0) { $0 + $1 + 2 }
    return lines.map { cells in
      var line = ""
      for (width, column) in zip(widths, columns).dropLast() {
        line += cells[column] + String(repeating: " ", count: width - columnWidth(of: cells[column]) + 2)
      }
      line += columns.last.map { Self.broken(cells[$0], from: start, within: width) } ?? ""
      return line.split(separator: "\n", omittingEmptySubsequences: false).map(Self.withoutSpacesAtTheEnd).joined(separator: "\n")
    }.joined(separator: "\n")
  }

  private static func withoutSpacesAtTheEnd(_ line: Substring) -> Substring {
    line.last == " " ? withoutSpacesAtTheEnd(line.dropLast()) : line
  }

  /// The narrowest last column that is broken under itself. What has less room goes below its row.
  private static let narrowest = 16
  /// How far it stands there from the edge.
  private static let indentation = 4

  private static func broken(_ cell: String, from start: Int, within width: Int?) -> String {
    guard let width, columnWidth(of: cell) > width - start else { return cell }
    let isBelow = width - start < narrowest
    let edge = isBelow ? indentation : start
    let lines = wrapped(cell, width: max(narrowest, width - edge))
    return ((isBelow ? [""] : []) + lines).joined(separator: "\n" + String(repeating: " ", count: edge))
  }
}
