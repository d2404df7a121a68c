import CommandLine
import OwnerAPI
import ResponseTexts

/// `holdfast vault repair`
enum VaultRepairCommand: PlannedCommand {
  typealias Operation = VaultRepair

  static let place = Command(
    "repair", "Continue without damaged records",
    discussion: """
      Asks for your proof, lists the damaged records and what their loss means, and asks for confirmation. The damaged file is \
      kept next to the new one as vault.db.damaged-TIME. A key whose identity record was lost gets a made-up name. A key that \
      was lost is derived again from its words. All apps are paused. Links, waiting requests and the console's passkeys are \
      dropped. If nothing proves that a rule is the latest, the strictest rule applies until you set it again. The signer \
      stays locked down until 'holdfast resume'.

      Before the repair you can still read a damaged vault: lists, 'identity export' and 'backup create' use the records that \
      are whole.
      """,
    options: [.flag("plan", "Only show what is damaged and what the repair would do"), SharedOptions.yes],
    examples: [
      Example("holdfast vault repair --plan", "shows what is lost"),
      Example("holdfast vault repair", "continues without the damaged records"),
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
    VaultText.plan(plan.losses) + "\nContinue without them?"
  }

  static func text(_ answer: VaultRepair.Response, _ reader: Reader) -> String {
    if answer.isPlan { return VaultText.plan(answer.losses) + "\nTo continue without them: holdfast vault repair" }
    let log = answer.kept?.log.map { "\nA new log begins. The old one is kept at \(shown($0, limit: 400))." } ?? ""
    return """
      \(VaultText.damaged(answer.losses).joined(separator: "\n"))
      The vault continues without them, and the log records it. The damaged file is kept at \(shown(answer.kept?.vault, limit: 400)).\(log)
      \(VaultText.consequences(answer.losses).joined(separator: "\n"))
      No app is served until: holdfast resume
      """
  }
}
