import JSON

/// Tells open pages that something changed; they then request the details. It reveals nothing else that only the signed-in owner
/// may know.
public enum ConsoleHint: Sendable, Hashable {
  case requests
  case clients
  case identities
  case status
  case lock
  case sessions
  case log
  /// - Parameters:
  ///   - text: one line of our own wording.
  ///   - severity: `minor` or `critical`.
  ///   - time: seconds since 1970.
  case incident(text: String, severity: String, time: Int64)

  var name: String {
    switch self {
    case .requests: "requests"
    case .clients: "clients"
    case .identities: "identities"
    case .status: "status"
    case .lock: "lock"
    case .sessions: "sessions"
    case .log: "log"
    case .incident: "incident"
    }
  }

  var text: [UInt8] {
    guard case .incident(let text, let severity, let time) = self else { return Self.bare(name) }
    let value: JSONValue = ["type": "incident", "text": .string(text), "severity": .string(severity), "time": .integer(time)]
    return value.serialized()
  }

  /// The first message on a connection.
  static let hello = bare("hello")
  /// The periodic message that shows the connection is alive.
  static let tick = bare("tick")

  private static func bare(_ name: String) -> [UInt8] { JSONValue.object([.init("type", .string(name))]).serialized() }
}
