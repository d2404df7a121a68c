package import OwnerAPI
package import SharePages
import TerminalUI

/// Texts about a new kit, for people.
package enum KitText {
  /// “3 of 5”, or “2 of the groups 2 of 3, 3 of 5”.
  package static func needed(_ kit: KitSummary) -> String {
    let groups = kit.groups.filter { $0.count == 2 }.map { "\($0[0]) of \($0[1])" }
    return groups.count == 1 ? groups[0] : "\(kit.groupThreshold) of the groups " + groups.joined(separator: ", ")
  }

  /// The text above the shares of a new kit. The shares themselves are part of no text here.
  package static func head(_ kit: KitSummary) -> String {
    "Kit \(shown(kit.id)): \(needed(kit)) restore \(kit.npub == nil ? "this vault" : shown(kit.restores))."
  }

  /// The text below the shares.
  package static func foot(_ kit: KitDetail) -> String {
    var lines = [
      "These words are shown once and stored nowhere. Write each share on a sheet of its own, and on every sheet write this:", "",
    ]
    lines.append("Kit \(kit.summary.id). \(needed(kit.summary)) sheets are enough. Together they give \(kit.holds).")
    if let npub = kit.summary.npub { lines.append("The key's npub is \(printable(npub)).") }
    if kit.summary.hasCode { lines.append("In addition to the sheets it needs its recovery code, which is on no sheet.") }
    lines += ["", "To restore it:"]
    for (number, step) in kit.steps.enumerated() {
      lines.append("\(number + 1). \(step.text)")
      if let command = step.command { lines += ["", "     " + printable(command, limit: 400), ""] }
    }
    lines += [kit.elsewhere, "", "Then test the kit: holdfast recovery test"]
    if kit.summary.npub == nil { lines.append(backupWanted) }
    return lines.joined(separator: "\n")
  }

  /// A new kit of the vault opens no backup that was made before it.
  private static let backupWanted = "Make a new backup now, because older ones do not open with this kit: holdfast backup create"

  /// The text after all pages were written.
  package static func pages(_ folder: PageFolder, _ made: RecoveryCreate.Response) -> String {
    let (kit, files) = (made.kit.summary, "\(folder.shellWord)/holdfast-kit-\(made.kit.summary.id)-*.html")
    let backup = kit.npub == nil ? "\n" + backupWanted : ""
    return """
      Kit \(kit.id): \(needed(kit)) restore \
      \(kit.npub == nil ? "this vault" : shown(kit.restores)). \(made.shares.count) sheets are in \(printable(folder.path)).

      Next: test them, open each in a browser and print it, then wipe the files:
        holdfast recovery test \(files)
        shred -u \(files)
      Give the sheets to people or places that you will not lose together. Test what is on paper by typing the words: holdfast recovery test\(backup)
      """
  }
}
