import CommandLine
import Encodings
import OwnerAPI
import ResponseTexts
import TerminalUI

/// A command that changes one app. It says what changed; 'client show' shows the whole app.
protocol AppCommand: OwnerCommand where Operation.Response == AppDetail {}

extension AppCommand {
  static func text(_ answer: AppDetail, _ reader: Reader) -> String { "" }
}

/// What one app may do, for people.
enum AppText {
  /// The first 16 digits of a key. Commands find an app by them, whatever it is called.
  static func digits(of app: AppSummary) -> String { shown(String(app.pubkey.prefix(16))) }

  /// Its trust, for a table.
  static func trust(_ app: AppSummary) -> String {
    app.isFirstUse ? "not let in" : app.trust.rawValue + (app.isPaused ? " (paused)" : "")
  }

  /// When the app last sent a request. The time of its pairing is stored as “last seen”, too, and is not shown.
  static func lastSeen(_ app: AppSummary, _ now: Int64) -> String {
    app.requests == 0 ? "never asked" : ago(app.lastSeen, now: now)
  }

  /// The app as it was typed in this command line, for use in a suggested command.
  static func asTyped(_ line: Invocation) -> String { shown(ShellWord.plainOrQuoted(line.needed("client"))) }

  /// What a command changed, and whether it waits for an unlock.
  static func changed(_ sentence: String, _ line: Invocation) -> String {
    [sentence, LockedNote.text(line)].compactMap { $0 }.joined(separator: "\n")
  }

  static func text(_ app: AppDetail, _ reader: Reader) -> String {
    let (summary, now) = (app.summary, reader.now)
    return pairs(
      [
        ("Name", foreign(summary.shownName)), ("Key", shown(summary.pubkey)), ("Identity", shown(summary.identity)),
        ("Program", shown(summary.program?.path, limit: 4096)), ("File (SHA-256)", shown(summary.program?.sha256)),
        ("Service", shown(summary.program?.unit)), ("Confined to", shown(summary.program?.sandbox)),
        ("Site", shown(summary.site?.origin)), ("Browser", shown(summary.site?.browser, limit: 4096)),
        ("Extension", shown(summary.site?.extensionID)), ("Answers go to", shown(summary.link?.callback)),
        ("Trust", styled(trustInFull(summary), .careful, if: reader.colors && (summary.isPaused || summary.isFirstUse))),
        ("Address", foreign(app.url)), ("Asked for", wishes(app.grant)), ("Your rules", rules(app.grant, now)),
        ("Limits", limits(app.grant.limits) ?? "none"), ("Budgets", budgets(app.grant)), ("Relays", list(app.relays)),
        ("Paired", date(summary.paired)), ("Last seen", lastSeen(summary, now)),
        ("Requests", shown(summary.requests)), ("Long answer", longAnswer(summary.longAnswer, now)),
      ], colors: reader.colors)
  }

  private static func trustInFull(_ app: AppSummary) -> String {
    if app.isFirstUse { return "not let in: it asks you for everything" }
    return shown(app.trust) + (app.isPaused ? ", paused: it asks you for everything" : "")
  }

  /// A remark about an answer that was too long for some libraries.
  private static func longAnswer(_ answer: LongAnswer?, _ now: Int64) -> String {
    guard let answer else { return "" }
    return
      "\(answer.bytes) bytes, \(ago(answer.at, now: now)): apps made with rust-nostr 0.45.1 or older cannot read an answer over 65535 bytes"
  }

  /// The permissions that it asked for, with what they would get now.
  private static func wishes(_ grant: AppGrant) -> String {
    grant.requested.map {
      "\(foreign($0.permission, limit: 300)): \(shown($0.decision.verdict)) (\(shown($0.decision.reason)))"
    }.joined(separator: "\n")
  }

  private static func rules(_ grant: AppGrant, _ now: Int64) -> String {
    if grant.rules.isEmpty { return "none; its trust decides" }
    return grant.rules.map { rule in
      let end = rule.expires.map { ", \(timeLeft($0 - now)) left" } ?? ""
      return "\(shown(rule.verdict)) \(foreign(rule.text, limit: 300))\(end)"
    }.joined(separator: "\n")
  }

  /// The limits as a list; nil if there are none.
  static func limits(_ limits: AppLimits, of unit: String = "") -> String? {
    let set = [(limits.perMinute, "a minute"), (limits.perHour, "an hour"), (limits.perDay, "a day")].compactMap { count, words in
      count.map { "\($0)\(unit) \(words)" }
    }
    return set.isEmpty ? nil : set.joined(separator: ", ")
  }

  private static func budgets(_ grant: AppGrant) -> String {
    grant.budgets.map {
      "\(foreign($0.permission)): \($0.used) of \($0.count) used in \($0.period.length)"
    }.joined(separator: "\n")
  }
}
