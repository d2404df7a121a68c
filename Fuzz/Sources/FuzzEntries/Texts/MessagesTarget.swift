import Nostr

extension FuzzTarget {
  /// Messages between relay and client, and filters: what was read is written so that it reads the same.
  static let messages = FuzzTarget("messages") { (bytes) throws(FuzzFault) in
    if let message = try? ClientMessage(parsing: bytes) {
      let json = message.json()
      let again = try unfailing("a written client message is read") { () throws(EventError) in try ClientMessage(parsing: json) }
      try require(again.json() == json, "a client message survives a round trip")
    }
    if let message = try? RelayMessage(parsing: bytes) {
      let json = message.json()
      let again = try unfailing("a written relay message is read") { () throws(EventError) in try RelayMessage(parsing: json) }
      try require(again.json() == json, "a relay message survives a round trip")
    }
    if let filter = try? Filter(parsing: Array(bytes)) {
      let again = try unfailing("a written filter is read") { () throws(EventError) in try Filter(parsing: filter.json()) }
      try require(again == filter, "a filter survives a round trip")
      for event in Keys.events { try require(again.matches(event) == filter.matches(event), "both filters agree") }
    }
  }
}
