import CommandLine
import OwnerAPI
import TerminalUI

/// `holdfast recovery list`
enum RecoveryListCommand: OwnerCommand {
  typealias Operation = RecoveryList

  static let place = Command("list", "List the recovery kits, and when each was tested")

  static func text(_ answer: RecoveryList.Response, _ reader: Reader) -> String {
    if answer.kits.isEmpty {
      return "There is no recovery kit. To make one: holdfast recovery create --threshold 3 --shares 5 --out kit"
    }
    var table = TextTable(["KIT", "FOR", "NEEDED", "MADE", "LAST TESTED", "LABEL"])
    for kit in answer.kits {
      table.add([
        kit.id, kit.restores, needed(kit), date(kit.made),
        kit.lastTested.map(moment) ?? (kit.isHandedOut ? "never" : "never; pages not confirmed"), kit.label,
      ])
    }
    return table.text
  }

  /// “3 of 5”, or “2 of the groups 2 of 3, 3 of 5”.
  private static func needed(_ kit: KitSummary) -> String {
    let groups = kit.groups.filter { $0.count == 2 }.map { "\($0[0]) of \($0[1])" }
    return groups.count == 1 ? groups[0] : "\(kit.groupThreshold) of the groups " + groups.joined(separator: ", ")
  }
}
