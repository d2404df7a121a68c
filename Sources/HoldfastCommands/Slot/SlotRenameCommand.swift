import CommandLine
import OwnerAPI
import ResponseTexts

/// `holdfast slot rename`
enum SlotRenameCommand: OwnerCommand {
  typealias Operation = SlotRename

  static let place = Command(
    "rename", "Give a slot another label",
    arguments: [
      Argument("id", "The slot's number or label, as 'holdfast slot list' shows them", completion: .names("slots")),
      Argument("label", "Your name for the slot"),
    ],
    examples: [Example("holdfast slot rename 3 'the blue key'", "gives slot 3 a name that only you see")])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> SlotRename.Request {
    var request = SlotRename.Request()
    request.id = try SlotArguments.id(line) ?? 0
    request.label = line.argument("label")
    return request
  }

  static func text(_ answer: SlotAnswer, _ reader: Reader) -> String {
    "Slot \(answer.slot.id) is now called “\(foreign(answer.slot.label))”."
  }
}
