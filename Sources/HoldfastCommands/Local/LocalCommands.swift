import CommandLine
import OwnerAPI
import TerminalUI

/// `holdfast local list`
enum LocalListCommand: OwnerCommand {
  typealias Operation = LocalList

  static let place = Command(
    "list", "List the programs on this machine that asked for signatures",
    discussion: "The digits are those of the program's file (SHA-256). An updated program is a new one, and asks again.")

  static func text(_ answer: LocalList.Response, _ reader: Reader) -> String {
    if answer.programs.isEmpty {
      return "No program on this machine has asked yet. How one asks: holdfast help local-programs"
    }
    var table = TextTable(["NAME", "PROGRAM", "FILE", "IDENTITY", "TRUST", "LAST SEEN"], paths: [1], spare: [3, 5])
    for app in answer.programs {
      table.add([
        app.name, app.program?.path ?? "", String(app.program?.sha256.prefix(16) ?? ""), app.identity,
        AppText.trust(app), app.requests == 0 ? "never" : ago(app.lastSeen, now: reader.now),
      ])
    }
    return table.text(within: reader.columns)
  }
}

/// `holdfast local trust`
enum LocalTrustCommand: AppCommand {
  typealias Operation = LocalTrust

  static let place = Command(
    "trust", "Let a program in, and set how much it is trusted", discussion: "\(SharedOptions.trustMeaning).",
    arguments: [LocalArguments.program, ClientArguments.trust],
    examples: [Example("holdfast local trust f1ee188b790e43ca medium", "sign its notes without asking you")])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> AppTrust.Request {
    ClientArguments.trust(LocalArguments.app(line), line)
  }

  static func next(_ answer: AppDetail, _ line: Invocation) -> String? { ClientTrustCommand.next(answer, line) }
}

/// `holdfast local revoke`
enum LocalRevokeCommand: OwnerCommand {
  typealias Operation = LocalRevoke

  static let place = Command(
    "revoke", "Take back what a program may do", discussion: "If it asks again, you are asked as at its first use.",
    arguments: [LocalArguments.program], options: [SharedOptions.yes])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> AppRequest { LocalArguments.app(line) }

  static func question(_ line: Invocation) -> String? { "Take back what '\(shown(line.needed("program")))' may do?" }

  static func text(_ answer: AppRevoke.Response, _ reader: Reader) -> String {
    "\(quoted(answer.name)) may do nothing any more. If it asks again, you are asked."
  }
}

enum LocalArguments {
  static let program = Argument(
    "program", "The first 8 digits or more of the program's file, or its name once you let it in: see holdfast local list",
    completion: .names("apps"))

  static func app(_ line: Invocation) -> AppRequest { AppRequest(line.needed("program")) }
}

extension Noun {
  static let local = Noun(
    "local", "Programs on this machine that ask for signatures",
    commands: [LocalListCommand.self, LocalTrustCommand.self, LocalRevokeCommand.self])
}
