import CommandLine
import OwnerAPI
import ResponseTexts
import TerminalUI

/// `holdfast slot list`
enum SlotListCommand: OwnerCommand {
  typealias Operation = SlotList

  static let place = Command(
    "list", "List the slots, and what each opens",
    examples: [Example("holdfast slot list", "each slot, and when it was last used and tested")])

  static func text(_ answer: SlotList.Response, _ reader: Reader) -> String {
    var table = TextTable(["ID", "TYPE", "LABEL", "LAST WORKED", "OPENS"], whole: [4])
    for slot in answer.slots {
      let pamService = slot.pamService.map { " (gate: \(printable($0)))" } ?? ""
      table.add([
        "\(slot.id)", shown(slot.kind) + pamService, shown(slot.label), SlotText.worked(slot, reader.now), SlotText.opens(slot),
      ])
    }
    return table.text(for: reader)
  }
}
