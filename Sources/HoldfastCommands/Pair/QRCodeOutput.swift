import CommandLine
import QRCodes
import TerminalUI

/// How a link is shown as a QR code.
enum QRCodeOutput {
  /// Whenever it is wanted, whether it fits or not.
  static let option = CommandOption.flag("qr", "Show the link's QR code even if the terminal is too small for it")

  /// Shows a link as a QR code: on a terminal where it fits beside a few lines of text, or because `--qr` asks for it.
  /// - Parameter isThisMachineOnly: whether no camera can make use of it.
  static func show(_ link: String, isThisMachineOnly: Bool, _ line: Invocation) {
    guard line.has("qr") || (Terminal.isOutput && !isThisMachineOnly), let code = try? QRCode(link) else { return }
    let fits = Terminal.columns() >= code.columns && Terminal.rows() >= code.columns / 2 + linesBeside
    let isShown = line.has("qr") || fits
    let text = isShown ? code.terminalText(colors: Terminal.hasColors) : "--qr shows a QR code."
    Output.plain(text + "\n")
  }

  /// Lines of text that should stay in sight beside the code.
  private static let linesBeside = 6
}
