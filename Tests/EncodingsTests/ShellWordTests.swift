import Encodings
import Foundation
import Testing

@Suite struct ShellWordTests {
  private static let texts = ["", "plain/a-b_c.d", "two words", "it's", "''", "$(id)`id`;\"\\", "ä\n*?~#", "-x"]

  @Test("A shell reads a quoted text back unchanged", arguments: texts) func readBack(text: String) throws {
    for word in [ShellWord.quoted(text), ShellWord.plainOrQuoted(text)] {
      let (shell, output) = (Process(), Pipe())
      shell.executableURL = URL(fileURLWithPath: "/bin/sh")
      shell.arguments = ["-c", "printf '%s' " + word]
      shell.standardOutput = output
      try shell.run()
      let read = output.fileHandleForReading.readDataToEndOfFile()
      shell.waitUntilExit()
      #expect(String(decoding: read, as: UTF8.self) == text, "\(word)")
    }
  }

  @Test("A plain path is not quoted") func plain() {
    #expect(ShellWord.plainOrQuoted("/home/me/.holdfast-2") == "/home/me/.holdfast-2")
    #expect(ShellWord.plainOrQuoted("~/vault") == "'~/vault'")
  }
}
