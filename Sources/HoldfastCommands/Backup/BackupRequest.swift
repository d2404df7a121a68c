import CommandLine
import JSON
import TerminalUI

/// The parameters of `holdfast backup …`.
enum BackupRequest {
  /// - Parameter absolute: makes a path absolute, because the daemon has another working folder.
  /// - Throws: for values that no operation takes.
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

  /// The named place: the target or the source.
  static func place(_ invocation: Invocation) -> String? { invocation.value("to") ?? invocation.value("from") }

  /// Whether a place needs a credential.
  static func needsCredentials(_ invocation: Invocation) -> Bool {
    place(invocation).map { $0.hasPrefix("https://") || $0.hasPrefix("s3://") || $0.hasPrefix("http://") } ?? false
  }

  /// Whether its address contains the user: `https://user@host/…`.
  static func namesUser(_ invocation: Invocation) -> Bool {
    guard let to = place(invocation), let mark = to.firstRange(of: "://") else { return false }
    return to[mark.upperBound...].prefix { $0 != "/" }.contains("@")
  }
}
