import CommandLine
import JSON
import TerminalUI

/// What `request approve` and `request deny` ask for.
enum AnswerRequest {
  static func members(_ invocation: Invocation) throws(UsageError) -> [JSONValue.Member] {
    let ids = invocation.arguments("ids")
    let like = invocation.value("all-like")
    guard ids.isEmpty != (like == nil) else { throw .argumentMissing(name: "ids", command: invocation.path) }
    // One is told apart from many: when it is not there, that is a failure and no remark.
    var members: [JSONValue.Member] =
      ids.count == 1
      ? [.init("id", .string(ids[0]))] : ids.isEmpty ? [] : [.init("ids", .array(ids.map { .string($0) }))]
    if let time = invocation.value("for") { members.append(.init("remember", .string(time))) }
    if let permission = invocation.value("permission") { members.append(.init("permission", .string(permission))) }
    return members
  }
}

/// Requests like one that was named, found in what `request/list` told.
enum AlikeRequests {
  /// - Returns: the ids of all that wait and can be answered together with this one, and what they are together ("12 likes"). Nil
  ///   when no request, or more than one, has that id or beginning.
  static func of(_ id: String, in list: JSONValue) -> (ids: [String], title: String)? {
    let all = list["requests"]?.array ?? []
    let exact = all.filter { $0["id"]?.string == id }
    let found = exact.isEmpty && id.utf8.count >= 4 ? all.filter { $0["id"]?.string?.hasPrefix(id) == true } : exact
    guard found.count == 1, let named = found[0]["id"]?.string else { return nil }
    let title = found[0]["batch_title"]?.string ?? ""
    guard let batch = found[0]["batch"]?.string else { return ([named], title) }
    return (all.filter { $0["batch"]?.string == batch }.compactMap { $0["id"]?.string }, title)
  }
}
