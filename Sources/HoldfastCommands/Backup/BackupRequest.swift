import CommandLine
import JSON
import TerminalUI

/// The parameters of `holdfast backup …`.
enum BackupRequest {
  /// - Parameter absolute: makes a path one from the root: the daemon has another working folder.
  /// - Throws: what no operation takes.
  static func members(
    _ invocation: Invocation, absolute: (String) -> String
  ) throws(UsageError) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    func text(_ name: String, _ value: String?) { if let value { members.append(.init(name, .string(value))) } }
    switch invocation.name {
    case "backup create":
      if invocation.value("to") == nil {
        let file = invocation.argument("file")
        text(file == nil ? "folder" : "file", absolute(file ?? "."))
      } else if invocation.argument("file") != nil {
        throw .exclude(option: "to", other: "file")
      }
    case "backup verify":
      let file = invocation.argument("file")
      if invocation.has("from") { text("name", file) } else { text("file", file.map(absolute)) }
    case "backup schedule":
      if invocation.has("off") { members.append(.init("off", true)) }
      text("every", invocation.value("every"))
      if let keep = try invocation.integer("keep", in: 1...1000) { members.append(.init("keep", .integer(keep))) }
    default: break
    }
    if let place = place(invocation) { text("to", place.contains("://") ? place : absolute(place)) }
    for name in ["endpoint", "region"] { text(name, invocation.value(name)) }
    text("ca", invocation.value("ca").map(absolute))
    return members
  }

  /// The place that is named: where to, or where from.
  static func place(_ invocation: Invocation) -> String? { invocation.value("to") ?? invocation.value("from") }

  /// Whether a place asks who comes.
  static func needsCredentials(_ invocation: Invocation) -> Bool {
    place(invocation).map { $0.hasPrefix("https://") || $0.hasPrefix("s3://") || $0.hasPrefix("http://") } ?? false
  }

  /// Whether its address says who comes: `https://user@host/…`.
  static func namesUser(_ invocation: Invocation) -> Bool {
    guard let to = place(invocation), let mark = to.firstRange(of: "://") else { return false }
    return to[mark.upperBound...].prefix { $0 != "/" }.contains("@")
  }
}
