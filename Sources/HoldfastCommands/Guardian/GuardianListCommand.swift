import CommandLine
import OwnerAPI
import ResponseTexts
import TerminalUI

/// `holdfast guardian list`
enum GuardianListCommand: OwnerCommand {
  typealias Operation = GuardianList

  static let place = Command("list", "List your guardians, whether each keeps the share, and which identities' messages are read")

  static func text(_ answer: GuardianList.Response, _ reader: Reader) -> String {
    let end = answer.identities.map(reading).joined()
    if answer.guardians.isEmpty {
      return "You have no guardians. Make a kit, then: holdfast guardian add NPUB --share-file FILE" + end
    }
    var table = TextTable(["NAME", "GUARDIAN", "KIT", "SHARE", "SENT", "KEPT SINCE"])
    for guardian in answer.guardians {
      table.add([
        guardian.id, guardian.npub, guardian.kit, "\(guardian.share)", date(guardian.sent),
        guardian.since.map(moment) ?? "not yet confirmed",
      ])
    }
    return table.text(for: reader) + end
  }

  /// Whether the messages of an identity are read.
  private static func reading(_ one: Correspondent) -> String {
    let name = shown(one.identity)
    return switch one.state {
    case .reads: "\nMessages for “\(name)” are read."
    case .open: "\nMessages for “\(name)” are read for \(shown(one.seconds)) more seconds."
    case .needsOwner: "\nMessages for “\(name)” wait for you: holdfast guardian open --identity \(name)"
    case .locked: "\nMessages for “\(name)” wait until you unlock."
    case .notRunning: "\nMessages for “\(name)” are read while the signer runs."
    }
  }
}
