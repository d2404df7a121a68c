import Backups
import JSON

/// Are there backups, do they come through, and are they of late?
enum BackupChecks {
  /// - Parameters:
  ///   - plan: what `backup/plan` of a running signer says; nil when it says nothing.
  ///   - now: seconds since 1970.
  static func findings(_ answer: JSONValue?, now: Int64) -> [Finding] {
    guard let answer else { return [] }
    guard let plan = answer["plan"], !plan.isNull else {
      return [
        .warning(
          "backup", "Nothing is backed up by itself.",
          advice: "If this machine is lost, so is what is on it alone: holdfast backup schedule --to PLACE")
      ]
    }
    let place = plan["to"]?.string ?? "?"
    var findings = [state(plan, place, now)]
    if let error = plan["revocations_error"]?.string {
      findings.append(
        .warning(
          "backup-revocations", "The list of apps you revoked could not be brought to \(place): \(error)",
          advice: "Until it can, an older backup brings such an app back, suspended. It is tried again by itself."))
    }
    return findings
  }

  private static func state(_ plan: JSONValue, _ place: String, _ now: Int64) -> Finding {
    let every = plan["every"]?.string.flatMap(Period.seconds) ?? BackupPlan.usualPeriod
    let (last, failures) = (plan["last"]?.integer, plan["failures"]?.integer ?? 0)
    if failures > 0 {
      let why = plan["last_error"]?.string ?? "it is not known why"
      let times = failures == 1 ? "once" : "\(failures) times in a row"
      let found = "Backups to \(place) failed \(times): \(why)"
      let advice = "Mend that, then: holdfast backup run"
      return failures >= BackupDue.failuresTold
        ? .bad("backup", found, advice: advice) : .warning("backup", found, advice: advice)
    }
    guard let last else {
      let made = plan["made"]?.integer ?? now
      guard now - made > firstGrace else { return .good("backup", "Backups to \(place) begin soon.") }
      return .bad("backup", "No backup was made to \(place) yet.", advice: "See why: holdfast backup run")
    }
    guard now - last <= every + max(firstGrace, every / 2) else {
      return .bad(
        "backup",
        "The last backup to \(place) is \(Period.text((now - last) / 60 * 60)) old, and one is wanted every \(Period.text(every)).",
        advice: "Make one now: holdfast backup run")
    }
    return .good("backup", "Backups go to \(place), and the last one was read back.")
  }

  /// How long a signer may need for what is due, in seconds.
  private static let firstGrace: Int64 = 3600
}
