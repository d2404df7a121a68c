import QRCodes
import Testing

@testable import CommandLine
@testable import HoldfastCommands
@testable import TerminalUI

@Suite struct PlainHelpTests {
  @Test("The help suggests what was probably meant, and names values once") func helpSuggests() {
    #expect(HelpCommand.meant(["passphrase"]) == "slot passphrase")
    #expect(HelpCommand.meant(["client", "alow"]) == "client allow" && HelpCommand.meant(["clinet", "alow"]) == "client allow")
    #expect(HelpCommand.meant(["opning"]) == "opening" && HelpCommand.meant(["nothing-like-it", "x"]) == nil)
    let trust = HelpText.text(for: ["pair"], in: .holdfast) ?? ""
    #expect(trust.contains("full asks only") && !trust.contains("[full|medium|low]"))
    #expect(HelpText.text(for: ["log", "show"], in: .holdfast)?.contains("[allow|ask|deny]") == true)
  }

  @Test("A QR code that a terminal would cut off is not shown; the needed size is named") func aCodeThatDoesNotFit() throws {
    let code = try QRCode("bunker://" + String(repeating: "a", count: 64))
    let rows = (code.columns + 1) / 2
    #expect(QRCodeOutput.remark(code, nil, isWanted: true) == nil)
    #expect(QRCodeOutput.remark(code, (code.columns, rows), isWanted: true) == nil)
    #expect(QRCodeOutput.remark(code, (code.columns, rows), isWanted: false) == "--qr shows a QR code.")
    #expect(
      QRCodeOutput.remark(code, (20, 10), isWanted: true)
        == "The QR code needs a terminal with \(code.columns) columns and \(rows) lines; this one has 20 and 10.")
  }
}
