import CommandLine
import OwnerAPI
import ResponseTexts

/// `holdfast client rename`
enum ClientRenameCommand: AppCommand {
  typealias Operation = AppRename

  static let place = Command(
    "rename", "Give an app another name",
    arguments: [ClientArguments.client, Argument("name", "The new name")])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> AppRename.Request {
    var request = AppRename.Request()
    request.app = ClientArguments.app(line)
    request.name = line.needed("name")
    return request
  }

  static func next(_ answer: AppDetail, _ line: Invocation) -> String? {
    AppText.changed("The app \(AppText.digits(of: answer.summary)) is called \(quoted(answer.summary.shownName)) now.", line)
  }
}
