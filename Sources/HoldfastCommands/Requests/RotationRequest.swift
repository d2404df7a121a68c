import CommandLine
import JSON
import TerminalUI

/// What `identity rotate` and `identity succession` were told beside the name and the relays.
enum RotationRequest {
  private static let flags = ["plan", "compromised", "note", "move-apps", "use-succession", "renew", "show"]

  static func members(_ invocation: Invocation) throws(UsageError) -> [JSONValue.Member] {
    if invocation.has("use-succession"), let other = ["to", "note"].first(where: { invocation.has($0) }) {
      throw .exclude(option: "use-succession", other: other)
    }
    if let to = invocation.value("to"), looksLikeHexKey(to), invocation.name == "identity rotate" { throw .secretKeyInArguments }
    var members = flags.filter { invocation.has($0) }.map { flag in
      JSONValue.Member(String(decoding: flag.utf8.map { $0 == 0x2D ? 0x5F : $0 }, as: UTF8.self), .bool(true))
    }
    if let name = invocation.value("to") { members.append(.init("to", .string(name))) }
    return members
  }
}
