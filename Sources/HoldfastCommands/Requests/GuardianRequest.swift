import CommandLine
import JSON
import TerminalUI

/// The parameters of `holdfast guardian …`.
enum GuardianRequest {
  static func members(_ invocation: Invocation) throws(UsageError) -> [JSONValue.Member] {
    try RelayOption.check(invocation)
    var members: [JSONValue.Member] = []
    for name in ["npub", "kit", "state"] {
      if let value = invocation.argument(name) { members.append(.init(name, .string(value))) }
    }
    for name in ["kit", "note", "code"] { if let value = invocation.value(name) { members.append(.init(name, .string(value))) } }
    if let guardian = invocation.value("guardian") { members.append(.init("npub", .string(guardian))) }
    let relays = invocation.values("relay")
    if !relays.isEmpty { members.append(.init("relays", .array(relays.map { .string($0) }))) }
    if let text = invocation.value("delay") {
      guard let seconds = TimeSpan.seconds(text), seconds > 0 else {
        throw .valueMalformed(option: "delay", form: "a time such as 72h or 7d")
      }
      members.append(.init("delay", .integer(seconds)))
    }
    if invocation.has("new") { members.append(.init("new", true)) }
    if let text = invocation.value("for") {
      guard let seconds = TimeSpan.seconds(text), seconds > 0 else {
        throw .valueMalformed(option: "for", form: "a time such as 10m or 1h")
      }
      members.append(.init("seconds", .integer(seconds)))
    }
    return members
  }
}
