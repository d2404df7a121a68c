import CommandLine
import OwnerAPI
import ResponseTexts

/// `holdfast request show`
enum RequestShowCommand: OwnerCommand {
  typealias Operation = RequestShow

  static let place = Command(
    "show", "Show everything that one request would do",
    arguments: [Argument("id", RequestArguments.itsID, completion: .names("requests"))],
    options: [SharedOptions.noPager])

  static var isPaged: Bool { true }

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> RequestShow.Request {
    var request = RequestShow.Request()
    request.id = line.needed("id")
    return request
  }

  static func text(_ answer: WaitingRequestDetail, _ reader: Reader) -> String {
    RequestText.account(answer.request, reader.now, colors: reader.colors)
  }
}
