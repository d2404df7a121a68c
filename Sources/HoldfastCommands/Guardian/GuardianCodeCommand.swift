import CommandLine
import OwnerAPI
import ResponseTexts

/// `holdfast guardian code`
enum GuardianCodeCommand: OwnerCommand {
  typealias Operation = GuardianCode

  static let place = Command(
    "code", "Show a kit's request code, and send it to its guardians",
    discussion: """
      The code has 16 letters and digits. Keep it with your papers. Requests that show it are listed before those of \
      strangers, so nobody can crowd out yours by asking often. The code opens nothing.
      """,
    arguments: [Argument("kit", "The kit's number: four digits or letters")],
    options: [.flag("new", "Replace the code by a new one")])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> GuardianCode.Request {
    var request = GuardianCode.Request()
    (request.kit, request.isNew) = (line.needed("kit"), line.has("new"))
    return request
  }

  static func text(_ answer: GuardianCode.Response, _ reader: Reader) -> String {
    GuardianText.requestCode(kit: answer.kit, answer.code)
  }
}
