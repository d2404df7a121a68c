import CommandLine
import JSON
import TerminalUI

/// What `request watch` prints.
enum WatchText {
  /// One line of JSON for each request that began or ended to wait: `{"waits":{account}}`, `{"ended":ID,"approved":true}`.
  static func lines(_ news: JSONValue) -> [String] {
    let waits = (news["requests"]?.array ?? []).map { JSONValue.object([.init("waits", $0)]) }
    let ended = (news["ended"]?.array ?? []).map { end in
      JSONValue.object([.init("ended", end["id"] ?? .null), .init("approved", end["approved"] ?? .null)])
    }
    return (waits + ended).map { String(decoding: $0.serialized(), as: UTF8.self) }
  }

  /// The same in words.
  /// - Parameter isFirst: whether nothing was printed yet.
  static func text(_ news: JSONValue, isFirst: Bool, now: Int64) -> [String] {
    let list = news["requests"]?.array ?? []
    let waits = list.map { RequestText.account($0, now) + "\n" }
    let ended = (news["ended"]?.array ?? []).map { end in
      let what = end["approved"]?.bool.map { $0 ? "approved" : "refused" } ?? "ended without an answer"
      return "\(printable(end["id"]?.string ?? ""))  \(what)\n"
    }
    let greeting = isFirst && list.isEmpty ? ["Nothing waits for you. What comes is shown here; Ctrl-C ends this.\n"] : []
    return greeting + waits + ended
  }
}
