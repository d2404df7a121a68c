import CommandLine
import JSON
import OwnerAPI
import TerminalUI

/// What the backup commands came to, for people.
enum BackupText {
  static func made(_ answer: BackupCreate.Response) -> String {
    let place =
      answer.file.map { shown($0, limit: 400) } ?? "\(shown(answer.name, limit: 200)) at \(shown(answer.place, limit: 400))"
    return """
      Made \(place): \(answer.facts.records) records.\(leftOut(answer.facts))
      It opens with what opens the vault. Keep it on another machine or medium, and see that it opens: holdfast backup verify FILE
      \(beside(answer.revocations))
      """
  }

  private static func beside(_ revocations: RevocationsBeside?) -> String {
    if let error = revocations?.error {
      return "The list of apps you revoked could not be put beside it: \(printable(error, limit: 300))"
    }
    return "Beside it lies the sealed list of apps you revoked (…-revoked.hfr). Keep the two together."
  }

  private static func leftOut(_ facts: BackupFacts) -> String {
    facts.leftOut > 0 ? " \(facts.leftOut) bound to this device are not in it." : ""
  }

  static func contents(_ answer: BackupVerify.Response) -> String {
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
    if !sealed.isEmpty { lines.append("Not looked into, since this does not open them: \(sealed.joined(separator: ", ")).") }
    if answer.isOfThisVault == false { lines.append("It is of another vault than the one of this home.") }
    return lines.joined(separator: "\n")
  }

  /// `a passphrase, “at home”`
  private static func way(_ slot: Slot) -> String {
    let words =
      switch slot.kind {
      case .passphrase: "a passphrase"
      case .recovery: "shares of a recovery kit"
      case .passkey: "a passkey, in a console after the restore"
      case .token: "a token"
      case .keyring: "the keyring of the desktop it was made on"
      }
    return words + (slot.label.isEmpty ? "" : ", “\(printable(slot.label))”")
  }

  /// That a backup is not the newest one.
  /// - Parameters:
  ///   - made: when it was made, seconds since 1970; `newer` likewise.
  ///   - name: of the newer one.
  static func newerBackup(made: Int64, newer: Int64, name: String) -> String {
    "This backup is of \(moment(made)); a newer one of \(moment(newer)) lies beside it: \(printable(name, limit: 200))."
  }

  /// What came of the list of revocations.
  private static func revocations(_ answer: BackupRestore.Response) -> [String] {
    let asOf = answer.revocations.asOf.map { " It is of \(moment($0))." } ?? ""
    let careful = "So look closer at each app below before you let it go on."
    var lines: [String] = []
    switch answer.revocations.state {
    case .read: lines.append("The list of apps you revoked lay beside the backup.\(asOf)")
    case .missing: lines.append("No list of apps you revoked lay beside the backup. \(careful)")
    case .older:
      lines.append(
        "The list of apps you revoked is older than the backups beside it: somebody may have put it back.\(asOf) \(careful)")
    case .otherVault: lines.append("The list of revoked apps beside the backup is of another vault. \(careful)")
    case .unknown: lines.append("This backup is of before there were lists of revoked apps. \(careful)")
    case .unreachable: lines.append("The list of apps you revoked could not be fetched. \(careful)")
    case .damaged: lines.append("The list of apps you revoked is damaged, or forged; it was not believed. \(careful)")
    }
    if !answer.revoked.isEmpty { lines.append("Revoked, and not brought back: \(list(answer.revoked)).") }
    return lines
  }

  static func restored(_ answer: BackupRestore.Response) -> String {
    var lines = ["Restored to \(shown(answer.home, limit: 400)), as it was on \(moment(answer.made))."]
    lines += revocations(answer)
    if !answer.paused.isEmpty {
      lines.append(
        "Suspended until you let each go on (holdfast client resume APP), or revoke it: \(list(answer.paused)).")
    }
    if !answer.withoutKey.isEmpty {
      lines.append("Not restored, since their keys never left their device: \(list(answer.withoutKey)).")
    }
    if answer.offered > 0 {
      lines.append("Shares you keep for others are given to nobody until you agree again: holdfast guardian held")
    }
    lines.append("Open links, requests that waited, browsers and passkeys of the console were not restored. The log begins anew.")
    lines.append("Next: holdfast up")
    return lines.joined(separator: "\n")
  }

  static func backups(_ answer: BackupList.Response, _ now: Int64) -> String {
    let list = answer.backups
    guard let last = answer.test else { return list.isEmpty ? "No backup lies there." : table(list) }
    let tested = "You last opened a backup: \(ago(last.time ?? 0, now: now))."
    if let error = answer.error { return "The place for backups: \(shown(error, limit: 200)).\n" + tested }
    if list.isEmpty { return "There are no backups by a plan. Begin: holdfast backup schedule --to PLACE\n" + tested }
    return table(list) + "\n" + tested
  }

  private static func table(_ list: [BackupListed]) -> String {
    var table = TextTable(["MADE", "NAME", "BYTES", ""], whole: [1])
    for entry in list {
      table.add([moment(entry.made), entry.name, shown(entry.size), entry.isVerified ? "read back" : ""])
    }
    return table.text
  }

  static func plan(_ plan: BackupSchedulePlan?, _ now: Int64) -> String {
    guard let plan else {
      return "Nothing is backed up by itself. Begin: holdfast backup schedule --to PLACE"
    }
    var lines = [
      "Every \(shown(plan.every)) to \(shown(plan.to, limit: 400)), keeping \(plan.keep).",
      "Last done: \(ago(plan.last ?? 0, now: now))" + (plan.name.map { " (\(printable($0)))" } ?? ""),
    ]
    if plan.isRunning { lines.append("One is being made now.") }
    if let error = plan.lastError {
      lines.append((plan.failures > 0 ? "Failed \(plan.failures) times since: " : "Last time: ") + printable(error, limit: 400))
    }
    if let error = plan.revocationsError {
      lines.append("The list of apps you revoked could not be brought there: \(printable(error, limit: 400))")
    }
    return lines.joined(separator: "\n")
  }
}
