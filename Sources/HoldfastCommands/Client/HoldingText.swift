import CommandLine
import Encodings
import OwnerAPI
import ResponseTexts
import TerminalUI

/// What the owner is told after a change: until when it holds, and which command ends it sooner.
enum HoldingText {
  /// - Parameters:
  ///   - now: seconds since 1970.
  ///   - ending: the command that ends it.
  static func text(_ duration: OwnerAPI.Duration, from now: Int64, ending: String) -> String {
    until(duration, from: now).map { "\($0) To end it: \(ending)" } ?? untilChanged(ending: ending)
  }

  /// The same for a change that no time ends.
  static func untilChanged(ending: String) -> String { "That holds until you change it. To end it: \(ending)" }

  /// When a change that lasts for a time ends; nil for any other duration.
  static func until(_ duration: OwnerAPI.Duration, from now: Int64) -> String? {
    guard case .time(let seconds) = duration else { return nil }
    return "That holds until \(moment(now + seconds))."
  }

  /// After a denial that is not remembered.
  static func once(_ count: Int) -> String {
    "That holds for \(count == 1 ? "this request" : "these requests") only. "
      + "To deny similar ones as well, add --for 1h or --for always next time."
  }

  /// The command that removes the rules which a command line made.
  static func forgetting(_ line: Invocation) -> String {
    let permissions = line.arguments("permission").map { foreign(ShellWord.plainOrQuoted($0), limit: 300) }
    return (["holdfast client forget", AppText.asTyped(line)] + permissions).joined(separator: " ")
  }
}
