import CommandLine
import OwnerAPI
import OwnerOperations
import ResponseTexts
import Signer
import TerminalUI

/// `holdfast` alone. A person at a terminal sees what there is and what to do next; a script is told that a command is missing.
func showOverview(_ line: Invocation) throws(CommandError) -> ExitCode {
  guard !line.has("json") else { throw CommandError(UsageError.noCommand, for: programName, command: []) }
  guard Terminal.isOutput else { return showHelpInstead(of: []) }
  let home = home(line)
  let overview: Overview
  if let result = try askDaemonWhole(StatusShow.call(Nothing()), home) {
    overview = Overview(running: try StatusShow.answer(result), CustodyJudgement.all(of: home))
  } else if !Opening.hasVault(home), let other = CommandError.vaultIsElsewhere(home) {
    return printLine("\(other.error)\n\(other.hint)", line)
  } else {
    overview = Opening.hasVault(home) ? Overview(stoppedAt: home.path) : Overview(withoutVaultAt: home.path)
  }
  return printLine(overview.text, line)
}

/// A short status and at most three next steps.
struct Overview {
  private struct Step {
    let command: String
    let meaning: String
  }

  private static let help = Step(command: "holdfast help", meaning: "see the commands that people use most")

  private let state: String
  private let steps: [Step]

  init(withoutVaultAt home: String) {
    state = "There is no vault at \(printable(home, limit: 4096)) yet."
    steps = [
      Step(command: "holdfast up --trial", meaning: "try Holdfast with a vault that is wiped at the end"),
      Step(command: "holdfast init", meaning: "make a vault of your own"),
      Self.help,
    ]
  }

  init(stoppedAt home: String) {
    state = "The vault is at \(printable(home, limit: 4096)). No signer runs, so apps get no answer."
    steps = [
      Step(command: "holdfast up", meaning: "start the signer"),
      Step(command: "holdfast doctor", meaning: "check that everything is in order"),
      Self.help,
    ]
  }

  /// - Parameter judged: the first about which there is something to do is told.
  init(running status: StatusShow.Response, _ judged: [CustodyJudgement] = []) {
    state = [Self.state(status), judged.first { !$0.isGood }?.text].compactMap { $0 }.joined(separator: "\n")
    if status.lock.isSuspended {
      steps = Self.afterALockdown(isLocked: status.lock.isLocked)
      return
    }
    let first = Self.urgent(status)
    let usual = [
      Step(command: "holdfast pair", meaning: "make a link for an app"),
      Step(command: "holdfast console", meaning: "print a link that opens the console"),
      Self.help,
    ]
    steps = first.map { [$0] + usual.suffix(2) } ?? usual
  }

  /// One line of state, then the steps.
  var text: String {
    let width = (steps.map(\.command.count).max() ?? 0) + 3
    return ([state, ""] + steps.map { "  " + $0.command.padded(to: width) + $0.meaning }).joined(separator: "\n")
  }

  private static func state(_ status: StatusShow.Response) -> String {
    let keys =
      status.lock.isSuspended ? "locked down" : status.lock.isLocked ? "locked" : status.isTrial ? "running on trial" : "running"
    let apps =
      status.apps == 0 ? "No app is paired yet" : status.apps == 1 ? "One app is paired" : "\(status.apps) apps are paired"
    let waiting =
      status.waiting == 0 ? "" : ", \(status.waiting) \(status.waiting == 1 ? "request waits" : "requests wait") for you"
    return "The signer is \(keys). \(apps)\(waiting)."
  }

  /// First see what happened, and end the lockdown last.
  private static func afterALockdown(isLocked: Bool) -> [Step] {
    [
      isLocked
        ? Step(command: "holdfast unlock", meaning: "open the log; the lockdown stays")
        : Step(command: "holdfast client list", meaning: "see which apps are paired"),
      Step(command: "holdfast log show", meaning: "see what happened"),
      Step(command: "holdfast resume", meaning: "end the lockdown, and serve apps again"),
    ]
  }

  /// The step that should come before all others.
  private static func urgent(_ status: StatusShow.Response) -> Step? {
    if status.lock.isLocked { return Step(command: "holdfast unlock", meaning: "unlock, so that apps are served again") }
    if status.waiting > 0 { return Step(command: "holdfast request list", meaning: "see what waits for you") }
    if let running = status.running, !running.problems.isEmpty || !running.unreachedApps.isEmpty {
      return Step(command: "holdfast status", meaning: "see what is wrong")
    }
    return nil
  }
}
