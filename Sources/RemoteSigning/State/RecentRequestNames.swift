import Encodings

/// The names that waiting requests had recently, and those of requests in the vault that were not read yet. None is given to another
/// request, whether or not the first one still waits.
struct RecentRequestNames {
  /// More than wait at once; the oldest goes first.
  static let maximumKept = 4 * PendingRequest.maximumHeld

  private var names: [(name: String, eventID: Bytes32)] = []
  /// No number of newer ones takes the place of these.
  private var stored: [String: Bytes32] = [:]

  func isOfAnother(_ name: String, than eventID: Bytes32) -> Bool {
    stored[name].map { $0 != eventID } ?? false || names.contains { $0.name == name && $0.eventID != eventID }
  }

  /// All known names that begin with these digits, of requests that wait and of past ones.
  func beginning(with digits: String) -> Set<String> {
    Set(names.map(\.name).filter { $0.hasPrefix(digits) }).union(stored.keys.filter { $0.hasPrefix(digits) })
  }

  /// The names by the ids of their events.
  var byEvent: [Bytes32: String] {
    stored.reduce(into: Dictionary(names.map { ($0.eventID, $0.name) }, uniquingKeysWith: { $1 })) { $0[$1.value] = $1.key }
  }

  /// Keeps the name of a request in the vault until the signer ends.
  mutating func keep(_ name: String, of eventID: Bytes32) { stored[name] = eventID }

  mutating func add(_ name: String, of eventID: Bytes32) {
    names.removeAll { $0.name == name }
    names.append((name, eventID))
    if names.count > Self.maximumKept { names.removeFirst() }
  }
}
