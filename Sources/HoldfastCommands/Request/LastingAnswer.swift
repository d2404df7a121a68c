import Curve
import OwnerAPI
import RemoteSigning
import RequestPreview
import ResponseTexts

/// What an approval with `--for`, or `client allow`, lets apps do from now on, in words.
struct LastingAnswer {
  /// A rule that the answer makes.
  private struct Rule {
    let app: RequestingApp
    let permission: String
    /// What that is in words; empty if nobody says.
    let label: String
    var isSerious: Bool

    func isSame(_ other: Rule) -> Bool { app.pubkey == other.app.pubkey && permission == other.permission }

    /// `sign_event:5 (deletions from this app)`.
    var what: String { foreign(permission, limit: 300) + (label.isEmpty ? "" : " (\(foreign(label, limit: 300)))") }
  }

  private let duration: Duration
  private let rules: [Rule]
  private let apps: Set<String>
  /// The app's name with digits of its key, as a question shows it; nil where the name alone is shown.
  private let named: String?

  /// - Parameter requests: those that are answered.
  /// - Returns: nil if nothing is remembered, or if nothing is answered.
  init?(_ answer: RequestAnswer, of requests: [WaitingRequest]) {
    guard let duration = answer.remember, duration != .once, !requests.isEmpty else { return nil }
    self.duration = duration
    rules = requests.reduce(into: []) { rules, request in
      let permission = answer.permission ?? request.remember.permission
      let words = PermissionWords(typed: permission, of: request.identity.pubkey)
      let rule = Rule(
        app: request.client, permission: permission,
        label: answer.permission == nil ? request.remember.label : words?.label ?? "",
        isSerious: RequestLine.isSerious(request))
      guard let known = rules.firstIndex(where: { $0.isSame(rule) }) else { return rules.append(rule) }
      rules[known].isSerious = rules[known].isSerious || rule.isSerious
    }
    apps = Set(rules.map(\.app.pubkey))
    named = nil
  }

  /// What `client allow` lets an app do.
  /// - Parameters:
  ///   - permissions: at least one, as they were typed.
  ///   - identity: whose key the app uses, in hex.
  ///   - named: how the question calls the app.
  init(
    allowing permissions: [String], for duration: Duration, of app: RequestingApp, identity: String?, named: String?,
    isSerious: (String) -> Bool
  ) {
    rules = permissions.map { permission in
      let words = PermissionWords(typed: permission, of: identity)
      return Rule(
        app: app, permission: permission, label: words?.label ?? "",
        isSerious: isSerious(permission))
    }
    (self.duration, self.named, apps) = (duration, named, [app.pubkey])
  }

  /// Whether it ends only by the owner's own command.
  var isForGood: Bool { duration == .always }

  /// What an approval allows.
  var approves: String {
    guard rules.count == 1 else {
      return "\(time) \(name) may do this without asking\(listed)" + (exceptions.map { "\n\($0)" } ?? "")
    }
    guard rules[0].permission != "sign_event" else {
      return
        "\(time) \(name) may sign every kind of event without asking, except profiles (0), follow lists (3), deletions (5) and "
        + "other protected kinds. About those its trust decides, as before."
    }
    return "\(time) \(name) may do \(rules[0].what) without asking." + (exceptions.map { " \($0)" } ?? "")
  }

  /// What is asked about all the same, each sentence once.
  private var exceptions: String? { Permission.stillAsked(rules.compactMap { Permission(parsing: $0.permission) }) }

  /// What a denial forbids.
  var denies: String {
    rules.count == 1 ? "\(time) \(name) may not do \(rules[0].what)." : "\(time) \(name) may not do this\(listed)"
  }

  /// The end of a sentence about several rules: each on a line of its own.
  private var listed: String {
    let lines = LimitedLines(rules, isSerious: \.isSerious)
    let texts = lines.shown.map { rule in
      "  \(rule.isSerious ? "! " : "")\(apps.count == 1 ? "" : "\(foreign(rule.app.shownName)): ")\(rule.what)"
    }
    let sign = rules.contains(where: \.isSerious) ? " (! is serious)" : ""
    return ([sign + ":"] + texts + (lines.rest.map { ["  \($0)"] } ?? [])).joined(separator: "\n")
  }

  private var name: String { apps.count == 1 ? named ?? quoted(rules[0].app.shownName) : "these apps" }

  private var time: String { duration.length.map { "For \($0)" } ?? "From now on" }

  /// How the rules are seen and ended.
  private var ending: String {
    guard apps.count == 1 else { return "To see their rules: holdfast client show APP" }
    return "To see its rules or end one: holdfast client show \(rules[0].app.typed)"
  }

  /// What is said after the answer: all of it, but to somebody who was just asked about it only how it ends.
  /// - Parameter now: seconds since 1970.
  func told(_ verb: AnswerVerb, wasAsked: Bool, now: Int64) -> String {
    let ending = [HoldingText.until(duration, from: now), ending].compactMap { $0 }.joined(separator: " ")
    guard !wasAsked else { return ending }
    return (verb == .approve ? approves : denies) + (rules.count == 1 ? " " : "\n") + ending
  }
}
