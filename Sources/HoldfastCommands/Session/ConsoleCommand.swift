import CommandLine
import OwnerAPI
import ResponseTexts
import TerminalUI

/// `holdfast console`
enum ConsoleCommand: OwnerCommand {
  typealias Operation = ConsoleLink

  static let place = Command(
    "console", "Print a link that opens the console (--open opens it)",
    discussion: """
      Prints a link that signs in once, within ten minutes, and on a terminal its QR code. The signer must run. After you sign \
      in, add a passkey: then the browser signs in without a link.
      """,
    options: [.flag("open", "Open the link in this desktop's browser")],
    examples: [
      Example("holdfast console", "print a sign-in link"), Example("holdfast console --open", "open the console"),
    ])

  /// With `--open`, the link is an argument of `xdg-open` for a moment, and every user of the machine can read the arguments of programs.
  static func request(_ line: Invocation, _ now: Int64) -> ConsoleLink.Request {
    var request = ConsoleLink.Request()
    request.isForThisUser = line.has("open")
    return request
  }

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    let result = try performWhole(ConsoleLink.call(try asked(line)), line)
    if line.has("open") { try openInBrowser(try ConsoleLink.answer(result).url) }
    return try show(result, line)
  }

  static func text(_ answer: ConsoleLink.Response, _ reader: Reader) -> String {
    let time = moment(answer.expires)
    guard answer.isForThisUser == nil else {
      return """
        \(shown(answer.url, limit: 1024))

        This link is open in your browser. It signs you in once, until \(time), and only in a browser of yours on this machine.
        """
    }
    return """
      \(shown(answer.url, limit: 1024))

      Open this link in a browser on this machine. It signs you in once, until \(time). Anybody with the link can sign in: \
      do not share it.
      """
  }
}
