import CommandLine
import OwnerAPI
import ResponseTexts
import TerminalUI

/// What `--for` lets an app do from now on, in words.
struct LastingAnswer {
  private let duration: Duration
  private let apps: Set<String>
  private let app: RequestingApp
  /// Nil if the requests differ.
  private let permission: String?
  /// What that is in words; nil if the requests do not say.
  private let label: String?
  /// Whether one of the requests is serious.
  let isGrave: Bool

  /// Looks at the requests before they are answered: later they wait no more.
  /// - Returns: nil if nothing is remembered, or if the signer says nothing of the requests.
  init?(_ answer: RequestAnswer, _ line: Invocation) {
    guard let duration = answer.remember, duration != .once,
      let result = try? askDaemonWhole(RequestList.call(.init()), home(line)),
      let waiting = try? RequestList.answer(result).requests
    else { return nil }
    self.init(answer, duration, of: waiting)
  }

  /// - Parameter waiting: the requests that wait.
  init?(_ answer: RequestAnswer, _ duration: Duration, of waiting: [WaitingRequest]) {
    let meant = answer.meant(among: waiting)
    guard let first = meant.first else { return nil }
    (self.duration, app, apps) = (duration, first.client, Set(meant.map(\.client.pubkey)))
    let permissions = Set(meant.map { $0.remember.permission })
    permission = answer.permission ?? (permissions.count == 1 ? first.remember.permission : nil)
    label = answer.permission == nil && !first.remember.label.isEmpty ? first.remember.label : nil
    isGrave = meant.contains { $0.risk == .grave }
  }

  /// Whether it ends only by the owner's own command.
  var isForGood: Bool { duration == .always }

  /// What an approval allows, and how its rule is seen.
  var approved: String { approves + rules }

  /// What a denial forbids, and how its rule is seen.
  var denied: String { denies + rules }

  /// What an approval allows.
  var approves: String {
    guard let permission, !permission.isEmpty else { return similar }
    guard permission != "sign_event" else {
      return
        "\(time) \(name) may sign every kind of event without asking, except profiles (0), follow lists (3), deletions (5) and "
        + "other protected kinds. About those \(apps.count == 1 ? "its" : "their") trust decides, as before."
    }
    return "\(time) \(name) may do \(what(permission)) without asking."
  }

  /// What a denial forbids.
  var denies: String {
    guard let permission, !permission.isEmpty else { return similar }
    return "\(time) \(name) may not do \(what(permission))."
  }

  private func what(_ permission: String) -> String {
    foreign(permission, limit: 300) + (label.map { " (\(foreign($0, limit: 300)))" } ?? "")
  }

  private var similar: String { "\(time) similar requests of \(name) get the same answer." }

  private var name: String { apps.count == 1 ? quoted(app.shownName) : "these apps" }

  private var time: String {
    switch duration {
    case .once: "Once"
    case .always: "From now on"
    default: "For \(duration.length ?? duration.rawValue)"
    }
  }

  private var rules: String { " " + ending }

  /// How the rule is seen and ended.
  var ending: String {
    guard apps.count == 1 else { return "To see their rules: holdfast client show APP" }
    return "To see its rules or end one: holdfast client show \(app.typed)"
  }

  /// What is said after the answer: all of it, but to somebody who was just asked about it only how it ends.
  func told(_ whole: String, wasAsked: Bool) -> String { wasAsked ? ending : whole }
}
