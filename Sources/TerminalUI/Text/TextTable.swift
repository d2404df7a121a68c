import Encodings

/// Rows in aligned columns, for people.
///
/// Cells are made printable here: a name that a stranger chose can neither move the cursor nor break the alignment.
///
/// On a terminal that is too narrow, columns that the reader can do without are left out, then keys are shortened in their middle, then
/// a cell of a `wide` column takes the rest of its line if the cells behind it are empty, then the widest cells are cut. What is written to
/// a file or another program is never made narrower.
public struct TextTable: Sendable {
  /// The widest a cell is shown, in columns; what is longer is cut, unless the column is `whole`, or is the last one or `wide` and the
  /// terminal has room for it.
  private static let widest = 40
  /// The narrowest a column is made on a small terminal.
  private static let narrowest = 12

  private enum Line {
    case row([String])
    case heading(String)
    case note(String)

    var cells: [String]? { if case .row(let cells) = self { cells } else { nil } }
  }

  private let titles: [String]
  private let whole: Set<Int>
  private let keys: Set<Int>
  private let paths: Set<Int>
  private let wide: Set<Int>
  private let spare: [Int]
  private let faint: Set<Int>
  private var lines: [Line] = []
  /// Whether cells of `wide` columns run on where nothing stands behind them.
  private var letsCellsRunOn = false

  /// - Parameters:
  ///   - whole: columns, counted from 0, whose cells are never cut because they are for copying.
  ///   - keys: columns of keys, which are whole unless a terminal is too narrow for the table.
  ///   - paths: columns of files, which are cut at their front: the file's own name is at the end.
  ///   - wide: columns that take whatever room there is, as the last one does.
  ///   - spare: columns that a narrow terminal does without, the first one first.
  ///   - faint: columns that matter less than the others, such as ids.
  public init(
    _ titles: [String], whole: Set<Int> = [], keys: Set<Int> = [], paths: Set<Int> = [], wide: Set<Int> = [], spare: [Int] = [],
    faint: Set<Int> = []
  ) {
    (self.titles, self.whole, self.keys, self.paths) = (titles, whole, keys, paths)
    (self.wide, self.spare, self.faint) = (wide, spare, faint)
  }

  /// Adds a row; missing cells are empty, surplus cells are left out.
  public mutating func add(_ cells: [String]) {
    lines.append(
      .row(
        titles.indices.map { column in
          guard column < cells.count else { return "" }
          // An app's name may be a command.
          let text = printableWords(cells[column]).withoutCommands()
          let isLong = whole.contains(column) || keys.contains(column) || wide.contains(column) || column == titles.count - 1
          return isLong ? text : cut(text, in: column, to: Self.widest)
        }))
  }

  private func cut(_ text: String, in column: Int, to width: Int) -> String {
    paths.contains(column) ? fittedAtFront(text, width: width) : fitted(text, width: width)
  }

  /// Adds a line that belongs to no column, such as the day of the rows below it.
  public mutating func addHeading(_ text: String) { lines.append(.heading(printable(text))) }

  /// Adds what belongs to the row above and fits none of its columns. It stands below that row, broken between words.
  public mutating func addNote(_ text: String) { lines.append(.note(printableWords(text).withoutCommands())) }

  /// The table with its title line; only the title line when there are no rows. No line ends in spaces.
  ///
  /// On a terminal, columns in which no row has anything are left out. The last column is broken between words where the terminal ends,
  /// or goes below its row where hardly any room is left.
  /// - Parameters:
  ///   - width: of the terminal, in columns; nil for no terminal.
  ///   - colors: whether titles and headings are bold.
  public func text(within width: Int?, colors: Bool = false) -> String {
    let text = laidOut(within: width)
    return colors ? text : unstyled(text)
  }

  /// The titles of columns that have something in them, and that the terminal is too narrow for.
  /// - Parameter width: as for `text`.
  public func leftOut(within width: Int?) -> [String] {
    guard let width else { return [] }
    var table = self
    let columns = table.narrow(filled, to: width)
    return table.isBlocks(columns, width) ? [] : filled.filter { !columns.contains($0) }.map { titles[$0] }
  }

  /// The columns in which some row has something.
  private var filled: [Int] {
    let rows = lines.compactMap(\.cells)
    return titles.indices.filter { column in rows.isEmpty || rows.contains { !$0[column].isEmpty } }
  }

  private func laidOut(within width: Int?) -> String {
    guard let width else { return text(of: Array(titles.indices), width: nil) }
    var table = self
    let columns = table.narrow(filled, to: width)
    return table.isBlocks(columns, width) ? blocks(width) : table.text(of: columns, width: width)
  }

  /// Whether not even the columns before the last one fit side by side.
  private func isBlocks(_ columns: [Int], _ width: Int) -> Bool {
    widths(columns).dropLast().reduce(-2) { $0 + $1 + 2 } > width && lines.contains { $0.cells != nil }
  }

  /// Each row as its first cell, and the others below it, one a line with its title.
  private func blocks(_ width: Int) -> String {
    let edge = (titles.dropFirst().map { columnWidth(of: $0) }.max() ?? 0) + 4
    return lines.map { line in
      guard let cells = line.cells else { return Self.outside(line, width) }
      let others = titles.indices.dropFirst().filter { !cells[$0].isEmpty }.map { column in
        let title = titles[column]
        let label = "  " + title + String(repeating: " ", count: edge - 2 - columnWidth(of: title))
        return label
          + wrapped(cells[column], width: max(Self.narrowest, width - edge), cutsWords: !whole.contains(column))
          .joined(separator: "\n" + String(repeating: " ", count: edge))
      }
      return ([cells.first ?? ""] + others).joined(separator: "\n")
    }.joined(separator: "\n")
  }

  // MARK: widths

  private func widths(_ columns: [Int]) -> [Int] {
    let rows = lines.compactMap(\.cells)
    return columns.map { column in
      rows.filter { !runsOn($0, column, columns) }.reduce(columnWidth(of: titles[column])) {
        max($0, columnWidth(of: $1[column]))
      }
    }
  }

  /// Whether a cell takes the rest of its line.
  private func runsOn(_ cells: [String], _ column: Int, _ columns: [Int]) -> Bool {
    letsCellsRunOn && wide.contains(column) && columns.lazy.filter { $0 > column }.allSatisfy { cells[$0].isEmpty }
  }

  /// - Returns: the columns that are left.
  private mutating func narrow(_ columns: [Int], to width: Int) -> [Int] {
    var columns = columns
    func excess() -> Int { widths(columns).reduce(-2) { $0 + $1 + 2 } - width }
    // The last column, if it is whole, is broken between words instead, or goes below its row. A name of one word, such as a file's, is not.
    let isBroken =
      columns.last.map { last in whole.contains(last) && lines.contains { $0.cells?[last].contains(" ") == true } } ?? false
    let titleWidth = columns.last.map { columnWidth(of: titles[$0]) } ?? 0
    func isTooWide() -> Bool { excess() > (isBroken ? widths(columns).last.map { max(0, $0 - titleWidth) } ?? 0 : 0) }
    for column in spare where isTooWide() { columns.removeAll { $0 == column } }
    if isTooWide() { for column in keys { change(column, columns, shortenedKey) } }
    letsCellsRunOn = isTooWide()
    while isTooWide() {
      let cuttable = zip(columns, widths(columns)).filter {
        !whole.contains($0.0) && !keys.contains($0.0) && $0.1 > Self.narrowest
      }
      guard let (column, columnWidth) = cuttable.max(by: { $0.1 < $1.1 }) else { break }
      change(column, columns) { [table = self] in table.cut($0, in: column, to: columnWidth - 1) }
    }
    return columns
  }

  private mutating func change(_ column: Int, _ columns: [Int], _ change: (String) -> String) {
    lines = lines.map { [table = self] line in
      guard case .row(var cells) = line, !table.runsOn(cells, column, columns) else { return line }
      cells[column] = change(cells[column])
      return .row(cells)
    }
  }

  // MARK: lines

  private func text(of columns: [Int], width: Int?) -> String {
    let widths = widths(columns)
    return ([.row(titles)] + lines).enumerated().map { number, line in
      guard let cells = line.cells else { return Self.outside(line, width) }
      let last = columns.first { number > 0 && runsOn(cells, $0, columns) } ?? columns.last
      var (line, start) = ("", 0)
      for (width, column) in zip(widths, columns).prefix(while: { $0.1 != last }) {
        line +=
          styled(cells[column], number == 0 ? .bold : .faint, if: number == 0 || faint.contains(column))
          + String(repeating: " ", count: width - columnWidth(of: cells[column]) + 2)
        start += width + 2
      }
      line += styled(last.map { Self.broken(cells[$0], from: start, within: width) } ?? "", .bold, if: number == 0)
      return line.split(separator: "\n", omittingEmptySubsequences: false).map(Self.withoutSpacesAtTheEnd).joined(separator: "\n")
    }.joined(separator: "\n")
  }

  /// A line that is no row.
  private static func outside(_ line: Line, _ width: Int?) -> String {
    switch line {
    case .row: ""
    case .heading(let text): styled(text, .bold)
    case .note(let text):
      "    " + wrapped(text, width: width.map { max(narrowest, $0 - 4) } ?? .max, cutsWords: true).joined(separator: "\n    ")
    }
  }

  private static func withoutSpacesAtTheEnd(_ line: Substring) -> Substring {
    line.last == " " ? withoutSpacesAtTheEnd(line.dropLast()) : line
  }

  /// The narrowest last column that is broken under itself. What has less room goes below its row.
  private static let narrowestBroken = 30
  /// How far it stands there from the edge.
  private static let indentation = 4

  private static func broken(_ cell: String, from start: Int, within width: Int?) -> String {
    guard let width, columnWidth(of: cell) > width - start else { return cell }
    let isBelow = width - start < narrowestBroken
    let edge = isBelow ? indentation : start
    let lines = wrapped(cell, width: max(narrowestBroken, width - edge), cutsWords: true)
    return ((isBelow ? [""] : []) + lines).joined(separator: "\n" + String(repeating: " ", count: edge))
  }
}

/// A key's beginning and end, enough to tell it from another: `npub1adat9j2…qyf0a3q`.
public func shortenedKey(_ key: String) -> String {
  key.count <= 24 ? key : key.prefix(12) + "…" + key.suffix(7)
}
