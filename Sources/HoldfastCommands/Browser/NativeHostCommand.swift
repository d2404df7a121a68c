import BrowserHost
import CommandLine
import Platform
import SecretMemory
import Signer
import TerminalUI

/// `holdfast native-host`
enum NativeHostCommand: ProgramCommand {
  static let place = Command(
    "native-host", "Carry requests of the browser's extension to the signer; a browser starts this",
    discussion: """
      A browser starts it for Holdfast's extension, by the file that 'holdfast extension install' writes, and exchanges \
      messages with it over its standard streams. It holds no key and keeps nothing. The browser's arguments say which extension \
      it is; any other one than Holdfast's is refused.
      """,
    arguments: [Argument("browser", "What the browser says about its extension", required: false, repeats: true)],
    options: [TrialsVault.option],
    shared: [SharedOptions.home, SharedOptions.json, .help])

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    guard let id = HoldfastExtension.id(in: line.arguments("browser")) else {
      throw CommandError(
        .usage, "Only a browser starts this, for Holdfast's extension.", hint: "To install it: holdfast extension install")
    }
    // The signer must see which program this is, and which one started it. There is no secret in this process.
    ProcessHardening.showProgram()
    let host = BrowserHost(
      home: { TrialsVault.home(line).path }, extensionID: id, input: STDIN_FILENO, output: STDOUT_FILENO)
    do { try host.run() } catch { throw CommandError(.failed, "The browser sent something that is no message.") }
    return .done
  }
}
