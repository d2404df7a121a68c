import CommandLine
import QRCodes
import TerminalUI

/// Shows the link as a QR code if standard output is a terminal that is wide enough.
func showQRCode(_ link: String) {
  guard Terminal.isOutput, let code = try? QRCode(link) else { return }
  if Terminal.columns() < code.columns {
    Output.line("(Widen the terminal to \(code.columns) columns to see the link as a QR code.)")
  } else {
    Output.line(code.terminalText(colors: Terminal.hasColors))
  }
}
