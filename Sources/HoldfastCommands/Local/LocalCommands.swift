import CommandLine
import OwnerAPI
import ResponseTexts
import TerminalUI

/// `holdfast local list`
enum LocalListCommand: OwnerCommand {
  typealias Operation = LocalList

  static let place = Command(
    "list", "List the programs, sites and links on this machine that asked for signatures",
    discussion:
      "The digits are those of the program's file (SHA-256). An updated program is a new one, and asks again. "
      + "A site asks through the browser extension. A link stands for where its answer goes, and is named with link: before that."
  )

  static func text(_ answer: LocalList.Response, _ reader: Reader) -> String {
    if answer.programs.isEmpty {
      return "Nothing on this machine has asked yet. How programs ask: holdfast help local-programs"
    }
    var table = TextTable(["NAME", "WHO ASKS", "FILE", "IDENTITY", "TRUST", "LAST SEEN"], paths: [1], spare: [3, 5])
    for app in answer.programs {
      table.add([
        app.name, place(app), app.program.map { String($0.sha256.prefix(16)) } ?? (app.site == nil ? "(link)" : "(site)"),
        app.identity,
        AppText.trust(app), app.requests == 0 ? "never" : ago(app.lastSeen, now: reader.now),
      ])
    }
    return table.text(for: reader)
  }

  private static func place(_ app: AppSummary) -> String {
    app.program?.path ?? app.site?.origin ?? app.link.map { "link:" + $0.callback } ?? ""
  }
}

/// `holdfast local trust`
enum LocalTrustCommand: AppCommand {
  typealias Operation = LocalTrust

  static let place = Command(
    "trust", "Let a program, a site or links in, and set how much they are trusted", discussion: "\(SharedOptions.trustMeaning).",
    arguments: [LocalArguments.program, ClientArguments.trust],
    examples: [
      Example("holdfast local trust f1ee188b790e43ca medium", "sign its notes without asking you"),
      Example("holdfast local trust https://snort.social low", "let a site in, and be asked each time"),
      Example("holdfast local trust link:https://example.com low", "let links with answers to that site in"),
    ])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> AppTrust.Request {
    ClientArguments.trust(LocalArguments.app(line), line)
  }

  static func next(_ answer: AppDetail, _ line: Invocation) -> String? {
    [ClientTrustCommand.next(answer, line), who(answer.summary)].compactMap { $0 }.joined(separator: "\n")
  }

  /// What was meant. A site and links of one name are two things, and so is a site in two browsers.
  private static func who(_ app: AppSummary) -> String? {
    if let site = app.site { return "It is the site \(shown(site.origin)) in the browser \(foreign(site.browser))." }
    if let link = app.link { return "These are links with answers to \(shown(link.callback)). Any page can open such a link." }
    return app.program.map { program in
      "It is the program \(foreign(program.path))."
        + (program.isInterpreter ? " It runs any script, so every script of yours that runs in it gets this trust." : "")
    }
  }
}

/// `holdfast local revoke`
enum LocalRevokeCommand: OwnerCommand {
  typealias Operation = LocalRevoke

  static let place = Command(
    "revoke", "Take back what a program, a site or links may do",
    discussion: "If they ask again, you are asked as at first use.",
    arguments: [LocalArguments.program], options: [SharedOptions.yes])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> AppRequest { LocalArguments.app(line) }

  static func question(_ line: Invocation) -> String? { "Take back what '\(shown(line.needed("program")))' may do?" }

  static func text(_ answer: AppRevoke.Response, _ reader: Reader) -> String {
    "\(quoted(answer.name)) may do nothing any more. If it asks again, you are asked."
  }
}

enum LocalArguments {
  static let program = Argument(
    "program",
    "A program by the first 8 or more digits of its file, a site by its address, links by link: and where their answers go; "
      + "what you let in, by its name: see holdfast local list",
    completion: .names("apps"))

  static func app(_ line: Invocation) -> AppRequest { AppRequest(line.needed("program")) }
}

extension Noun {
  static let local = Noun(
    "local", "Programs, sites and links on this machine that ask for signatures",
    commands: [LocalListCommand.self, LocalTrustCommand.self, LocalRevokeCommand.self])
}
