import CommandLine
import OwnerAPI
import ResponseTexts

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

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    let result = try performWhole(Operation.call(try asked(line)), line)
    let exit = try show(result, line)
    guard line.has("default-trust"), !line.has("json"), let links = try? performWhole(PairList.call(Nothing()), line),
      let remark = remark(try Operation.answer(result).defaultTrust, try PairList.answer(links).links)
    else { return exit }
    return printLine(remark, line)
  }

  static func text(_ answer: PolicySummary, _ reader: Reader) -> String { PolicyText.rules(answer, reader) }

  /// Links that were made before still give what they gave.
  /// - Parameter links: those that no app has used.
  /// - Returns: nil if none of them gives another trust.
  static func remark(_ trust: Trust, _ links: [UnusedLink]) -> String? {
    let others = links.filter { $0.trust != trust }
    guard let first = others.first else { return nil }
    let levels = Set(others.map(\.trust.rawValue)).sorted().joined(separator: " or ")
    guard others.count > 1 else {
      return "1 unused link still gives \(levels) trust. To cancel it: holdfast pair --cancel \(first.pubkey.prefix(8))"
    }
    return "\(others.count) unused links still give \(levels) trust. To see and cancel them: holdfast pair --list"
  }
}
