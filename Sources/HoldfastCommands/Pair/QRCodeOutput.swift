import CommandLine
import QRCodes
import TerminalUI

/// How a link is shown as a QR code.
enum QRCodeOutput {
  /// Whenever it is wanted, unless a terminal would cut it off.
  static let option = CommandOption.flag("qr", "Show the link's QR code, also in a file or where it leaves room for little else")

  /// Shows a link as a QR code: on a terminal where it fits beside a few lines of text, or because `--qr` asks for it.
  /// - Parameter isThisMachineOnly: whether no camera can make use of it.
  static func show(_ link: String, isThisMachineOnly: Bool, _ line: Invocation) {
    guard line.has("qr") || (Terminal.isOutput && !isThisMachineOnly), let code = try? QRCode(link) else { return }
    let size = Terminal.isOutput ? (columns: Terminal.columns(), rows: Terminal.rows()) : nil
    if let remark = remark(code, size, isWanted: line.has("qr")) {
      Output.line(remark)
    } else {
      Output.plain(code.terminalText(colors: Terminal.hasColors) + "\n")
    }
  }

  /// What is said in the place of a code that does not fit; nil if it is shown. A code that is cut off is read by no camera.
  /// - Parameter size: of the terminal; nil for a file.
  static func remark(_ code: QRCode, _ size: (columns: Int, rows: Int)?, isWanted: Bool) -> String? {
    guard let size else { return nil }
    let rows = (code.columns + 1) / 2
    guard size.columns < code.columns || size.rows < rows + (isWanted ? 0 : linesBeside) else { return nil }
    guard size.columns < code.columns || size.rows < rows else { return "--qr shows a QR code." }
    return
      "The QR code needs a terminal with \(code.columns) columns and \(rows) lines; this one has \(size.columns) and \(size.rows)."
  }

  /// Lines of text that should stay in sight beside the code.
  private static let linesBeside = 6
}
