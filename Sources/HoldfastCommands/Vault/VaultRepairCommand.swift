import CommandLine
import OwnerAPI

/// `holdfast vault repair`
enum VaultRepairCommand: PlannedCommand {
  typealias Operation = VaultRepair

  static let place = Command(
    "repair", "Go on without the records that are damaged",
    discussion: """
      Takes your proof. Says which records do not open, whose they are and what their loss means, and asks. The damaged file is kept \
      beside the new one as vault.db.damaged-TIME. A key whose identity was lost comes back under a made-up name; a key is derived \
      again from its words. All apps come back suspended; links, waiting requests and the console's passkeys are dropped. Where nothing \
      proves that a rule is the latest, the strictest holds until you set it again. Everything stays shut until 'holdfast resume'.

      Before that, a damaged vault can be looked at: lists, 'identity export' and 'backup create' read what is whole.
      """,
    options: [.flag("plan", "Only say what is damaged and what would become of it"), SharedOptions.yes],
    examples: [
      Example("holdfast vault repair --plan", "see what is lost"),
      Example("holdfast vault repair", "go on without it"),
    ])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> VaultRepair.Request {
    var request = VaultRepair.Request()
    request.isPlan = line.has("plan")
    return request
  }

  static func complete(_ request: inout VaultRepair.Request, _ line: Invocation) throws(CommandError) {
    request.credential = try credential(line)
  }

  // The response to a plan says everything.
  static func isPlannedFirst(_ line: Invocation) -> Bool { !line.has("plan") }

  static func plan(_ request: VaultRepair.Request) -> VaultRepair.Request {
    var request = request
    request.isPlan = true
    return request
  }

  static func question(_ plan: VaultRepair.Response, _ now: Int64) -> String? {
    VaultText.plan(plan.losses) + "\nGo on without it?"
  }

  static func text(_ answer: VaultRepair.Response, _ reader: Reader) -> String {
    if answer.isPlan { return VaultText.plan(answer.losses) + "\nTo go on without it: holdfast vault repair" }
    let log = answer.kept?.log.map { "\nA new log begins; the old one is kept at \(shown($0, limit: 400))." } ?? ""
    return """
      \(VaultText.damaged(answer.losses).joined(separator: "\n"))
      The vault goes on without it, and that is recorded. The damaged file is kept at \(shown(answer.kept?.vault, limit: 400)).\(log)
      \(VaultText.consequences(answer.losses).joined(separator: "\n"))
      No app is served until: holdfast resume
      """
  }
}
