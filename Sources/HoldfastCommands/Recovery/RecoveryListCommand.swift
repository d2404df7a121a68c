import CommandLine
import OwnerAPI
import ResponseTexts
import TerminalUI

/// `holdfast recovery list`
enum RecoveryListCommand: OwnerCommand {
  typealias Operation = RecoveryList

  static let place = Command("list", "List the recovery kits, and when each was tested")

  static func text(_ answer: RecoveryList.Response, _ reader: Reader) -> String {
    if answer.kits.isEmpty {
      return "There is no recovery kit. To make one: holdfast recovery create --threshold 3 --shares 5 --out kit"
    }
    var table = TextTable(["KIT", "FOR", "NEEDED", "MADE", "LAST TESTED", "LABEL"], spare: [3])
    for kit in answer.kits {
      table.add([
        kit.id, kit.restores, KitText.needed(kit), date(kit.made),
        kit.lastTested.map(moment) ?? (kit.isHandedOut ? "never" : "never; sheets not confirmed"), kit.label,
      ])
    }
    return table.text(for: reader)
  }
}
