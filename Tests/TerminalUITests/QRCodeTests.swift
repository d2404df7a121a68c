import Foundation
import QRCodes
import TestSupport
import Testing

@testable import TerminalUI

@Suite struct QRCodeTests {
  static let link =
    "bunker://79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798?relay=ws%3A%2F%2F127.0.0.1%3A24133%2Frelay&secret=0123456789abcdef"

  /// The code as a plain picture, 4 dots to a module.
  private static func picture(rows: Int, columns: Int, isDark: (Int, Int) -> Bool) -> String {
    let lines = (0..<rows * 4).map { y in (0..<columns * 4).map { x in isDark(y / 4, x / 4) ? "1" : "0" }.joined(separator: " ") }
    return "P1\n\(columns * 4) \(rows * 4)\n" + lines.joined(separator: "\n") + "\n"
  }

  @Test("A reader can read the QR code") func aReaderReadsTheModules() throws {
    let code = try QRCode(Self.link)
    let side = code.size + 8
    let picture = Self.picture(rows: side, columns: side) { code.isDark(row: $0 - 4, column: $1 - 4) }
    let result = try #require(
      try runInstalled("zbarimg", ["--nodbus", "-q", "--raw"], over: picture, name: "code.pbm"), "zbar-tools is missing")
    #expect(result.1 == Self.link + "\n")
  }

  @Test("A reader can read the QR code that the terminal shows", arguments: [true, false])
  func aReaderReadsWhatTheTerminalShows(colors: Bool) throws {
    let code = try QRCode(Self.link)
    let text = code.terminalText(colors: colors)
    #expect(text.contains("\u{1B}") == colors)
    let lines = text.replacingOccurrences(of: "\u{1B}[38;5;16;48;5;231m", with: "")
      .replacingOccurrences(of: "\u{1B}[0m", with: "").split(separator: "\n").map(Array.init)
    #expect(lines.allSatisfy { $0.count == code.columns })
    let picture = Self.picture(rows: lines.count * 2, columns: code.columns) { row, column in
      let block = lines[row / 2][column]
      let isInked = block == "█" || block == (row % 2 == 0 ? "▀" : "▄")
      return isInked == colors  // without colours the ink is light
    }
    let result = try #require(
      try runInstalled("zbarimg", ["--nodbus", "-q", "--raw"], over: picture, name: "code.pbm"), "zbar-tools is missing")
    #expect(result.1 == Self.link + "\n")
  }

  @Test("A reader can read the QR code as SVG") func aReaderReadsTheSVG() throws {
    let text = try Array(Self.link.utf8).withUnsafeBytes { try QRCode(bytes: $0) }.svg()
    #expect(try QRCode(Self.link).svgLength == text.utf8.count)
    let side = try QRCode(Self.link).size + 8
    #expect(text.hasPrefix("<svg ") && text.contains("viewBox=\"0 0 \(side) \(side)\""))
    var dark = Set<[Int]>()
    for run in text.matches(of: /M(\d+) (\d+)h(\d+)v1h-\d+z/) {
      let (column, row, width) = (Int(run.1) ?? 0, Int(run.2) ?? 0, Int(run.3) ?? 0)
      for column in column..<(column + width) { dark.insert([row, column]) }
    }
    let picture = Self.picture(rows: side, columns: side) { dark.contains([$0, $1]) }
    let result = try #require(
      try runInstalled("zbarimg", ["--nodbus", "-q", "--raw"], over: picture, name: "code.pbm"), "zbar-tools is missing")
    #expect(result.1 == Self.link + "\n")
  }

  @Test("A text that is too long for a QR code is refused") func refusesWhatNoCodeHolds() throws {
    #expect(throws: QRCodeError.textTooLong) { try QRCode(String(repeating: "a", count: 2400)) }
    #expect(try QRCode(String(repeating: "a", count: 2300)).size == 177)
  }
}
