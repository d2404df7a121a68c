import CommandLine
import QRCodes
import TerminalUI

/// Shows the link as a QR code if standard output is a terminal that is wide enough.
func showQRCode(_ link: String) {
  guard Terminal.isOutput, let code = try? QRCode(link) else { return }
  if Terminal.columns() < code.columns {
    Output.line("(To see the link as a QR code, widen the terminal to \(code.columns) columns.)")
  } else {
    Output.line(code.terminalText(colors: Terminal.hasColors))
  }
}
