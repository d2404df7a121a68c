import Encodings
import JSON
package import OwnerAPI
import TerminalUI

/// The results of backup commands, for people.
package enum BackupText {
  package static func made(_ answer: BackupCreate.Response) -> String {
    let place =
      answer.file.map { shown($0, limit: 400) } ?? "\(shown(answer.name, limit: 200)) at \(shown(answer.place, limit: 400))"
    return """
      Made \(place): \(answer.facts.records) records.\(leftOut(answer.facts))
      It opens with what opens the vault now. Keep it on another machine or medium, and test it: \(test(answer))
      \(beside(answer.revocations))
      """
  }

  /// The command that opens it again.
  private static func test(_ answer: BackupCreate.Response) -> String {
    func word(_ text: String?) -> String { ours(ShellWord.plainOrQuoted(text ?? ""), limit: 4096) }
    let file = answer.file.map(word) ?? "\(word(answer.name)) --from \(word(answer.place))"
    return "holdfast backup verify \(file)"
  }

  private static func beside(_ revocations: RevocationsBeside?) -> String {
    if let error = revocations?.error {
      return "The list of revoked apps could not be written next to it: \(shown(error, limit: 300))"
    }
    return "The sealed list of revoked apps (…-revoked.hfr) lies next to it. Keep the two files together."
  }

  private static func leftOut(_ facts: BackupFacts) -> String {
    facts.leftOut > 0 ? " It leaves out \(facts.leftOut) that are bound to this device." : ""
  }

  package static func contents(_ answer: BackupVerify.Response) -> String {
    let (contents, facts) = (answer.contents, answer.contents.facts)
    let identities = contents.identities.map { "  \(shown($0.name))  \(shown($0.npub))" }
    let apps = contents.apps.map { shown($0) }
    let sealed = (contents.sealed?.members ?? []).map { "\($0.value.integer ?? 0) of class \(printable($0.key))" }
    var lines = [
      "This backup is whole and opens. Made \(moment(facts.made)), number \(facts.number).\(leftOut(facts))"
    ]
    lines.append(identities.isEmpty ? "Identities: none" : "Identities:\n" + identities.joined(separator: "\n"))
    lines.append("Apps: " + (apps.isEmpty ? "none" : apps.joined(separator: ", ")))
    let ways = contents.slots.map(way)
    if !ways.isEmpty { lines.append("It opens with:\n" + ways.map { "  " + $0 }.joined(separator: "\n")) }
    if !sealed.isEmpty { lines.append("Not checked, because this does not open them: \(sealed.joined(separator: ", ")).") }
    if answer.isOfThisVault == false { lines.append("It comes from another vault than this home's.") }
    return lines.joined(separator: "\n")
  }

  /// `a passphrase, “at home”`
  private static func way(_ slot: Slot) -> String {
    let words =
      switch slot.kind {
      case .passphrase: "a passphrase"
      case .recovery: "shares of a recovery kit"
      case .passkey: "a passkey, in the console after the restore"
      case .token: "a token"
      case .keyring: "the keyring of the desktop where it was made"
      }
    return words + (slot.label.isEmpty ? "" : ", “\(foreign(slot.label))”")
  }

  /// Says that a backup is not the newest one.
  /// - Parameters:
  ///   - made: when it was made, in seconds since 1970, as is `newer`.
  ///   - name: the name of the newer one.
  package static func newerBackup(made: Int64, newer: Int64, name: String) -> String {
    "This backup was made on \(moment(made)). A newer one, made on \(moment(newer)), lies next to it: \(shown(name))."
  }

  /// The result of reading the list of revocations.
  private static func revocations(_ answer: BackupRestore.Response) -> [String] {
    let asOf = answer.revocations.asOf.map { " It was written on \(moment($0))." } ?? ""
    let careful = "Check each app below before you resume it."
    var lines: [String] = []
    switch answer.revocations.state {
    case .read: lines.append("The list of revoked apps was next to the backup.\(asOf)")
    case .missing: lines.append("There was no list of revoked apps next to the backup. \(careful)")
    case .older:
      lines.append(
        "The list of revoked apps is older than the backups next to it: somebody may have put an old list there.\(asOf) \(careful)"
      )
    case .otherVault: lines.append("The list of revoked apps next to the backup belongs to another vault. \(careful)")
    case .unknown: lines.append("This backup was made by an earlier Holdfast without lists of revoked apps. \(careful)")
    case .unreachable: lines.append("The list of revoked apps could not be fetched. \(careful)")
    case .damaged: lines.append("The list of revoked apps is damaged or forged, and was ignored. \(careful)")
    }
    if !answer.revoked.isEmpty { lines.append("Revoked, and not restored: \(list(answer.revoked)).") }
    return lines
  }

  package static func restored(_ answer: BackupRestore.Response) -> String {
    var lines = ["Restored to \(shown(answer.home, limit: 400)), as it was on \(moment(answer.made))."]
    lines += revocations(answer)
    if !answer.paused.isEmpty {
      lines.append(
        "Paused until you resume each (holdfast client resume APP) or revoke it: \(list(answer.paused)). "
          + "A budget of theirs counts as used up, because nobody knows what was used after the backup.")
    }
    if !answer.withoutKey.isEmpty {
      lines.append("Not restored, because their keys never left their device: \(list(answer.withoutKey)).")
    }
    if answer.offered > 0 {
      lines.append("Shares that you keep for others stay here until you accept them again: holdfast guardian held")
    }
    lines.append("Links, waiting requests, browser sessions and the console's passkeys were not restored. A new log begins.")
    lines.append("Next: holdfast up")
    return lines.joined(separator: "\n")
  }

  package static func backups(_ answer: BackupList.Response, _ reader: Reader) -> String {
    let list = answer.backups
    guard let last = answer.test else { return list.isEmpty ? "There are no backups." : table(list, reader) }
    let warning = answer.warning.map { ours($0, limit: 300) + "\n" } ?? ""
    let tested =
      warning
      + (last.time.map { "You last opened a backup \(since($0, reader.now))." }
        ?? "You have never opened a backup. To test one: holdfast backup verify FILE")
    if let error = answer.error { return "The place for backups: \(ours(error, limit: 200)).\n" + tested }
    if list.isEmpty {
      return "No backup lies at a place that is scheduled now. To see the schedule: holdfast backup plan\n"
        + "To list those at another place: holdfast backup list --from PLACE\n" + tested
    }
    return table(list, reader) + "\n" + tested
  }

  private static func table(_ list: [BackupListed], _ reader: Reader) -> String {
    var table = TextTable(["MADE", "BYTES", "CHECKED", "OPENS WITH", "NAME"], whole: [4], spare: [1, 2])
    for entry in list {
      table.add([moment(entry.made), shown(entry.size), entry.isVerified ? "read back" : "", openers(entry), entry.name])
    }
    return table.text(for: reader)
  }

  /// `passphrase, not kit 2`: which of the vault's present slots open it, and which do not.
  private static func openers(_ entry: BackupListed) -> String {
    let missing = entry.notWith.map(opener).joined(separator: ", ")
    let found = entry.opensWith.map(opener).joined(separator: ", ")
    return missing.isEmpty ? found : (found.isEmpty ? "" : found + "; ") + "not with: \(missing)"
  }

  private static func opener(_ slot: SlotSummary) -> String {
    slot.label.isEmpty ? (slot.kind == .recovery ? "recovery kit" : slot.kind.rawValue) : foreign(slot.label)
  }

  /// - Parameter warning: why the backups do not protect the vault as it is now; nil if they do.
  package static func plan(_ plan: BackupSchedulePlan?, warning: String? = nil, _ now: Int64) -> String {
    let warning = warning.map { [ours($0, limit: 300)] } ?? []
    guard let plan else {
      return (["No backups are scheduled. To start: holdfast backup schedule --to PLACE"] + warning).joined(separator: "\n")
    }
    var lines = [
      "Every \(unitInWords(plan.every)) to \(shown(plan.to, limit: 400)), keeping \(plan.keep).",
      plan.last == nil
        ? "None was made yet. The running signer makes the first one soon. To make it now: holdfast backup run"
        : "Last backup: \(ago(plan.last ?? 0, now: now))" + (plan.name.map { " (\(shown($0)))" } ?? ""),
    ]
    if plan.isRunning { lines.append("A backup is being made now.") }
    // The warning below may say the same of the last backup.
    if let remark = plan.remark, warning.allSatisfy({ !$0.contains("only on this disk") }) {
      lines.append(ours(remark, limit: 400))
    }
    if let error = plan.lastError {
      lines.append(
        (plan.failures > 0 ? "Failed \(plan.failures == 1 ? "once" : "\(plan.failures) times") since then: " : "Last error: ")
          + shown(error, limit: 400))
    }
    if let error = plan.revocationsError {
      lines.append("The list of revoked apps could not be written there: \(shown(error, limit: 400))")
    }
    return (lines + warning).joined(separator: "\n")
  }
}
