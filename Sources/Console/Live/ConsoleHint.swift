internal import JSON

/// That something changed, for pages that are open: they ask for what it is. Says nothing that only the signed-in owner may know
/// beyond that.
public enum ConsoleHint: Sendable, Hashable {
  case requests
  case clients
  case identities
  case status
  case lock
  case sessions
  case log
  /// - Parameters:
  ///   - text: one line in our own words.
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
  /// The sign of life.
  static let tick = bare("tick")

  private static func bare(_ name: String) -> [UInt8] { JSONValue.object([.init("type", .string(name))]).serialized() }
}
