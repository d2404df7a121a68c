import CommandLine
import JSON
import TerminalUI

/// The members of `client/limit`, `client/budget`, `policy/set` and `policy/explain`.
enum ClientRequest {
  private static let most: Int64 = 1_000_000_000
  private static let none = "none"

  /// - Throws: when no limit is named, or one is neither a number nor `none`.
  static func limits(_ invocation: Invocation) throws(UsageError) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    for (option, member) in [("per-minute", "per_minute"), ("per-hour", "per_hour"), ("per-day", "per_day")]
    where invocation.has(option) { members.append(.init(member, try count(invocation, option: option))) }
    guard !members.isEmpty else { throw .valueMalformed(option: "per-minute", form: "a number or none; one limit is needed") }
    return members
  }

  static func budget(_ invocation: Invocation) throws(UsageError) -> [JSONValue.Member] {
    let text = invocation.argument("count") ?? ""
    guard let count = text == none ? JSONValue.null : number(text) else {
      throw .argumentNotAllowed(name: "count", allowed: ["a number", none])
    }
    return [.init("count", count), .init("period", .string(invocation.value("per") ?? "1d"))]
  }

  /// - Throws: when nothing is to be set.
  static func settings(_ invocation: Invocation) throws(UsageError) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    if let trust = invocation.value("default-trust") { members.append(.init("default_trust", .string(trust))) }
    if let share = try invocation.integer("follow-share", in: 0...100) { members.append(.init("follow_share", .integer(share))) }
    guard !members.isEmpty else {
      throw .valueMalformed(option: "default-trust", form: "full, medium or low; one setting is needed")
    }
    return members
  }

  static func explanation(_ invocation: Invocation, _ now: Int64) throws(UsageError) -> [JSONValue.Member] {
    var members = try OwnerRequest.log(invocation, now)
    if invocation.has("log") { members.append(.init("log", true)) }
    let changes = invocation.values("change")
    if !changes.isEmpty { members.append(.init("change", .array(changes.map { .string($0) }))) }
    return members
  }

  private static func count(_ invocation: Invocation, option: String) throws(UsageError) -> JSONValue {
    if invocation.value(option) == none { return .null }
    guard let number = invocation.value(option).flatMap(number) else {
      throw .valueMalformed(option: option, form: "a number or none")
    }
    return number
  }

  private static func number(_ text: String) -> JSONValue? {
    TimeSpan.digits(text.utf8).flatMap { $0 <= most ? .integer($0) : nil }
  }
}
