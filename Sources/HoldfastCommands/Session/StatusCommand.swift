import CommandLine
import Encodings
import JSON
import OwnerAPI
import OwnerOperations
import ResponseTexts
import TerminalUI

/// `holdfast status`: whether all is well, who is served, what waits, and how fast requests are answered.
enum StatusCommand: OwnerCommand {
  typealias Operation = StatusShow

  static let place = Command(
    "status", "Show what the signer is doing",
    discussion:
      "If no signer runs, it says where the vault is, and the exit code is 1. With --open it opens the vault and shows what is in it.",
    options: [.flag("open", "If no signer runs, open the vault, too")])

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    if let facts = try WithoutSigner.facts(line) {
      // The same code as with --json, for scripts.
      _ = printLine(facts, line)
      return .failed
    }
    let result = try performWhole(StatusShow.call(Nothing()), line)
    guard !line.has("json") else { return try show(result, line) }
    let answer = try StatusShow.answer(result)
    return printLine(text(answer, .present, answer.isRunning ? CustodyJudgement.all(of: home(line)) : []), line)
  }

  static func text(_ answer: StatusShow.Response, _ reader: Reader) -> String { text(answer, reader, []) }

  static func text(_ answer: StatusShow.Response, _ reader: Reader, _ judged: [CustodyJudgement]) -> String {
    let (running, colors) = (answer.running, reader.colors)
    let process = running.map { ", running as process \($0.process)" } ?? ", no signer running"
    return pairs(
      [
        ("Holdfast", shown(answer.version) + process), ("Health", running.map { health($0, answer, colors) } ?? ""),
        ("Incidents", styled(running.map(incidents) ?? "", .bad, if: colors)),
        ("Keys", styled(keys(answer), .careful, if: colors && answer.lock.isLocked)), ("Trial", trial(answer)),
        ("Home", shown(answer.home)),
        ("Up for", running.map { TimeSpan.words($0.uptime) } ?? ""),
        ("Console", shown(running?.console)), ("Relays", (running?.relays ?? []).map(relay).joined(separator: "\n")),
        ("Desktop", running.map { desktop($0.desktop) } ?? ""), ("Identities", shown(answer.identities)),
        ("This device", device(answer.deviceBinding)), ("Apps", apps(answer)),
        ("Waiting", styled(waiting(answer.waiting), .careful, if: colors && answer.waiting > 0)),
        ("Shares", shares(answer.shareRequests)), ("Requests", running.map(requests) ?? ""),
        ("Answers", running.map { answers($0.latency) } ?? ""), ("Not answered", running.map { notAnswered($0.answers) } ?? ""),
        ("Log", log(answer)), ("Recovery", judgement(of: .kitTested, judged, colors) ?? ""),
        ("Backup", backup(running, judgement(of: .backupFresh, judged, colors))),
        ("Memory", running.map { "\($0.resources.memoryKiB / 1024) MiB" } ?? ""),
      ], colors: colors)
  }

  private static func backup(_ running: RunningStatus?, _ judgement: String?) -> String {
    let last = running?.resources.lastBackup.map { "last made \(moment($0))" }
    return [last, judgement].compactMap { $0 }.joined(separator: "\n")
  }

  private static func judgement(of name: CustodyStep.Name, _ judged: [CustodyJudgement], _ colors: Bool) -> String? {
    judged.first { $0.name == name }.map { styled($0.text, .careful, if: colors && !$0.isGood) }
  }

  private static func trial(_ answer: StatusShow.Response) -> String {
    guard answer.isTrial else { return "" }
    return "wiped when the signer ends" + (answer.lock.isSuspended ? "" : ". To keep it: holdfast keep")
  }

  private static func keys(_ answer: StatusShow.Response) -> String {
    let lock = answer.lock
    if lock.isSuspended, answer.isTrial { return "locked down for good: nobody knows the passphrase of a trial" }
    if lock.isSuspended {
      return lock.isLocked
        ? "locked down. To end that: holdfast resume" : "unlocked, but locked down. To end that: holdfast resume"
    }
    return lock.isLocked ? "locked; apps wait until you unlock: holdfast unlock" : "unlocked"
  }

  private static func health(_ running: RunningStatus, _ answer: StatusShow.Response, _ colors: Bool) -> String {
    let lock = answer.lock
    // After a lockdown the keys are locked as well, and resuming unlocks them. So only one way out is shown.
    let told = running.problems.filter { !lock.isSuspended || $0.name != .locked }
    let unreached = UnreachedText(running.unreachedApps)
    let lines =
      told.map { "\(styled(ours($0.text), .bad, if: colors)) \(hint($0, answer))" }
      + (unreached.map { ["\(styled($0.text, .bad, if: colors)) \($0.hint)"] } ?? [])
    guard lines.isEmpty else { return lines.joined(separator: "\n") }
    return running.newIncidents > 0 ? "it works, but something suspicious happened" : styled("all is well", .good, if: colors)
  }

  /// The incidents that the owner has not checked; empty if there are none.
  private static func incidents(_ running: RunningStatus) -> String {
    guard running.newIncidents > 0 else { return "" }
    return "\(count(running.newIncidents, "incident")) you have not looked at: holdfast log incidents"
  }

  /// A trial that is locked down can be neither unlocked nor resumed.
  private static func hint(_ problem: StatusProblem, _ answer: StatusShow.Response) -> String {
    problem.name == .suspended && answer.isTrial ? ours(OperationError.trialIsShut.hint ?? "") : ours(problem.hint)
  }

  private static func relay(_ relay: RelayStatus) -> String {
    let url = shown(relay.url)
    switch relay.state {
    case .embedded: return "\(url) (embedded, \(count(relay.embedded?.connections ?? 0, "connection")))"
    case .connected: return "\(url) (connected\(relay.connection?.lastOK.map { ", answers in \($0) ms" } ?? ""))"
    case .connecting, .waiting:
      let why = shown(relay.connection?.lastError)
      return "\(url) (\(shown(relay.state))\(why.isEmpty ? "" : ": \(why)"))"
    }
  }

  private static func desktop(_ condition: DesktopCondition) -> String {
    switch condition {
    case .off: "no notifications: switched off (up --desktop off)"
    case .unused: "notifications not tried yet; none was needed so far"
    case .shown: "notifications on"
    case .noLibrary, .noBus, .noDesktop: "no notifications: \(condition.rawValue)"
    }
  }

  private static func device(_ binding: String?) -> String {
    guard let binding else { return "" }
    let against = binding.hasPrefix("device.key") ? "" : "against a copy of the whole home: "
    return "keys of this-device-only classes are in no backup; \(against)\(printable(binding))"
  }

  private static func apps(_ answer: StatusShow.Response) -> String {
    "\(answer.apps)" + (answer.links > 0 ? ", and \(count(answer.links, "link")) not used yet: holdfast pair --list" : "")
  }

  private static func waiting(_ count: Int64) -> String { count == 0 ? "0" : "\(count); to see them: holdfast request list" }

  private static func shares(_ count: Int64) -> String {
    count == 0 ? "" : "requested by \(count); to see who: holdfast guardian requests"
  }

  private static func requests(_ running: RunningStatus) -> String {
    running.requests.map { method in
      let parts = [
        (method.allowed, "allowed"), (method.asked, "asked"), (method.denied, "denied"), (method.inError, "in error"),
      ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
      return "\(shown(method.method)): \(parts.joined(separator: ", "))"
    }.joined(separator: "\n")
  }

  private static func answers(_ latency: Spread) -> String {
    guard latency.count > 0 else { return "" }
    func bound(_ value: JSONValue?) -> String {
      guard case .number(let text)? = value, let number = Double(text) else { return "later than 10 s" }
      return "within \(number == number.rounded() ? "\(Int(number))" : text) ms"
    }
    return "half \(bound(latency.half)), 99 of 100 \(bound(latency.ninetyNineOf100))"
  }

  private static func notAnswered(_ answers: AnswerCounts) -> String {
    var lines = (answers.dropped?.members ?? []).compactMap { member in
      member.value.integer.map { "\($0): \(printable(member.key))" }
    }
    for (count, words) in [
      (answers.queueFull, "too many requests waited"), (answers.unrecorded, "could not be recorded"),
      (answers.unpublished, "no relay accepted the answer"),
    ] where count > 0 { lines.append("\(count): \(words)") }
    if (answers.dropped?[usedLinkReason]?.integer ?? 0) > 0 { lines.append("(Each app needs its own link: holdfast pair)") }
    return lines.joined(separator: "\n")
  }

  /// The signer's name for this reason.
  private static let usedLinkReason = "the link was used by an app before"

  private static func log(_ answer: StatusShow.Response) -> String {
    let size = answer.running.map { ", \(bytes($0.resources.logBytes))" } ?? ""
    let free = answer.running?.resources.freeDiskBytes.map { "; the disk has \(bytes($0)) left" } ?? ""
    return "\(count(answer.logEntries, "entr", one: "y", many: "ies"))\(size)\(free)"
  }

  private static func bytes(_ count: Int64) -> String {
    switch count {
    case ..<(1 << 20): "\((count + 1023) / 1024) KiB"
    case ..<(10 << 30): "\(count >> 20) MiB"
    default: "\(count >> 30) GiB"
    }
  }

  private static func count(_ count: Int64, _ word: String, one: String = "", many: String = "s") -> String {
    "\(count) \(word)\(count == 1 ? one : many)"
  }
}
