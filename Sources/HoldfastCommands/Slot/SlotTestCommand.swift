import CommandLine
import OwnerAPI
import ResponseTexts

/// `holdfast slot test`
enum SlotTestCommand: OwnerCommand {
  typealias Operation = SlotTest

  static let place = Command(
    "test", "Test that a slot still opens, and record when",
    discussion: "Give what opens the slot: --passphrase-file, --token, --keyring or --shares-file. Nothing is unlocked.",
    arguments: [
      Argument("id", "The slot's number or label (default: any slot that opens)", required: false, completion: .names("slots"))
    ],
    examples: [
      Example("holdfast slot test --token", "asks for the token's PIN"),
      Example("holdfast slot test 3 --keyring", "does the keyring's entry still open slot 3?"),
    ])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> SlotTest.Request {
    var request = SlotTest.Request()
    request.id = try SlotArguments.id(line)
    return request
  }

  static func check(_ line: Invocation) throws(CommandError) { try SlotArguments.checkExists(line) }

  static func complete(_ request: inout SlotTest.Request, _ line: Invocation) throws(CommandError) {
    request.credential = try credential(line)
  }

  static func text(_ answer: SlotTest.Response, _ reader: Reader) -> String {
    (["It works: slot \(answer.slot.id), \(SlotText.kind(answer.slot.kind, answer.slot.label))."] + absent(answer.absent))
      .joined(separator: "\n")
  }
}
