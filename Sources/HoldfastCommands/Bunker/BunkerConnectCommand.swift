import CommandLine
import LocalAccess
import SecretMemory
import Signer
import TerminalUI

/// `holdfast bunker connect`
enum BunkerConnectCommand: ProgramCommand {
  static let place = Command(
    "connect", "Carry NIP-46 messages between the program that starts this and the signer",
    discussion: """
      For an app that speaks NIP-46 (remote signing) and runs on this machine: it starts this command, writes one request a line, and \
      reads one answer a line, without relay, envelope or link. The signer knows the app by its file, and asks you at its first use.
      """,
    examples: [
      Example(
        #"echo '{"id":"1","method":"connect","params":[""]}' | holdfast bunker connect"#,
        "the shell asks to be let in, and gets \"ack\"")
    ])

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    let home = home(line)
    // Holds no secret, and must show the signer its file.
    ProcessHardening.showProgram()
    let pipe: AppSocketPipe
    do throws(AppSocketPipe.Fault) { pipe = try AppSocketPipe(home: home.path) } catch { throw CommandError(error) }
    switch pipe.run(from: 0, to: 1) {
    case .finished: return .done
    case .signerLeft:
      throw CommandError(.failed, "The signer ended the connection.", hint: "If it was stopped, start it again: holdfast up")
    }
  }
}

extension CommandError {
  fileprivate init(_ fault: AppSocketPipe.Fault) {
    switch fault {
    case .notRunning: self.init(.failed, "No signer runs on this home.", hint: "Start it: holdfast up")
    case .refused(let sentence): self.init(.denied, sentence)
    }
  }
}

extension Noun {
  static let bunker = Noun("bunker", "Remote signing (NIP-46) for apps on this machine", commands: [BunkerConnectCommand.self])
}
