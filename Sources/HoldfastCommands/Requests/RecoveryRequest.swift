import CommandLine
import JSON
import TerminalUI

/// The parameters of `holdfast recovery …`.
enum RecoveryRequest {
  /// Of `recovery create`.
  static func plan(_ invocation: Invocation) throws(UsageError) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    for name in ["threshold", "shares"] {
      if let number = try invocation.integer(name, in: 1...16) { members.append(.init(name, .integer(number))) }
    }
    let groups = try invocation.values("group").map { text throws(UsageError) in try group(text) }
    if !groups.isEmpty {
      guard members.isEmpty else { throw .exclude(option: "group", other: invocation.has("shares") ? "shares" : "threshold") }
      members.append(.init("groups", .array(groups)))
    }
    if let number = try invocation.integer("group-threshold", in: 1...16) {
      members.append(.init("group_threshold", .integer(number)))
    }
    if let label = invocation.value("label") { members.append(.init("label", .string(label))) }
    return members
  }

  private static func group(_ text: String) throws(UsageError) -> JSONValue {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int64($0) }
    guard parts.count == 2, let threshold = parts[0], let count = parts[1], threshold > 0, count > 0 else {
      throw .valueMalformed(option: "group", form: "how many are needed of how many, as 2/3")
    }
    return .array([.integer(threshold), .integer(count)])
  }

  /// Of `recovery restore` and `recovery test`.
  static func restoring(_ invocation: Invocation) throws(UsageError) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    if let name = invocation.value("identity") { members.append(.init("name", .string(name))) }
    if let npub = invocation.value("npub") { members.append(.init("npub", .string(npub))) }
    if invocation.has("words") { members.append(.init("words", true)) }
    if invocation.has("yes") { members.append(.init("accept", true)) }
    if let account = try invocation.integer("account", in: 0...0x7FFF_FFFF) {
      members.append(.init("account", .integer(account)))
    }
    return members
  }
}
