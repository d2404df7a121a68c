import CommandLine
import OwnerAPI
import Platform
import ResponseTexts
import TerminalUI

/// `holdfast guardian add`
enum GuardianAddCommand: OwnerCommand {
  typealias Operation = GuardianAdd

  static let place = Command(
    "add", "Give a share to a guardian",
    arguments: [GuardianArguments.npub],
    options: [
      .value("kit", "ID", "The kit that the share must belong to"),
      .value("share-file", "FILE", "Read the share from a file (default: standard input)", completion: .file),
      .value("delay", "TIME", "How long anybody who asks for the share has to wait, such as 72h or 7d (72h)"),
      GuardianArguments.relays,
      SharedOptions.identity,
      SharedOptions.hidden,
    ],
    examples: [Example("holdfast guardian add npub1… --share-file share-2.txt", "gives one share of a kit to a guardian")])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> GuardianAdd.Request {
    var request = GuardianAdd.Request()
    request.npub = line.needed("npub")
    (request.kit, request.identity) = (line.value("kit"), line.value("identity"))
    request.relays = try line.relays()
    request.delay = try line.seconds("delay", as: "a time such as 72h or 7d")
    return request
  }

  static func complete(_ request: inout GuardianAdd.Request, _ line: Invocation) throws(CommandError) {
    do throws(ShareEntryError) { request.share = try oneShare(line) } catch {
      throw CommandError(error)
    }
  }

  static func text(_ answer: GuardianAdd.Response, _ reader: Reader) -> String {
    let begin = "The share is on its way. To see whether the guardian keeps it: holdfast guardian list"
    return answer.code.map { begin + "\n\n" + GuardianText.requestCode(kit: answer.guardian.kit, $0) } ?? begin
  }
}
