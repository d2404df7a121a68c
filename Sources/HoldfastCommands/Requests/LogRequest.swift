import CommandLine
import JSON
import TerminalUI

extension OwnerRequest {
  /// Which entries are wanted, or what else is said of the log.
  static func log(_ invocation: Invocation, _ now: Int64) throws(UsageError) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    for name in ["since", "until"] {
      guard let text = invocation.value(name) else { continue }
      guard let time = TimeSpan.digits(text.utf8) ?? TimeSpan.seconds(text).map({ max(0, now - $0) }) else {
        throw .valueMalformed(option: name, form: "seconds since 1970, or how long ago, as 90s, 15m, 2h or 7d")
      }
      members.append(.init(name, .integer(time)))
    }
    for name in ["client", "entry", "decision", "keep"] {
      if let text = invocation.value(name) { members.append(.init(name, .string(text))) }
    }
    for name in ["daily", "off"] where invocation.has(name) { members.append(.init(name, .bool(true))) }
    for (name, range) in [("kind", 0...65_535), ("limit", 1...100_000), ("before", 1...Int64.max), ("from", 1...Int64.max)] {
      if let number = try invocation.integer(name, in: range) { members.append(.init(name, .integer(number))) }
    }
    if let text = invocation.argument("sequence") {
      guard let number = TimeSpan.digits(text.utf8) else {
        throw .valueMalformed(option: "sequence", form: "the number of an entry")
      }
      members.append(.init("sequence", .integer(number)))
    }
    return members
  }
}
