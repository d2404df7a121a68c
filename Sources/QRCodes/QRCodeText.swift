extension QRCode {
  /// Light modules around the code that readers need.
  private static let quietZone = 4

  /// Columns that the terminal form takes.
  public var columns: Int { size + 2 * Self.quietZone }

  /// The code in half blocks, two modules to a character.
  ///
  /// - Parameter colors: with colours, dark is black and light is white whatever the terminal's own colours are. Without, light
  ///   modules are drawn in the text's colour, which is right on a dark background; most readers take the reverse as well.
  public func terminalText(colors: Bool) -> String {
    let side = -Self.quietZone..<(size + Self.quietZone)
    return stride(from: side.lowerBound, to: side.upperBound, by: 2).map { row in
      var line = colors ? "\u{1B}[38;5;16;48;5;231m" : ""
      for column in side {
        let isLastRow = row + 1 >= side.upperBound
        let upper = isDark(row: row, column: column)
        // Below the last row there is nothing of ours: paint it like the quiet zone.
        let lower = !isLastRow && isDark(row: row + 1, column: column)
        line += colors ? Self.block(upper, lower) : Self.block(!upper, !lower)
      }
      return line + (colors ? "\u{1B}[0m" : "")
    }.joined(separator: "\n")
  }

  private static func block(_ upper: Bool, _ lower: Bool) -> String {
    switch (upper, lower) {
    case (true, true): "█"
    case (true, false): "▀"
    case (false, true): "▄"
    case (false, false): " "
    }
  }
}
