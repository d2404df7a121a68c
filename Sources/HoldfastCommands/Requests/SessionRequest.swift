import CommandLine
import JSON
import TerminalUI

/// The parameters of `session set`.
enum SessionRequest {
  static func members(_ invocation: Invocation) throws(UsageError) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    if let text = invocation.value("lock-after") {
      if text == "never" {
        members.append(.init("lock_after", .null))
      } else {
        guard let seconds = TimeSpan.seconds(text), seconds > 0 else {
          throw .valueMalformed(option: "lock-after", form: "a time such as 5m or 2h, or never")
        }
        members.append(.init("lock_after", .integer(seconds)))
      }
    }
    for name in ["lock-on-suspend", "lock-on-desktop-lock"] {
      guard let text = invocation.value(name) else { continue }
      guard ["on", "off"].contains(text) else { throw .valueMalformed(option: name, form: "on or off") }
      members.append(.init(name.replacing("-", with: "_"), .bool(text == "on")))
    }
    return members
  }
}
