public import Encodings

/// Makes the short names of requests from the ids of their events, as lists of waiting requests show them.
public struct RequestNaming: Sendable {
  private let key: SeenKey
  private let recent: [Bytes32: String]

  init(key: SeenKey, recent: [Bytes32: String]) { (self.key, self.recent) = (key, recent) }

  /// The name of the request that this event carried: 8 hex digits.
  ///
  /// Of a request from before the last start, the name differs in the rare case that another request had it then.
  public func name(of eventID: Bytes32) -> String { recent[eventID] ?? key.requestName(of: eventID, attempt: 0) }
}
