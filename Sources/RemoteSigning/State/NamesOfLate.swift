internal import Encodings

/// The names that waiting requests had of late: none is given to another request, whether or not the first one still waits.
struct NamesOfLate {
  /// More than wait at once; the oldest goes first.
  static let maximumKept = 4 * PendingRequest.maximumHeld

  private var names: [(name: String, eventID: Bytes32)] = []

  func isOfAnother(_ name: String, than eventID: Bytes32) -> Bool {
    names.contains { $0.name == name && $0.eventID != eventID }
  }

  mutating func add(_ name: String, of eventID: Bytes32) {
    names.removeAll { $0.name == name }
    names.append((name, eventID))
    if names.count > Self.maximumKept { names.removeFirst() }
  }
}
