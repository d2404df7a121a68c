import CommandLine
import OwnerAPI

/// `holdfast policy set`
enum PolicySetCommand: OwnerCommand {
  typealias Operation = PolicySet

  static let place = Command(
    "set", "Change the settings for all apps",
    options: [
      .value(
        "default-trust", "LEVEL", "The trust of a new pairing, unless you give another",
        completion: .words(SharedOptions.trustLevels)),
      .value("follow-share", "PERCENT", "Ask if a new follow list drops more than this share of your follows"),
    ])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> PolicySet.Request {
    var request = PolicySet.Request()
    request.defaultTrust = line.word("default-trust")
    request.followShare = try line.integer("follow-share", in: 0...100)
    guard request.defaultTrust != nil || request.followShare != nil else {
      throw .valueMalformed(option: "default-trust", form: "full, medium or low; one setting is needed")
    }
    return request
  }

  static func text(_ answer: PolicySummary, _ reader: Reader) -> String { PolicyText.rules(answer, reader) }
}
