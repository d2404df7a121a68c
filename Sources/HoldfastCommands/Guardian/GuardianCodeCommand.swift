import CommandLine
import OwnerAPI

/// `holdfast guardian code`
enum GuardianCodeCommand: OwnerCommand {
  typealias Operation = GuardianCode

  static let place = Command(
    "code", "Show a kit's request code, and tell it to its guardians",
    discussion: """
      Sixteen letters and digits to keep with your papers. A request that shows them stands before those of strangers, so that nobody \
      keeps yours out by asking often. They open nothing.
      """,
    arguments: [Argument("kit", "The kit's number: four digits or letters")],
    options: [.flag("new", "Make another code in place of the one before")])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> GuardianCode.Request {
    var request = GuardianCode.Request()
    (request.kit, request.isNew) = (line.needed("kit"), line.has("new"))
    return request
  }

  static func text(_ answer: GuardianCode.Response, _ reader: Reader) -> String {
    GuardianText.requestCode(kit: answer.kit, answer.code)
  }
}
