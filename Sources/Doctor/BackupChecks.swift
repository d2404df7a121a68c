import Backups
import JSON

/// Checks whether there are backups, whether they succeed, and whether the last one is recent.
enum BackupChecks {
  /// - Parameters:
  ///   - plan: the response of a running signer to `backup/plan`; nil when there was none.
  ///   - now: seconds since 1970.
  static func findings(_ answer: JSONValue?, now: Int64) -> [Finding] {
    guard let answer else { return [] }
    guard let plan = answer["plan"], !plan.isNull else {
      return worth(answer) + [
        .warning(
          "backup", "No backups are scheduled.",
          advice:
            "If this machine is lost, so are keys without another copy. To schedule backups: holdfast backup schedule --to PLACE")
      ]
    }
    let place = plan["to"]?.string ?? "?"
    var findings = [state(plan, place, now)] + worth(answer)
    if let error = plan["revocations_error"]?.string {
      findings.append(
        .warning(
          "backup-revocations", "The list of revoked apps could not be written to \(place): \(error)",
          advice: "Until then, an older backup restores such apps as paused. Holdfast will try again."))
    }
    return findings
  }

  /// Whether the backups protect the vault as it is now, as the checklist judges it.
  private static func worth(_ answer: JSONValue) -> [Finding] {
    answer["warning"]?.string.map {
      [
        .warning(
          "backup-worth", $0,
          advice: "To make a backup: holdfast backup create FILE. To check one that you have: holdfast backup verify FILE")
      ]
    } ?? []
  }

  private static func state(_ plan: JSONValue, _ place: String, _ now: Int64) -> Finding {
    let every = plan["every"]?.string.flatMap(Period.seconds) ?? BackupPlan.usualPeriod
    let (last, failures) = (plan["last"]?.integer, plan["failures"]?.integer ?? 0)
    if failures > 0 {
      let why = plan["last_error"]?.string ?? "the reason is unknown"
      let times = failures == 1 ? "once" : "\(failures) times in a row"
      let found = "Backups to \(place) failed \(times): \(why)"
      let advice = "Fix that, then: holdfast backup run"
      return failures >= BackupDue.failuresTold
        ? .bad("backup", found, advice: advice) : .warning("backup", found, advice: advice)
    }
    guard let last else {
      let made = plan["made"]?.integer ?? now
      guard now - made > firstGrace else { return .good("backup", "Backups to \(place) begin soon.") }
      return .bad("backup", "No backup was made to \(place) yet.", advice: "To make one and see any error: holdfast backup run")
    }
    guard now - last <= every + max(firstGrace, every / 2) else {
      return .bad(
        "backup",
        "The last backup to \(place) is \(Period.text((now - last) / 60 * 60)) old, but one is due every \(Period.text(every)).",
        advice: "To make one now: holdfast backup run")
    }
    return .good("backup", "Backups go to \(place), and the last one was read back.")
  }

  /// How long a signer may take for a backup that is due, in seconds.
  private static let firstGrace: Int64 = 3600
}
